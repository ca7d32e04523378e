import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/ledger/index.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

const now = new Date('2026-11-20T09:00:00Z');
let courier: FakeCourier;
let cwd: string;

function at(...argv: string[]): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY };
  return remit(argv, { cwd, env, now });
}

beforeAll(async () => {
  courier = await startFakeCourier();
  courier.world.invoices = [9, 10].map((month) =>
    invoiceOf(month, `2026-${String(month).padStart(2, '0')}-05T10:00:00+03:00`, [
      { order_id: `A${month}`, cod: [['USD', '10.10']], delivery_fee: [['USD', '2.00']] },
    ]),
  );
  cwd = mkdtempSync(path.join(tmpdir(), 'remit-many-'));
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  expect((await at('sync', '2026-09..2026-10')).code).toBe(0);
});
afterAll(async () => {
  await courier.close();
  rmSync(cwd, { recursive: true, force: true });
});

describe('statements of several months', () => {
  it('writes a file a month and lists them; a month that fails is named, and the others stand', async () => {
    const { code, stdout, stderr } = await at('statement', '--from', '2026-08', '--to', '2026-10', '--json');
    expect(code).toBe(1);
    const told = JSON.parse(stdout);
    expect(stderr).toContain('2026-08');
    expect(told.failed).toMatchObject([{ month: '2026-08', code: 'ledger' }]);
    expect(told.statements).toMatchObject([
      { month: '2026-09', status: 'draft', invoices: 1, figures: [{ currency: 'USD', net_due_to_merchant: '8.10' }] },
      { month: '2026-10', status: 'draft' },
    ]);
    for (const { file, sha256: hash } of told.statements) expect(sha256(readFileSync(file))).toBe(hash);
    const index = (await readWorkbook(readFileSync(told.index))).sheets.get('Statements')!;
    const cells = [...index.values()].map(({ value }) => value);
    expect(cells).toEqual(
      expect.arrayContaining(['2026-08', 'not written', '2026-09.xlsx', told.statements[1].sha256]),
    );
    expect((await at('statement', '--from', '2026-09', '--to', '2026-10', '--quiet')).code).toBe(0);
  });

  it('lists them in the language of the statements, and never over a list that was touched', async () => {
    const range = ['statement', '--from', '2026-09', '--to', '2026-10', '--lang', 'ar'];
    const { code, stdout } = await at(...range, '--json');
    expect(code).toBe(0);
    const { index } = JSON.parse(stdout);
    const book = await readWorkbook(readFileSync(index));
    const cells = [...book.sheets.get('كشوف الأشهر')!.values()].map(({ value }) => value);
    expect(cells).toEqual(expect.arrayContaining(['الشهر', 'الملف', 'مسودة', '2026-09.xlsx', 'أخطاء مفتوحة']));
    // Nothing of it stays English but files, currencies and hashes.
    const english = cells.filter((value) => typeof value === 'string' && /^[A-Z][a-z]/.test(value));
    expect(english).toEqual([]);
    expect(cells.join()).toMatch(/لا تُجمع الأشهر هنا/);
    expect(await book.zip.file('xl/worksheets/sheet1.xml')!.async('string')).toContain('rightToLeft="1"');
    // As remit wrote it, it is written anew.
    expect((await at(...range)).code).toBe(0);

    appendFileSync(index, 'x');
    const [touched, month] = [readFileSync(index), readFileSync(path.join(path.dirname(index), '2026-09.xlsx'))];
    const refused = await at('statement', '--from', '2026-09', '--to', '2026-10');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not as remit wrote it') });
    expect(readFileSync(index).equals(touched)).toBe(true);
    expect(readFileSync(path.join(path.dirname(index), '2026-09.xlsx')).equals(month)).toBe(true);
    const beside = JSON.parse((await at(...range, '--beside', '--json')).stdout).index;
    expect(beside).toBe(index.replace('.xlsx', ' (2).xlsx'));
    expect(readFileSync(index).equals(touched)).toBe(true);
  });

  it('wants to know of which months', async () => {
    for (const argv of [
      [],
      ['2026-10', '--from', '2026-09', '--to', '2026-10'],
      ['--from', '2026-09'],
      ['--from', '2026-10', '--to', '2026-09'],
    ]) {
      expect((await at('statement', ...argv)).code).toBe(2);
    }
  });
});

describe('a close pack', () => {
  it('holds what an auditor asks for, and shows what was done to it since', async () => {
    const made = await at('statement', '--close-pack', '2026-10', '--json');
    const { folder, files, status, chain_head } = JSON.parse(made.stdout);
    expect({ code: made.code, status }).toEqual({ code: 0, status: 'draft' });
    expect(made.stderr).toContain('not closed');
    const names = ['2026-10.journal', '2026-10.xlsx', 'dispute.csv', 'selftest.json', 'verify.json'];
    expect(files.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(readdirSync(path.dirname(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
    if (process.platform !== 'win32') {
      for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
    }
    // Another is not written over it.
    expect((await at('statement', '--close-pack', '2026-10')).code).toBe(1);

    const verify = async () => {
      const { code, stdout } = await at('verify', folder, '--json');
      return { code, ...JSON.parse(stdout) };
    };
    expect(await verify()).toMatchObject({ code: 0, ok: true, in_ledger: true, chain_head, problems: [] });
    const ledger = path.join(cwd, 'ledger.db');
    renameSync(ledger, `${ledger}.away`);
    expect(await verify()).toMatchObject({ code: 0, ok: true, in_ledger: null });
    renameSync(`${ledger}.away`, ledger);

    // What would never end is not read.
    if (process.platform !== 'win32') {
      const selftest = path.join(folder, 'selftest.json');
      renameSync(selftest, `${folder}.away`);
      for (const make of [
        () => execFileSync('mkfifo', [selftest]),
        () => symlinkSync('/dev/zero', selftest),
        () => writeFileSync(selftest, 'x'),
      ]) {
        make();
        expect(await verify()).toMatchObject({ code: 1, problems: [{ where: 'selftest.json' }] });
        rmSync(selftest);
      }
      renameSync(`${folder}.away`, selftest);
    }

    // Whoever changes a file and its hash in the manifest is found out by the ledger.
    const listed = path.join(folder, 'manifest.json');
    const manifestBytes = readFileSync(listed);
    const dispute = path.join(folder, 'dispute.csv');
    const [before, after] = [readFileSync(dispute), Buffer.from('nothing is claimed\n')];
    writeFileSync(dispute, after);
    const edited = manifestBytes.toString().replace(sha256(before), sha256(after));
    writeFileSync(listed, edited.replace(`"size": ${before.length},`, `"size": ${after.length},`));
    expect(await verify()).toMatchObject({ code: 1, in_ledger: true, problems: [{ where: 'manifest.json' }] });
    writeFileSync(dispute, before);
    writeFileSync(listed, manifestBytes);
    const { manifest_sha256 } = JSON.parse(made.stdout);
    expect(manifest_sha256).toBe(sha256(manifestBytes));
    expect(await verify()).toMatchObject({ code: 0, manifest_sha256 });

    appendFileSync(path.join(folder, 'dispute.csv'), 'x');
    rmSync(path.join(folder, 'selftest.json'));
    writeFileSync(path.join(folder, 'extra.txt'), '');
    const manifest = path.join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(chain_head, 'f'.repeat(64)));
    const found = await verify();
    expect(found).toMatchObject({ code: 1, ok: false, in_ledger: false });
    expect(found.problems.map(({ where }: { where: string }) => where)).toEqual([
      'dispute.csv',
      'selftest.json',
      'extra.txt',
      'chain',
    ]);
    writeFileSync(
      manifest,
      '{"kind":"remit close pack","month":"2026-10","files":[{"name":"../x","size":1,"sha256":""}]}',
    );
    expect((await at('verify', folder)).code).toBe(1);
    expect(existsSync(folder)).toBe(true);
  });
});

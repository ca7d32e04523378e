import { chmodSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

const ROW = {
  order_id: 'A1',
  cod: [['USD', '25.00']] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
};
const onUnix = describe.skipIf(process.platform === 'win32');

/** A books folder with a synced month. */
async function books(): Promise<string> {
  const cwd = scratchFolder();
  const courier = await startFakeCourier({ invoices: [invoiceOf(7, '2026-10-20T10:00:00+03:00', [ROW])] });
  try {
    writeFileSync(path.join(cwd, 'key'), KEY, { mode: 0o600 });
    writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\napi_key_file = "key"\n`);
    expect(await remit(['sync', '2026-10'], { cwd })).toMatchObject({ code: 0 });
  } finally {
    await courier.close();
  }
  return cwd;
}

onUnix('what the books are made of', () => {
  it('is never written over by a report, a statement or a backup, under whatever name', async () => {
    const cwd = await books();
    symlinkSync('ledger.db', path.join(cwd, 'soft.xlsx'));
    linkSync(path.join(cwd, 'remit.toml'), path.join(cwd, 'hard.xlsx'));
    linkSync(path.join(cwd, 'key'), path.join(cwd, 'key.xlsx'));
    const before = ['ledger.db', 'remit.toml', 'key'].map((name) => readFileSync(path.join(cwd, name), 'latin1'));
    const lines = [
      ['report', 'totals', '--format', 'csv', '--out', 'ledger.db'],
      ['report', 'totals', '--format', 'csv', '--out', './ledger.db-wal'],
      ['report', 'totals', '--format', 'csv', '--out', 'remit.toml'],
      ['report', 'totals', '--format', 'csv', '--out', 'key'],
      ['report', 'totals', '--out', 'soft.xlsx'],
      ['statement', '2026-10', '--out', 'hard.xlsx'],
      ['statement', '2026-10', '--out', 'key.xlsx'],
      ['backup', '--force', 'ledger.db'],
      ['backup', '--force', 'soft.xlsx'],
      ['backup', '--force', 'ledger.lock'],
      ['backup', '--force', 'key'],
    ];
    for (const argv of lines) {
      const { code, stderr } = await remit(argv, { cwd });
      expect([argv.join(' '), code, stderr]).toEqual([
        argv.join(' '),
        1,
        expect.stringMatching(/, which would be lost\n {2}→ /),
      ]);
    }
    expect(['ledger.db', 'remit.toml', 'key'].map((name) => readFileSync(path.join(cwd, name), 'latin1'))).toEqual(
      before,
    );
  });

  it('and what is made from it can be read by its owner only', async () => {
    const cwd = await books();
    await remit(['statement', '2026-10'], { cwd });
    await remit(['report', 'orders', '--out', 'orders.csv'], { cwd });
    const modes = ['statements', 'statements/2026-10.xlsx', 'orders.csv'].map(
      (name) => statSync(path.join(cwd, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    expect((await remit(['init', 'fresh', '--api-url', 'https://x.example/'], { cwd })).code).toBe(0);
    expect(['fresh', 'fresh/remit.toml'].map((name) => statSync(path.join(cwd, name)).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
  });

  it('a key file that is a pipe or a device is refused at once', async () => {
    const cwd = await books();
    const { spawnSync } = await import('node:child_process');
    spawnSync('mkfifo', [path.join(cwd, 'pipe')]);
    chmodSync(path.join(cwd, 'pipe'), 0o600);
    const settings = readFileSync(path.join(cwd, 'remit.toml'), 'utf8');
    for (const file of ['pipe', '/dev/zero']) {
      writeFileSync(path.join(cwd, 'remit.toml'), settings.replace('"key"', `"${file}"`));
      const { code, stderr } = await remit(['sync'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('which is not a regular file')]);
    }
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../helpers/browser.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';

const now = new Date('2026-11-20T09:00:00Z');
let courier: FakeCourier;
let cwd: string;

function at(...argv: string[]): Promise<Outcome> {
  return remit(argv, { cwd, env: { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY }, now });
}

beforeAll(async () => {
  courier = await startFakeCourier();
  courier.world.invoices = [
    invoiceOf(10, '2026-10-05T10:00:00+03:00', [
      { order_id: 'A10', cod: [['USD', '10.10']], delivery_fee: [['USD', '2.00']] },
    ]),
  ];
  cwd = mkdtempSync(path.join(tmpdir(), 'remit-format-'));
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  expect((await at('sync', '2026-10')).code).toBe(0);
});
afterAll(async () => {
  await courier.close();
  rmSync(cwd, { recursive: true, force: true });
});

describe('remit statement --format', () => {
  it('writes the page beside the workbook, again to the byte, and never over one that was changed', async () => {
    const file = path.join(cwd, 'statements', '2026-10.html');
    const first = await at('statement', '2026-10', '--format', 'html', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({
      file,
      status: 'draft',
      figures: [{ net_due_to_merchant: '8.10' }],
    });
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('>8.10<');
    expect((await at('statement', '2026-10', '--format', 'html')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
    writeFileSync(file, `${before}<!-- signed -->`);
    const refused = await at('statement', '2026-10', '--format', 'html');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not as remit wrote it')]);
    expect((await at('statement', '2026-10', '--format', 'html', '--beside')).stdout).toContain('2026-10 (2).html');
  });

  it('goes by the name of --out, and refuses names and options that contradict it', async () => {
    expect((await at('statement', '2026-10', '--out', 'page.html', '--lang', 'ar')).code).toBe(0);
    expect(readFileSync(path.join(cwd, 'page.html'), 'utf8')).toContain('dir="rtl"');
    const refused: [string[], string][] = [
      [['2026-10', '--out', 'page.txt'], 'does not end in .xlsx, .html or .pdf'],
      [['2026-10', '--out', 'page.xlsx', '--format', 'pdf'], 'does not end in .pdf'],
      [['2026-10', '--format', 'pdf', '--take-notes'], 'nobody types'],
      [['--close-pack', '2026-10', '--format', 'pdf'], 'a close pack holds the workbook'],
      [['--close-pack', '2026-10', '--take-notes'], 'nobody types into a close pack'],
      [['--close-pack', '2026-10', '--all'], '--all lists the statements of one month'],
      [['--from', '2026-09', '--to', '2026-10', '--all'], '--all lists the statements of one month'],
      [['2026-10', '--lang', 'xx'], 'Choose one of: en, ar'],
    ];
    for (const [argv, why] of refused) {
      const { code, stderr } = await at('statement', ...argv);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
  });

  it('says what is wrong with the browser of the settings, and leaves nothing behind', async () => {
    const settings = path.join(cwd, 'remit.toml');
    const before = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${before}browser = "./no-browser"\n`);
    try {
      const { code, stderr } = await at('statement', '2026-10', '--format', 'pdf');
      expect([code, stderr]).toEqual([2, expect.stringContaining(path.join(cwd, 'no-browser'))]);
      expect(existsSync(path.join(cwd, 'statements', '2026-10.pdf'))).toBe(false);
    } finally {
      writeFileSync(settings, before);
    }
  });

  it.skipIf(!hasChromium)(
    'prints a PDF by the browser that it finds, and a file a month of a range',
    async () => {
      const { code, stdout, stderr } = await at('statement', '--from', '2026-10', '--to', '2026-10', '--format', 'pdf');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      expect(stdout).toContain('2026-10.pdf');
      const names = readdirSync(path.join(cwd, 'statements'));
      expect(
        readFileSync(path.join(cwd, 'statements', '2026-10.pdf'))
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      expect(names.filter((name) => name.startsWith('.') || /remit-/.test(name))).toEqual([]);
    },
    120_000,
  );
});

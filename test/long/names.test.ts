import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import JSZip from 'jszip';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { remit } from '../helpers/cli.ts';
import { type FakeRow, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { startDesk } from '../helpers/desk.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { type CourierWorld, NOW, startCouriers } from '../helpers/three-couriers.ts';

const MONTH = '2026-10';
/** The courier of these books listens on such an address, and nobody set a name. */
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|\b[a-z][\w-]*(?:\.[\w-]+)+:\d{2,5}\b/gi;
const NOBODY = /\bunnamed\b|\bnot known\b|غير معروف|بلا اسم/gi;

/** The text of what was printed: of a workbook that of all its parts. */
async function textOf(name: string, bytes: Buffer): Promise<string> {
  if (!name.endsWith('.xlsx')) return bytes.toString();
  const { files } = await JSZip.loadAsync(bytes);
  return (await Promise.all(Object.values(files).map((file) => file.async('string')))).join('\n');
}

/** What leaves the house of these books: each report and statement, the claim and the pages of the desk, by name. */
async function printed(cwd: string, couriers: readonly (string | null)[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  mkdirSync(path.join(cwd, 'out'));
  const out = async (name: string, argv: readonly string[]) => {
    const { code, stderr } = await remit([...argv, '--out', path.join('out', name)], { cwd, now: NOW });
    expect([argv, code < 2, stderr]).toEqual([argv, true, expect.anything()]);
  };
  for (const { name, needsPeriod } of REPORTS) {
    for (const format of ['html', 'xlsx', 'csv']) {
      await out(`${name}.${format}`, ['report', name, ...(needsPeriod ? [MONTH] : []), '--format', format]);
    }
  }
  const keep = async (folder: string, as = '') => {
    for (const file of readdirSync(path.join(cwd, folder))) {
      texts.set(`${as}${file}`, await textOf(file, readFileSync(path.join(cwd, folder, file))));
    }
  };
  for (const language of ['ar', 'en']) {
    for (const format of ['xlsx', 'html']) {
      await remit(['statement', MONTH, '--format', format, '--lang', language], { cwd, now: NOW });
    }
    await keep('statements', `${language} `);
  }
  for (const courier of couriers) {
    const whose = courier === null ? [] : ['--courier', courier];
    for (const format of ['text', 'html', 'csv']) {
      const argv = ['dispute', MONTH, '--dry-run', '--format', format, ...whose];
      const { code, stdout, stderr } = await remit(argv, { cwd, now: NOW });
      expect([argv, code, stdout !== '' ? '' : stderr]).toEqual([argv, 0, '']);
      texts.set(`claim-${courier}.${format}`, stdout);
    }
    await out(`claim-${courier}.xlsx`, ['dispute', MONTH, '--yes', '--by', 'Rana', ...whose]);
  }
  await keep('out');
  const desk = await startDesk([], { cwd, now: () => NOW });
  try {
    await desk.enter();
    const pages = ['/', '/mismatches', '/rows', '/receipts', '/runs', '/imports', '/closes', '/settlements', '/claims'];
    const more = [
      '/decisions',
      '/approvals',
      '/reports',
      ...REPORTS.map(({ name }) => `/reports/${name}?month=${MONTH}`),
    ];
    for (const page of [...pages, `/months/${MONTH}`, ...more]) {
      const { status, text } = await desk.send(page, { headers: { cookie: desk.cookie, accept: 'text/html' } });
      expect([page, status]).toEqual([page, 200]);
      texts.set(page, text);
    }
  } finally {
    await desk.stop();
  }
  return texts;
}

function expectNamed(texts: ReadonlyMap<string, string>): void {
  const wrong = [...texts].flatMap(([name, text]) => {
    const found = [...text.matchAll(ADDRESS), ...text.matchAll(NOBODY)];
    return found.map((match) => `${name}: ${text.slice(Math.max(0, match.index - 60), match.index + 60)}`);
  });
  expect(wrong).toEqual([]);
}

let couriers: CourierWorld;
beforeAll(async () => {
  couriers = await startCouriers();
});
afterAll(() => couriers.close());

it('no page, sheet or letter of a courier without a name says its address or that it has none: it names the setting', async () => {
  const cwd = scratchFolder();
  const row: FakeRow = { order_id: 'A', cod: [['USD', '100.00']], delivery_fee: [['USD', '3.00']] };
  const server = await startFakeCourier({
    organisation: '',
    invoices: [
      invoiceOf(10001, '2026-10-05T10:00:00+00:00', [row], {
        cod: [['USD', '99.00']],
        net_due_to_merchant: [['USD', '96.00']],
      }),
    ],
  });
  writeFileSync(path.join(cwd, 'key'), KEY, { mode: 0o600 });
  writeFileSync(path.join(cwd, 'remit.toml'), `time_zone = "UTC"\napi_url = "${server.url}"\napi_key_file = "key"\n`);
  for (const argv of [['sync', MONTH], ['check']]) await remit(argv, { cwd, now: NOW });
  await server.close();
  const texts = await printed(cwd, [null]);
  expectNamed(texts);
  for (const name of ['claim-null.text', 'claim-null.html', 'en 2026-10.xlsx', 'en 2026-10.html']) {
    for (const setting of ['merchant_name', 'courier_title']) {
      expect([name, setting, texts.get(name)?.includes(`${setting} in remit.toml`)]).toEqual([name, setting, true]);
    }
  }
});

it('nor of several couriers', async () => {
  const books = couriers.books();
  books.setCouriers('cedar', 'olive', 'swift');
  for (const name of ['cedar', 'olive', 'swift'] as const) await books.bring(name);
  expectNamed(await printed(books.folder, ['cedar', 'olive', 'swift']));
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listReports } from '../../../src/app/report.ts';
import { READ_ROUTES } from '../../../src/desk/routes.ts';
import { remit, type Surroundings } from '../../helpers/cli.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

/** Payouts are called by the numbers that both sides know; the ledger's integers for them are JSON's alone. */

/** The first integers that the ledger gives: both couriers' payouts have the same. */
const OURS = /(?<![\d-])90000000\d(?!\d)/;
const COURIERS = ['cedar', 'pine'] as const;
const SETTINGS = `time_zone = "UTC"\n${CEDAR}${COURIERS.map(
  (name) => `[couriers.${name}]\nkind = "files"\nmap = "cedar"\npayers = ["${name.toUpperCase()}"]\n`,
).join('')}`;

const sheetOf = (letter: string) =>
  cedar(
    `${letter}-901,2026-10-05,Paid,${letter}1,S${letter}1,Delivery,100.00,3.00,1.00,0.08,95.00`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-903,2026-10-21,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
  );

const cwd = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  writeFileSync(path.join(cwd, name), content);
  return name;
};
const run = (argv: readonly string[]) => remit(argv, { cwd, now: new Date('2026-12-20T09:00:00Z') });
const json = async <T>(argv: readonly string[]): Promise<T> => JSON.parse((await run([...argv, '--json'])).stdout);

beforeAll(async () => {
  file('remit.toml', SETTINGS);
  for (const [at, name] of COURIERS.entries()) {
    const [payer, letters] = [name.toUpperCase(), name === 'cedar' ? 'ES' : 'PN'];
    const imports = [
      ['settlement', file(`${name}.csv`, sheetOf(letters)), '--courier', name],
      ['receipts', file(`bank-${name}.csv`, bankOf(payer, letters, at))],
    ];
    for (const argv of imports) expect(await run(['import', ...argv])).toMatchObject({ code: 0 });
  }
});

const bankOf = (payer: string, letters: string, at: number) =>
  `date,amount,currency,text\n2026-10-0${at + 6},95.00,USD,${payer} ${letters}-901\n2026-11-2${at},40.00,USD,${payer} part\n`;

const text = (argv: readonly string[]) => run(argv).then(({ stdout, stderr }) => stdout + stderr);

/** A document without the ids of transactions, by which journals know what they hold. */
const withoutIds = (document: string) => document.replace(/\b[a-z]+(-[a-z0-9]+)*-9\d{8}(-[\w-]+)?\b/gi, '');

describe('a payout, by the number that both sides know', () => {
  it('stands beside its integer where both couriers have the same: what is unmatched is two lists of one order', async () => {
    const { unmatched } = await json<{
      unmatched: Record<'invoices' | 'invoices_text', unknown[]> & {
        couriers: (Record<'invoices' | 'invoices_text', unknown[]> & { courier: string })[];
      };
    }>(['match', 'list']);
    expect(unmatched.invoices_text).toEqual(['ES-902', 'PN-902', 'ES-903', 'PN-903']);
    expect(unmatched.invoices).toEqual([900000002, 900000002, 900000003, 900000003]);
    for (const { invoices, invoices_text, courier } of unmatched.couriers) {
      const letters = courier === 'cedar' ? 'ES' : 'PN';
      expect([invoices, invoices_text]).toEqual([
        [900000002, 900000003],
        [`${letters}-902`, `${letters}-903`],
      ]);
    }
  });

  it('stands beside its integer where both couriers wrote the same', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const payout = (number: string, day: string, order: string) =>
      `${number},2026-10-${day},Pending,${order},S${order},Delivery,50.00,3.00,0.50,0.07,46.43`;
    writeFileSync(path.join(folder, 'remit.toml'), SETTINGS);
    writeFileSync(path.join(folder, 'cedar.csv'), cedar(payout('P-1', '05', 'C1')));
    writeFileSync(path.join(folder, 'pine.csv'), cedar(payout('P-0', '04', 'D1'), payout('P-1', '05', 'D2')));
    const runIn = (argv: readonly string[]) => remit(argv, { cwd: folder, now: new Date('2026-12-20T09:00:00Z') });
    for (const name of COURIERS)
      expect(await runIn(['import', 'settlement', `${name}.csv`, '--courier', name])).toMatchObject({ code: 0 });
    const { unmatched } = JSON.parse((await runIn(['match', 'list', '--json'])).stdout);
    expect(unmatched.invoices).toHaveLength(unmatched.invoices_text.length);
    const pairs = unmatched.couriers.flatMap((one: Record<'invoices' | 'invoices_text', unknown[]>) =>
      one.invoices.map((number, at) => `${number} ${one.invoices_text[at]}`),
    );
    expect(new Set(pairs).size).toBe(3);
    const listed = unmatched.invoices.map((number: number, at: number) => `${number} ${unmatched.invoices_text[at]}`);
    expect(listed.toSorted()).toEqual(pairs.toSorted());
  });

  it('is called so by checks, and where findings are listed', async () => {
    const checked = await text(['check', '2026-10']);
    expect(checked).toContain('ES-902');
    expect(checked).not.toMatch(OURS);
    for (const argv of [
      ['mismatch', 'list', '2026-10'],
      ['dispute', '2026-10', '--dry-run', '--courier', 'pine'],
    ]) {
      const listed = await text(argv);
      expect(listed).toContain('PN-902');
      expect(listed).not.toMatch(OURS);
    }
    const { mismatches } = JSON.parse((await run(['mismatch', 'list', '--json'])).stdout);
    const about = mismatches.find(
      (one: { courier: string; invoice_number: number }) => one.invoice_number === 900000002,
    );
    expect(about).toMatchObject({ courier: 'cedar', invoice_number_text: 'ES-902' });
    expect(about.message).toContain('ES-902');
  });

  it.each(listReports().map(({ name }) => name))('is called so in the report %s, and JSON has both', async (name) => {
    const argv = ['report', name, ...(['runs', 'paid-orders'].includes(name) ? [] : ['2026-10'])];
    for (const courier of name === 'dashboard' || name === 'journal' ? COURIERS : [null]) {
      const asked = courier === null ? argv : [...argv, '--courier', courier];
      for (const format of ['table', 'csv', 'html']) {
        const { code, stdout, stderr } = await run([...asked, '--format', format]);
        expect({ format, code, stderr }).toEqual({ format, code: 0, stderr: '' });
        expect(withoutIds(stdout)).not.toMatch(OURS);
      }
      expect(await run([...asked, '--out', `${name}.xlsx`])).toMatchObject({ code: 0 });
      const { sheets } = await readWorkbook(readFileSync(path.join(cwd, `${name}.xlsx`)));
      const cells = [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value ?? ''));
      expect(cells.length).toBeGreaterThan(0);
      expect(withoutIds(cells.join('\n'))).not.toMatch(OURS);
    }
    if (name === 'dashboard') return;
    const { columns, rows } = await json<{
      columns: { name: string }[];
      rows: Record<string, unknown>[];
    }>(argv);
    for (const { name: column } of columns.filter((one) => ['number', 'invoice_number'].includes(one.name))) {
      const named = rows.filter((row) => row[column] !== null);
      expect(columns.map((one) => one.name)).toContain(`${column}_text`);
      for (const row of named) {
        expect(row[`${column}_text`]).toBe(`${row.courier === 'cedar' ? 'ES' : 'PN'}-90${String(row[column]).at(-1)}`);
      }
    }
  });

  it('narrows a report, and chooses findings', async () => {
    const narrowed = await text(['report', 'invoices', '2026-10', '--invoice', 'es-902', '--format', 'csv']);
    expect(narrowed.trim().split('\r\n')).toHaveLength(2);
    expect(narrowed).toContain('ES-902');
    const about = ['--invoice', 'PN-902', '--courier', 'pine', '--by', 'Rana', '--yes'];
    const acked = await json<{ changed: { invoice_number: number }[] }>(['mismatch', 'ack', ...about]);
    expect(acked.changed.map(({ invoice_number }) => invoice_number)).toContain(900000002);
    expect(await text(['mismatch', 'ack', ...about])).not.toMatch(OURS);
    expect(await run(['mismatch', 'ack', '--invoice', 'PN-999', '--by', 'Rana', '--yes'])).toMatchObject({
      code: 2,
    });
    expect(await text(['dispute', '--invoice', 'ES-902', '--courier', 'cedar', '--dry-run'])).toContain('ES-902');
  });

  it('is called so in the statement, whose Mismatches sheet is taken back as before', async () => {
    expect((await run(['statement', '2026-10'])).stderr).not.toMatch(OURS);
    const workbook = 'cedar.xlsx';
    await text(['statement', '2026-10', '--courier', 'cedar', '--out', workbook]);
    const { sheets } = await readWorkbook(readFileSync(path.join(cwd, workbook)));
    for (const [name, sheet] of sheets) {
      const cells = [...sheet.values()].map(({ value }) => value ?? '').join('\n');
      expect([name, OURS.exec(withoutIds(cells))?.[0]]).toEqual([name, undefined]);
    }
    const orders = [...sheets.get('Orders')!.values()].map(({ value }) => value);
    expect(orders).toContain('ES-903');
    await text(['statement', '2026-10', '--courier', 'cedar', '--format', 'html', '--out', 'cedar.html']);
    const page = readFileSync(path.join(cwd, 'cedar.html'), 'utf8');
    expect(page).toContain('ES-902');
    expect(withoutIds(page)).not.toMatch(OURS);
    const note = await json<{ rows: number; unchanged: number }>([
      ...['import', 'resolutions', workbook, '--courier', 'cedar', '--by', 'Rana'],
    ]);
    expect(note.rows).toBeGreaterThan(0);
    expect(note.unchanged).toBe(note.rows);
  });
});

const WALKED = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
afterAll(() => rmSync(WALKED, { recursive: true, force: true }));

/**
 * Two payouts of one amount, of which a receipt of that amount names neither, one that is restated, one that we owe,
 * and one that both couriers number alike.
 */
const manySheet = (letter: string, third: string) =>
  cedar(
    `${letter}-901,2026-10-05,Paid,${letter}1,S${letter}1,Delivery,100.00,3.00,1.00,0.08,95.92`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-902,2026-10-20,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,46.43`,
    `${letter}-903,2026-10-21,Pending,${letter}2,S${letter}2,Delivery,50.00,3.00,0.50,0.07,${third}`,
    ...[4, 5].map(
      (at) => `${letter}-90${at},2026-10-22,Pending,${letter}${at},S${letter}${at},Delivery,34.00,4,0,0,30.00`,
    ),
    `${letter}-906,2026-10-23,Pending,${letter}6,S${letter}6,Return,0,2.00,0,0,-2.00`,
    `PAY-31/10,2026-10-24,Pending,${letter}7,S${letter}7,Delivery,9.00,2.00,0,0,7.00`,
  );
const manyReceipts = (payer: string, letters: string, at: number) => `date,amount,currency,text
2026-10-0${at + 6},95.92,USD,${payer} ${letters}-901
2026-11-2${at},40.00,USD,${payer} part
2026-10-2${at + 5},30.00,USD,${payer} one of two
2026-11-1${at},44.43,USD,${payer} for ${letters}-903 less a fee
`;

interface Found {
  readonly id: string;
  readonly courier: string;
  readonly code: string;
  readonly invoice_number: number | null;
}

/** The first of our integers in a text, with what stands around it; null where none does. */
function ours(text: string): string | null {
  const plain = withoutIds(text);
  const at = plain.search(OURS);
  return at < 0 ? null : plain.slice(Math.max(0, at - 120), at + 60);
}

async function cellsOf(bytes: Buffer): Promise<string> {
  const { sheets } = await readWorkbook(bytes);
  return [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value ?? '')).join('\n');
}

/** Commands that say nothing of an invoice, whatever the books hold. */
const NAMELESS: ReadonlySet<string> = new Set([
  ...['demo', 'init', 'selftest', 'api', 'update-check', 'completion', 'ledger grants', 'ledger copy'],
  ...['sandbox seed', 'sandbox key', 'sandbox serve', 'sandbox operate', 'sandbox run-day', 'sandbox webhook'],
  ...['listen', 'serve', 'serve token', 'serve token list', 'serve token revoke', 'courier rename'],
  // Of many merchants' books, each in a process of its own.
  ...['init', 'add', 'night', 'status', 'lake', 'query', 'move', 'drop'].map((name) => `fleet ${name}`),
  // Of an order book, which a courier of sheets has none of, or of files of our own.
  ...['sync', 'import orders', 'import tariff', 'import rates'],
]);

describe('the integer of a payout stands in JSON alone, and not', () => {
  const said: { readonly argv: string; readonly text: string; readonly code: number; readonly ends: number }[] = [];
  const walk = (argv: readonly string[], more: Partial<Surroundings> = {}) =>
    remit(argv, { cwd: WALKED, now: new Date('2026-12-20T09:00:00Z'), ...more });
  const read = async <T>(...argv: readonly string[]): Promise<T> =>
    JSON.parse((await walk([...argv, '--json'])).stdout);
  const findings = async () => (await read<{ mismatches: Found[] }>('mismatch', 'list')).mismatches;

  /** Runs a command for people, and keeps what it says. */
  async function say(line: string, { ends = 0, ...more }: Partial<Surroundings> & { readonly ends?: number } = {}) {
    const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const { stdout, stderr, code } = await walk(argv, more);
    said.push({ argv: line, text: stdout + stderr, code, ends });
    return stdout + stderr;
  }

  beforeAll(() => {
    const write = (name: string, content: string) => writeFileSync(path.join(WALKED, name), content);
    write('remit.toml', `${SETTINGS}[approvals]\nwrite_off_above = { USD = "40" }\n`);
    for (const [at, name] of COURIERS.entries()) {
      const letters = name === 'cedar' ? 'ES' : 'PN';
      write(`${name}.csv`, manySheet(letters, '46.43'));
      write(`${name}-again.csv`, manySheet(letters, '45.00'));
      write(`bank-${name}.csv`, manyReceipts(name.toUpperCase(), letters, at));
    }
  });

  it('in what commands print', { timeout: 120_000 }, async () => {
    for (const name of COURIERS) {
      await say(`import settlement ${name}.csv --courier ${name} --dry-run`);
      await say(`import settlement ${name}.csv --courier ${name}`);
      await say(`import receipts bank-${name}.csv`);
    }
    await say('match --dry-run');
    await say('match 2026-10');
    await say('changes --since 2026-10-01');
    for (const name of COURIERS) await say(`import settlement ${name}-again.csv --courier ${name}`);
    await say('changes');
    await say('match list');
    await say('match explain ES-902');
    await say('match list --unmatched');
    await say('check', { ends: 3 });
    await say('check 2026-10 --all', { ends: 3 });
    await say('check 2026-10 --new', { ends: 3 });
    await say('check --as-of 2026-12-20 --all', { ends: 3 });
    await say('night', { ends: 3 });
    await say('doctor');
    await say('mismatch list');
    await say('mismatch list --invoice es-902 --new');
    const listed = await findings();
    const one = (code: string) => listed.find((found) => found.courier === 'cedar' && found.code === code)!.id;
    for (const code of new Set(listed.map((found) => found.code)))
      await say(`show mismatch ${one(code)} --courier cedar`);
    await say(`mismatch show ${one('order-repeated')} --courier pine`, { ends: 2 });
    await say(`mismatch show ${one('invoice-net')} --courier pine`);
    await say('mismatch ack --invoice ES-902 --code payment-overdue --note later --by rana --yes');
    await say(`mismatch resolve ${one('invoice-restated')} --courier cedar --note agreed --by rana`);
    await say(`mismatch reopen ${one('invoice-restated')} --courier cedar --note again --by rana`);

    await say('match add 2 ES-904 --difference other --note "part and more" --by rana');
    await say('match list');
    await say('match remove 3 --reason wrong --by rana');
    await say('match add 2 es-904 --part --by rana');
    await say('match remove 4 --reason again --by rana');
    await say('settle ES-905 --as rounding --amount 0.01 --note cent', { typed: [['settle 1', 'y']] });
    await say('settle ES-904 ES-905 --as write-off --amount 5 --note agreed --by rana');
    await say('settle list');
    await say('settle undo 6 --reason "was paid" --by rana');
    await say('settle PN-902 --as write-off --note agreed --by rana');
    await say('settle PN-902 --as write-off --amount 80 --note agreed --by rana');
    await say('match add 6 PN-904 --difference other --note "much more" --by rana');
    await say('approvals list');
    const { approvals } = await read<{ approvals: { id: number }[] }>('approvals', 'list');
    await say(`approvals refuse ${approvals[1]!.id} --by karim --note no`);
    await say(`approvals approve ${approvals[0]!.id} --by karim`);
    await say('approvals list --all');

    await say('dispute 2026-10 --courier cedar --dry-run');
    await say('dispute 2026-10 --courier cedar --by rana --yes');
    for (const format of ['text', 'html', 'csv', 'xlsx']) {
      await say(`dispute 2026-10 --courier cedar --again --dry-run --format ${format} --out letter.${format}`);
    }
    await say('dispute list');
    const claimed = one('order-repeated');
    await say(`dispute show ${claimed} --courier cedar`);
    await say(`dispute answer ${claimed} --courier cedar --refused --note no --by rana`);
    await say(`dispute write-off ${claimed} --courier cedar --reason small --by rana`);
    await say('dispute withdraw --month 2026-10 --courier cedar --note later --by rana');
    await say('dispute letter --month 2026-10 --courier cedar');

    await say('show invoice ES-903');
    await say('show es-903');
    await say('show order ES2');
    for (const receipt of [1, 2, 3, 4, 6]) await say(`show receipt ${receipt}`);
    await say('evidence ES-903 --diff');
    await say('evidence receipt 3');
    await say('show run 1 --courier cedar');
    await say('statement 2026-10');
    await say('close 2026-10 --by rana --first', { ends: 1 });
    await say('close 2026-10 --by rana --first --with-open "all is known"');
    await say('show close 2026-10');
    await say('statement 2026-10');
    await say('statement --close-pack 2026-10 --out pack');
    await say('verify pack');
    await say('reopen 2026-10 --by rana --reason "a correction"');
    await say('verify --deep');
    await say('rebuild');
    await say('import list');
    await say('report');
    for (const format of ['hledger', 'beancount', 'xero', 'quickbooks']) {
      await say(`report journal 2026-10 --courier cedar --format ${format}`);
    }
    await say('statement 2026-10 --courier pine --format html --out pine.html');
    await say('backup backup.db');
    await say('export parquet parquet');
    await say('courier list');
    await say('import resolutions statements/2026-10-cedar.xlsx --courier cedar --by rana');
    await say('import undo 20 --reason wrong --by rana');
    expect(said.filter(({ code, ends }) => code !== ends)).toEqual([]);
    expect(said.flatMap(({ argv, text }) => (ours(text) === null ? [] : [[argv, ours(text)]]))).toEqual([]);
    const naming = said.filter(({ text }) => /(ES|PN)-90\d/.test(text)).map(({ argv }) => argv);
    for (const command of [
      'match',
      'match list',
      'match add',
      'settle',
      'settle list',
      'approvals list',
      'changes --since',
    ]) {
      expect([command, naming.some((argv) => argv.startsWith(command))]).toEqual([command, true]);
    }
  });

  it('in the files that they write', async () => {
    const files = readdirSync(WALKED, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(xlsx|html|csv|text)$/.test(name),
    );
    const written = files.filter((name) => !/^(bank-)?(cedar|pine)(-again)?\.csv$/.test(name));
    expect(written.length).toBeGreaterThan(9);
    for (const name of written) {
      const bytes = readFileSync(path.join(WALKED, name));
      const text = name.endsWith('.xlsx') ? await cellsOf(bytes) : bytes.toString('utf8');
      expect([name, ours(text)]).toEqual([name, null]);
      if (!name.endsWith('.csv')) expect([name, /(ES|PN)-90\d/.test(text)]).toEqual([name, true]);
    }
  });

  it('in what any other prints: each was run, or names no invoice', () => {
    const all = readFileSync('test/goldens/frozen/commands.txt', 'utf8').match(/(?<=^remit )[a-z].*$/gm)!;
    const groups = all.filter((name) => all.some((other) => other.startsWith(`${name} `)));
    const wanted = all.filter(
      (name) => !NAMELESS.has(name) && !(groups.includes(name) && !/^(match|settle|dispute)$/.test(name)),
    );
    expect(wanted.filter((name) => !said.some(({ argv }) => argv === name || argv.startsWith(`${name} `)))).toEqual([]);
  });

  it('in errors, and in what to do about them', async () => {
    for (const argv of [
      'show invoice ES-9O2',
      'show ES-9O2',
      'evidence ES-9O2',
      'settle ES-999 --as other --note x --by rana',
      'settle ES-901 --as other --note x --by rana',
      'settle ES-905 ES-905 --as other --note x --by rana',
      'settle ES-905 --as other --amount 999 --note x --by rana',
      'settle ES-905 --as rounding --note x --by rana',
      'settle ES-905 --as other --currency EUR --note x --by rana',
      'settle ES-905 PN-905 --as other --note x --by rana',
      'match add 3 ES-999',
      'match add 3 ES-901 --by rana',
      'match add 3 ES-905 ES-905 --by rana',
      'match add 3 ES-905 --rate 2 --by rana',
      'match add 3 PN-905 --by rana',
      'match add 99 ES-905 --by rana',
      'dispute --invoice ES-999 --dry-run',
      'mismatch ack --invoice ES-999 --note x --by rana --yes',
    ]) {
      const text = await say(argv, { ends: 2 });
      expect([argv, ours(text)]).toEqual([argv, null]);
    }
    expect(said.filter(({ code, ends }) => code !== ends)).toEqual([]);
  });

  it('where two couriers number theirs alike: a command asks whose is meant', async () => {
    const settling = 'settle pay-31/10 --as other --amount 1 --note x --by rana';
    expect(await say(settling, { ends: 2 })).toContain('several couriers have invoice pay-31/10: cedar, pine');
    expect(await say(`${settling} --courier pine`)).toContain('1.00 USD of invoice PAY-31/10 as other');
    expect(await say('settle PAY-31/10 PN-903 --as other --amount 0.1 --note x --by rana')).toContain(
      'of invoice PN-903 as',
    );
    expect(await say('show PAY-31/10', { ends: 2 })).toContain('cedar, pine');
    expect(await say('show PAY-31/10 --courier pine')).toContain('Next: `remit evidence PAY-31/10 --diff`');
    expect(said.filter(({ code, ends }) => code !== ends)).toEqual([]);
    expect(said.flatMap(({ argv, text }) => (ours(text) === null ? [] : [[argv, ours(text)]]))).toEqual([]);
    const { settlements } = await read<{ settlements: object[] }>('settle', 'list');
    const alike = { courier: 'pine', invoice_number: 900000007, invoice_number_text: 'PAY-31/10' };
    expect(settlements).toContainEqual(expect.objectContaining(alike));
  });

  describe('the desk', () => {
    let desk: RunningDesk;
    beforeAll(async () => {
      desk = await startDesk([], { cwd: WALKED, now: () => new Date('2026-12-20T09:00:00Z') });
      await desk.enter();
    });
    afterAll(() => desk.stop());

    const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });

    it('on its pages, in English and Arabic', { timeout: 120_000 }, async () => {
      const [found] = (await findings()).filter(({ invoice_number }) => invoice_number === 900000002);
      const { documents } = await desk.json<{ documents: { sha256: string }[] }>('/invoices/ES-902');
      const { claims } = await desk.json<{ claims: { claim: { evidence_id: number } }[] }>('/claims');
      const things: Readonly<Record<string, readonly string[]>> = {
        '/claims/:id': claims.slice(0, 1).map(({ claim }) => String(claim.evidence_id)),
        '/months/:month': ['2026-10'],
        '/mismatches/:id': [`${found!.id}?courier=cedar`],
        '/invoices/:number': ['900000002?courier=cedar', 'PN-903', 'ES-9O3', 'PAY-31%2F10?courier=pine'],
        '/orders/:id': ['ES2?courier=cedar'],
        '/receipts/:id': ['1', '2', '3', '4', '6'],
        '/evidence/:sha256': [documents[0]!.sha256],
        '/runs/:id': ['1?courier=cedar'],
        '/closes/:month': ['2026-10'],
        '/reports/:name': listReports()
          .map(({ name }) => name)
          .filter((name) => name !== 'dashboard' && name !== 'journal'),
      };
      const filled = Object.values(READ_ROUTES).flatMap(({ path: route }) =>
        route.includes(':') ? things[route]!.map((name) => route.replace(/:\w+/, name)) : [route],
      );
      const pages = [
        ...filled,
        '/search?q=es-903',
        '/search?q=46.43',
        '/mismatches?invoice=ES-902',
        '/reports/invoices?invoice=ES-902',
        '/receipts?text=ES-903',
        '/reports/invoices?courier=pine',
      ];
      const shown: (readonly [string, string | null])[] = [];
      for (const address of pages) {
        for (const language of ['en', 'ar']) {
          const { status, text } = await page(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
          expect([address, status]).toEqual([address, address.includes('9O3') ? 404 : 200]);
          shown.push([`${address} ${language}`, ours(visible(text))]);
        }
      }
      expect(shown.filter(([, found]) => found !== null)).toEqual([]);
    });

    it('in its files; its forms take the payout’s own number', { timeout: 60_000 }, async () => {
      for (const address of ['/settlements', '/reports/invoices', '/mismatches', '/rows', '/receipts', '/']) {
        const { status, text } = await page(`${address}?format=csv`);
        expect([address, status, ours(text)]).toEqual([address, 200, null]);
      }
      expect((await page('/settlements?format=csv')).text).toContain('ES-905');
      const settled = await desk.submit('/settlements', {
        invoices: 'es-902, ES-905',
        as: 'other',
        amount: '0.02',
        note: 'cents',
      });
      expect([settled.status, settled.text]).toEqual([303, '']);
      const matched = await desk.submit('/matches', { receipt: '2', invoices: 'ES-902', part: '1', note: 'a part' });
      expect([matched.status, matched.text]).toEqual([303, '']);
      const none = await desk.submit('/settlements', { invoices: 'ES-9O4', as: 'other', note: 'x' });
      expect([none.status, ours(visible(none.text))]).toEqual([422, null]);
      expect(visible(none.text)).toContain('ES-904');
      const { settlements } = await desk.json<{ settlements: object[] }>('/settlements');
      expect(settlements).toContainEqual(
        expect.objectContaining({ courier: 'cedar', invoice_number: 900000002, invoice_number_text: 'ES-902' }),
      );
    });
  });
});

/** What a reader sees or hears of a page: no addresses, no values of fields, and no document as JSON. */
function visible(page: string): string {
  const text = page.replace(/<pre[\s\S]*?<\/pre>/g, ' ').replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ');
  const heard = [...text.matchAll(/\s(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, said]) => said);
  return `${text.replace(/<[^>]*>/g, ' ')}\n${heard.join('\n')}`;
}

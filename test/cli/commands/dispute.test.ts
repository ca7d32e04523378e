import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '../../../src/base/place.ts';
import { openDatabase } from '../../../src/base/sqlite.ts';
import { copyLedger } from '../../../src/ledger/copy.ts';
import { type Outcome, remit, type Surroundings } from '../../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeInvoice,
  invoiceOf,
  KEY,
  type Pair,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasOpenpyxl, readByOpenpyxl } from '../../helpers/office.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { query } from '../../helpers/sync.ts';
import { readWorkbook, sheetText } from '../../helpers/workbook.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

const CODE = 'invoice-cod-total';
const usd = (amount: string): Pair[] => [['USD', amount]];
const FORMULA = '=HYPERLINK("http://x","y")';

/** The header is off its row of 10.00 less 2.00. */
function bill(number: number, cod: string): FakeInvoice {
  const rows = [{ order_id: `A${number}`, cod: usd('10.00'), delivery_fee: usd('2.00') }];
  const net = (Number(cod) - 2).toFixed(2);
  return invoiceOf(number, '2026-10-05T10:00:00+00:00', rows, { cod: usd(cod), net_due_to_merchant: usd(net) });
}

/** An order that is billed twice, with a reference that a spreadsheet would obey. */
function repeated(number: number): FakeInvoice {
  const row = { order_id: 'B', reference_id: FORMULA, cod: [['LBP', '90000.00']] as Pair[], delivery_fee: [] };
  return invoiceOf(number, '2026-10-06T10:00:00+00:00', [row, row]);
}

/** Short by 5.00, over by 0.04, and credited twice. */
beforeEach(() => {
  courier.world.invoices = [bill(1, '5.00'), bill(2, '10.04'), repeated(3)];
});

const now = new Date('2026-11-20T09:00:00Z');
const day = (number: number) => new Date(`2026-11-${number}T09:00:00Z`);

interface Ledger {
  readonly cwd: string;
  readonly place: string;
}

function inFile(): Ledger {
  const cwd = scratchFolder();
  return { cwd, place: path.join(cwd, 'ledger.db') };
}

function at({ cwd, place }: Ledger, argv: readonly string[], more: Partial<Surroundings> = {}): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: place };
  return remit(argv, { cwd, env, now, ...more });
}

async function looked(ledger: Ledger, when = now): Promise<void> {
  expect((await at(ledger, ['sync', '2026-10'], { now: when })).code).toBe(0);
  expect((await at(ledger, ['check', '2026-10'], { now: when })).code).not.toBe(1);
}

async function checked(ledger = inFile()): Promise<Ledger> {
  await looked(ledger);
  return ledger;
}

const json = async (outcome: Promise<Outcome>) => JSON.parse((await outcome).stdout);
const listed = async (ledger: Ledger, ...argv: string[]) =>
  (await json(at(ledger, ['mismatch', 'list', '--status', 'all', ...argv, '--json']))).mismatches;
const idOf = async (ledger: Ledger, invoice: number) => (await listed(ledger, '--invoice', String(invoice)))[0].id;
const claims = async (ledger: Ledger, ...argv: string[]) => json(at(ledger, ['dispute', 'list', ...argv, '--json']));
const stateOf = async (ledger: Ledger, invoice: number) =>
  (await claims(ledger, '--invoice', String(invoice))).claims[0].claim.state;
const verified = async (ledger: Ledger) =>
  expect(await at(ledger, ['verify', '--deep'])).toMatchObject({ code: 0, stderr: '' });

describe('remit dispute', () => {
  it('makes the mail, the sheet and the CSV of a claim, with nothing of ours in them', async () => {
    const ledger = await checked();
    const id = await idOf(ledger, 1);
    await at(ledger, ['mismatch', 'ack', id, '--by', 'Rana', '--note', 'they always do this']);
    const dry = ['dispute', '2026-10', '--dry-run'];
    const mail = (await at(ledger, dry)).stdout;
    expect(mail).toMatchSnapshot('mail');
    expect(Math.max(...mail.split('\n').map(({ length }) => length))).toBeLessThan(80);
    const csv = (await at(ledger, [...dry, '--format', 'csv'])).stdout;
    expect(csv).toMatchSnapshot('csv');
    expect(csv).toContain(`"'=HYPERLINK(""http`);
    const sheet = await json(at(ledger, [...dry, '--format', 'json']));
    expect(sheet.rows.map(({ section, claimed }: Record<string, string>) => [section, claimed])).toEqual([
      ['owed-to-us', '5.00'],
      ['owed-by-us', '0.04'],
      ['owed-by-us', '90000.00'],
    ]);
    for (const text of [mail, csv, JSON.stringify(sheet)]) {
      expect(text).not.toMatch(/Rana|they always|severity|ledger\.db|[0-9a-f]{64}/);
    }
    expect(mail.replace('set courier_title in remit.toml', '')).not.toMatch(
      /invoice-cod-total|order-repeated|[0-9a-f]{16}|_/,
    );
    expect((await claims(ledger)).claims).toEqual([]);
    expect(await listed(ledger, '--invoice', '1')).toMatchObject([{ note: 'they always do this', claim: null }]);
  });

  it.skipIf(!hasOpenpyxl)('writes a workbook in which a reference is text', async () => {
    const ledger = await checked();
    const out = path.join(ledger.cwd, 'claim.xlsx');
    await at(ledger, ['dispute', '2026-10', '--yes', '--out', out]);
    const { Claim: cells } = readByOpenpyxl(readFileSync(out));
    const heads = Object.entries(cells!).flatMap(([name, { value }]) => (/^[A-Z]1$/.test(name) ? [value] : []));
    expect(heads).toMatchObject([
      ...['No.', 'Part', 'Invoice', 'Order', 'Reference', 'Date', 'Currency', 'Due', 'Received', 'Difference'],
      'What is wrong',
    ]);
    const reference = Object.values(cells!).find(({ value }) => String(value).startsWith('=HYPER'));
    expect(reference).toEqual({ value: FORMULA, cached: FORMULA });
    const sums = Object.values(cells!).filter(({ value, cached }) => value !== cached);
    expect(sums.map(({ cached }) => cached)).toEqual([0, 90_000, -90_000, 5, 0.04, 4.96]);
  });

  it('acknowledges what it claims, once', async () => {
    const ledger = await checked();
    const id = await idOf(ledger, 1);
    await at(ledger, ['mismatch', 'ack', id, '--by', 'Rana', '--note', 'asked by phone']);
    const claim = ['dispute', '2026-10', '--by', 'Rana', '--out', path.join(ledger.cwd, 'c.csv'), '--yes', '--json'];
    expect(await json(at(ledger, claim))).toMatchObject({
      claim: expect.any(Number),
      by: 'Rana',
      period: '2026-10',
      totals: [
        { currency: 'LBP', count: 1, owed_to_us: '0.00', owed_by_us: '90000.00', net: '-90000.00' },
        { currency: 'USD', count: 2, owed_to_us: '5.00', owed_by_us: '0.04', net: '4.96' },
      ],
      left: [],
    });
    expect(readFileSync(path.join(ledger.cwd, 'c.csv'), 'utf8')).toContain(`owed-to-us,${id},invoice-cod-total,1,`);
    expect(await listed(ledger)).toMatchObject([
      {
        note: 'asked by phone',
        status: 'acknowledged',
        claim: { state: 'claimed', actor: 'Rana' },
      },
      { note: null, status: 'acknowledged', claim: { at: now.toISOString() } },
      { note: null, status: 'acknowledged', claim: { at: now.toISOString() } },
    ]);
    const again = await at(ledger, ['dispute', '2026-10', '--yes'], { now: day(21) });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain(`warning: ${id} is claimed on 2026-11-20 by Rana: --again takes it too`);
    expect(again.stderr).toContain('there is nothing to claim');
    expect((await at(ledger, ['dispute', id], { now: day(21) })).code).toBe(1);
    const second = await at(ledger, ['dispute', id, '--again'], { now: day(21) });
    expect(second.stdout).toContain('We asked for this on 2026-11-20 already.');
    expect(await listed(ledger, '--invoice', '1')).toMatchObject([
      { note: 'asked by phone', claim: { at: '2026-11-21T09:00:00.000Z' } },
    ]);
    expect((await at(ledger, ['report', 'mismatches', '2026-10', '--format', 'csv'])).stdout).toContain(
      'claimed 2026-11-21',
    );
    await verified(ledger);
  });

  it('asks before it claims by a filter, and claims nothing where the file cannot be written', async () => {
    const ledger = await checked();
    expect(await at(ledger, ['dispute', '2026-10'])).toMatchObject({ code: 2, stdout: '' });
    const no = await at(ledger, ['dispute', '--currency', 'USD'], { typed: [['claim 2? y/n', 'n']] });
    expect(no.stderr).toContain('USD: owed to us 5.00 USD, owed by us 0.04 USD, net 4.96 USD owed to us');
    expect(no.stderr).toContain('nothing was claimed');
    const nowhere = path.join(ledger.cwd, 'none', 'c.xlsx');
    expect((await at(ledger, ['dispute', '2026-10', '--yes', '--out', nowhere])).code).toBe(1);
    expect(
      (
        await at(ledger, [
          'dispute',
          '2026-10',
          '--yes',
          '--out',
          path.join(ledger.cwd, 'ledger.db'),
          '--format',
          'csv',
        ])
      ).code,
    ).toBe(1);
    expect((await claims(ledger)).claims).toEqual([]);
    const yes = await at(ledger, ['dispute', '--currency', 'USD', '--short'], { typed: [['claim 1? y/n', 'y']] });
    expect(yes.stdout).toContain('Due 5.00 USD, received 0.00 USD, difference 5.00 USD.');
    expect((await claims(ledger)).claims).toHaveLength(1);
  });

  it('refuses what is no claim', async () => {
    const ledger = await checked();
    const refusal = async (...argv: string[]) => (await at(ledger, ['dispute', ...argv])).stderr;
    expect(await refusal()).toContain('or give a period, --code');
    expect(await refusal('--code', 'duplicate-reference')).toContain('is no claim on the delivery company');
    expect(await refusal('2026-10', 'abcd')).toContain('a period was given together with other words');
    expect(await refusal('4821')).toContain('no mismatch');
    expect(await refusal('2026-13')).toContain('there is no month 13');
    expect(await refusal('2026-10', '--out', 'c.pdf')).toContain('says no format');
    const id = await idOf(ledger, 1);
    await at(ledger, ['mismatch', 'resolve', id, '--note', 'agreed']);
    expect(await at(ledger, ['dispute', id])).toMatchObject({ code: 1, stdout: '' });
    expect(await refusal('answer', id, '--note', 'no')).toContain('was never claimed');
  });
});

const rowsOf = (file: string) => ({
  claim: query(file, 'select * from claim order by mismatch_id'),
  claim_event: query(file, 'select * from claim_event order by mismatch_id, evidence_id'),
});

/** The life of three claims: one is mended in two steps, one given up and taken up again, one settled. */
async function live(ledger: Ledger): Promise<void> {
  const [short, over, twice] = [await idOf(ledger, 1), await idOf(ledger, 2), await idOf(ledger, 3)];
  await at(ledger, ['dispute', '2026-10', '--by', 'Rana', '--yes']);
  const refused = [
    'dispute',
    'answer',
    short.slice(0, 8),
    '--refused',
    '--note',
    'our system is right',
    '--by',
    'Rana',
  ];
  expect((await at(ledger, refused, { now: day(22) })).stdout).toContain('answered (refused) on 2026-11-22');
  courier.world.invoices[0] = bill(1, '8.00');
  await looked(ledger, day(23));
  expect(await stateOf(ledger, 1)).toBe('mended-in-part');
  expect(await listed(ledger, '--invoice', '1', '--code', CODE)).toMatchObject([{ status: 'open', effect: '-2.00' }]);
  // The letter still claims the rest: without --again no second one does.
  expect((await at(ledger, ['dispute', short, '--dry-run'], { now: day(24) })).stderr).toContain(
    '--again takes it too',
  );
  const again = ['dispute', '--invoice', '1', '--again', '--by', 'Rana', '--yes'];
  const rest = await at(ledger, again, { now: day(24) });
  expect(rest.stdout).toContain('Owed to us in all: 2.00 USD.');
  courier.world.invoices[0] = bill(1, '10.00');
  await looked(ledger, day(25));
  expect(await stateOf(ledger, 1)).toBe('mended');

  const giveUp = ['dispute', 'write-off', over, '--by', 'Sami', '--reason', 'four cents'];
  expect((await at(ledger, giveUp, { now: day(25) })).stderr).toBe('');
  expect(await listed(ledger, '--invoice', '2')).toMatchObject([{ status: 'resolved', note: 'four cents' }]);
  expect((await at(ledger, giveUp, { now: day(25) })).stderr).toContain('it is written-off since 2026-11-25');
  await at(ledger, ['mismatch', 'resolve', twice, '--by', 'Sami', '--note', 'credited in cash'], { now: day(26) });
}

describe('the life of a claim', () => {
  it('is claimed, answered, mended in part, mended, written off or settled, and nothing of it is silent', async () => {
    const ledger = await checked();
    const [short, over] = [await idOf(ledger, 1), await idOf(ledger, 2)];
    await live(ledger);
    expect((await at(ledger, ['dispute', 'list'])).stdout.replaceAll(/^[0-9a-f]{16}/gm, 'ID')).toMatchSnapshot();
    expect((await at(ledger, ['dispute', 'show', short])).stdout.replaceAll(short, 'ID')).toMatchSnapshot();
    expect((await at(ledger, ['mismatch', 'show', over])).stdout).toContain('written off by Sami: four cents');
    // What was given up stays in the bridge, and out of what the merchant is short.
    const { bridge } = await json(at(ledger, ['check', '2026-10', '--json'], { now: day(26) }));
    expect(bridge.find((line: { currency: string }) => line.currency === 'USD')).toMatchObject({
      short: '0.00',
      steps: [{ code: 'invoice-cod-total', effect: '0.04' }],
    });
    await verified(ledger);
    // The statement tells of it where people work, and apart from what is open; the sheet comes back as any other.
    expect((await at(ledger, ['statement', '2026-10', '--out', 's.xlsx'], { now: day(26) })).stderr).not.toContain(
      'error',
    );
    const { sheets } = await readWorkbook(readFileSync(path.join(ledger.cwd, 's.xlsx')));
    expect(sheetText(sheets.get('Mismatches')!)).toContain('written off 2026-11-25');
    expect(sheetText(sheets.get('Summary')!)).toContain('Claimed and written off');
    const summary = [...sheets.get('Summary')!.values()].find(({ formula }) =>
      /SUMIFS.*"written off\*".*"USD"/.test(formula ?? ''),
    );
    expect(Number(summary?.value)).toBe(0.04);
    expect((await at(ledger, ['import', 'resolutions', 's.xlsx'], { now: day(26) })).code).toBe(0);

    await at(ledger, ['mismatch', 'reopen', over, '--note', 'they do it every month'], { now: day(27) });
    expect(await stateOf(ledger, 2)).toBe('changed');
    courier.world.invoices[0] = bill(1, '5.00');
    await looked(ledger, day(28));
    expect(await stateOf(ledger, 1)).toBe('changed');
    await verified(ledger);

    const asOf = async (when: string) =>
      (
        await json(
          at(ledger, ['report', 'mismatches', '2026-10', '--invoice', '1', '--code', CODE, '--as-of', when, '--json']),
        )
      ).rows;
    expect(await asOf('2026-11-20')).toMatchObject([{ status: 'acknowledged', claim: 'claimed 2026-11-20' }]);
    expect(await asOf('2026-11-22')).toMatchObject([{ claim: 'answered (refused) 2026-11-22' }]);
    expect(await asOf('2026-11-23')).toMatchObject([{ status: 'open', claim: 'mended in part 2026-11-23' }]);
  });

  it('is in the chain: what is edited is named by table', async () => {
    const ledger = await checked();
    await live(ledger);
    const edits = [
      ['claim ', "update claim set effect = '-500.00' where currency = 'USD'"],
      ['claim ', "update claim set state = 'answered' where state = 'mended'"],
      ['claim_event ', "update claim_event set note = 'x'"],
      ['claim_event ', 'delete from claim_event where answer is not null'],
    ] as const;
    for (const [table, edit] of edits) {
      const file = path.join(scratchFolder(), 'ledger.db');
      copyFileSync(ledger.place, file);
      const db = openDatabase(file);
      const of = "select name from sqlite_master where type = 'trigger' and tbl_name = 'claim_event'";
      for (const { name } of db.prepare<[], { name: string }>(of).all()) db.exec(`drop trigger "${name}"`);
      db.exec(edit);
      db.close();
      const { problems } = await json(at({ ...ledger, place: file }, ['verify', '--json']));
      const places = (problems as { where: string }[]).map(({ where }) => where);
      expect(
        places.some((place) => place.startsWith(table)),
        edit,
      ).toBe(true);
    }
  });

  it.skipIf(!hasPostgres)('is the same on PostgreSQL', async () => {
    const file = await checked();
    await live(file);
    courier.world.invoices = [bill(1, '5.00'), bill(2, '10.04'), repeated(3)];
    const { url } = await newDatabase();
    const server = await checked({ cwd: scratchFolder(), place: url });
    await live(server);
    const copy = path.join(scratchFolder(), 'copy.db');
    await copyLedger(placeOf(url, server.cwd), { kind: 'file', file: copy });
    const [here, there] = [rowsOf(file.place), rowsOf(copy)];
    expect(there).toEqual(here);
    expect(here.claim).toHaveLength(5);
    await verified(server);
  });

  it('is told by a night when no answer comes', async () => {
    const ledger = await checked();
    await at(ledger, ['dispute', '2026-10', '--yes']);
    const night = (number: number) =>
      at(ledger, ['night', '--quiet', '--fail-on', 'never'], { now: new Date(Date.UTC(2026, 10, number, 9)) });
    await night(21);
    expect((await night(33)).stdout).toBe('');
    const late = await night(34);
    expect(late.stdout).toContain('3 claims unanswered');
    expect(late.stdout).toContain('3 claims not answered within 14 days, the oldest of 2026-11-20');
    expect((await night(35)).stdout).toBe('');
    expect((await night(41)).stdout).toContain('3 claims unanswered');
  });
});

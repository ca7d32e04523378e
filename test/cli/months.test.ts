import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { readWorkbook, sheetText } from '../helpers/workbook.ts';

const MAPS = `[maps.plain]
kind = "settlement"
currency = "USD"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", cod = "COD", fee = "Fee" }
`;
const CEDAR = '[couriers.cedar]\nkind = "files"\nmap = "plain"\npayers = ["CEDAR"]\n';
const NOW = new Date('2026-12-05T09:00:00Z');

const sheet = (...lines: string[]) => `Payout,Date,Status,AWB,COD,Fee\n${lines.join('\n')}\n`;
const neverSynced = (month: string) => `it was never synced; run \`remit sync ${month}\``;
const bank = (...lines: string[]) => `date,amount,currency,text\n${lines.join('\n')}\n`;

/** Payouts of 1,280.00 in October, of which 990.00 come in November, and no sheet of November. */
async function sheetsCourier(others = '', ledger = ''): Promise<OwnBooks> {
  const books = ownBooks('', NOW);
  books.file('remit.toml', `${ledger}time_zone = "UTC"\n${others}${CEDAR}${MAPS}`);
  await importSheet(books);
  await importBank(books);
  return books;
}

function importSheet(books: OwnBooks, now = NOW) {
  const lines = sheet('41,2026-10-20,Pending,C-1,900.00,20.00', '42,2026-10-27,Pending,C-2,410.00,10.00');
  return books.json(['import', 'settlement', books.file('october.csv', lines), '--courier', 'cedar'], { now });
}

function importBank(books: OwnBooks, now = NOW) {
  const lines = bank(
    '2026-10-21,0.50,USD,SHOP SUPPLIES',
    '2026-11-12,990.00,USD,CEDAR PAYOUT',
    '2026-11-30,-1.00,USD,BANK FEE',
  );
  return books.json(['import', 'receipts', books.file('bank.csv', lines)], { now });
}

interface Reported {
  rows: Record<string, unknown>[];
  notes: string[];
}

const NOVEMBER = { period: '2026-11', currency: 'USD', opening: '1280.00', unallocated: '-990.00', closing: '290.00' };

it('couriers that begin in different months are checked for all of their months', async () => {
  const books = await sheetsCourier('[couriers.olive]\nkind = "files"\nmap = "plain"\n');
  const august = sheet('7,2026-08-20,Paid,O-1,90.00,2.00');
  await books.json(['import', 'settlement', books.file('august.csv', august), '--courier', 'olive']);
  const { stdout } = await books.remit(['check', '--json']);
  expect(JSON.parse(stdout).period).toBe('2026-08..2026-11');
});

it('months without a list are checked, and said to be incomplete, up to a delivery that is not invoiced', async () => {
  const courier = await startFakeCourier({
    invoices: [invoiceOf(10001, '2026-08-05T10:00:00+00:00', [], { status: 'PENDING_PAYMENT' })],
    orders: [
      {
        order_id: 'A',
        workflow: 'STANDARD',
        cod: [['USD', '50.00']],
        delivery_fee: [['USD', '5.00']],
        delivery_state: 'DELIVERED',
        payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
        merchant_invoice: null,
        statestamps: [
          {
            delivery_state: 'DELIVERED',
            payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
            timestamp: '2026-11-03T10:00:00+00:00',
          },
        ],
      },
    ],
  });
  onTestFinished(() => courier.close());
  const books = ownBooks('', NOW);
  books.file('remit.toml', `time_zone = "UTC"\napi_url = "${courier.url}"\napi_key_command = "echo ${KEY}"\n`);
  await books.remit(['sync', '2026-08', '--orders']);
  const { stdout } = await books.remit(['check', '--json']);
  const { period, incomplete } = JSON.parse(stdout);
  expect(period).toBe('2026-08..2026-11');
  const never = ['2026-09', '2026-10', '2026-11'].map((month) => ({ period: month, why: neverSynced(month) }));
  expect(incomplete).toMatchObject(never);
});

describe('a courier of sheets without a sheet in the month', () => {
  it('has its line in every report of the month, of a range, and of all months', async () => {
    const books = await sheetsCourier();
    for (const period of [['2026-11'], ['2026-10..2026-11'], []]) {
      const { rows, notes } = await books.json<Reported>(['report', 'roll-forward', ...period]);
      expect(rows.filter((row) => row.period === '2026-11')).toMatchObject([NOVEMBER]);
      expect(notes.join('\n')).toContain('No settlement sheet covers 2026-11');
      expect(notes.join('\n')).toContain('remit import settlement FILE');
      expect(notes.join('\n')).not.toContain('remit sync');
    }
    const totals = await books.json<Reported>(['report', 'totals', '2026-11']);
    expect(totals.rows).toMatchObject([{ period: '2026-11', currency: 'USD', invoices: 0, outstanding: '0.00' }]);
    const open = await books.json<Reported>(['report', 'open-items', '2026-11']);
    expect(open.rows.map((row) => row.open)).toEqual(['880.00', '400.00', '-990.00']);
    const ageing = await books.json<Reported & { totals: unknown[] }>(['report', 'ageing', '2026-11']);
    expect(ageing.totals).toMatchObject([{ open: '290.00' }]);
    const dashboard = await books.json<Reported>(['report', 'dashboard', '2026-11']);
    expect(dashboard.rows.find(({ figure }) => figure === 'closing')).toMatchObject({ amount: '290.00' });
    expect(JSON.stringify(dashboard)).not.toContain('remit sync');
    for (const { name } of REPORTS.filter(({ needsPeriod }) => needsPeriod)) {
      const { code, stderr } = await books.remit(['report', name, '2026-11', '--json']);
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    }
  });

  it('is incomplete there: no sheet covers it, and a sheet is what is missing', async () => {
    const books = await sheetsCourier();
    for (const asked of [['2026-11'], []]) {
      const checked = await books.remit(['check', ...asked, '--json']);
      expect(checked.code).toBe(1);
      expect(JSON.parse(checked.stdout).incomplete).toMatchObject([
        { period: '2026-11', why: 'no settlement sheet covers it; run `remit import settlement FILE`' },
      ]);
      expect(checked.stdout).not.toContain('remit sync');
    }
    // The month is not over yet: its sheet is not late.
    const during = await books.remit(['check', '--json'], { now: new Date('2026-11-20T09:00:00Z') });
    expect(JSON.parse(during.stdout).incomplete).toEqual([]);
  });

  it('has a statement, alone, in a range and of all, whose closing is that of the roll-forward and the journal', async () => {
    const books = await sheetsCourier();
    const own = await said<{ figures: unknown[] }>(books, ['statement', '2026-11']);
    expect(own.figures).toMatchObject([{ currency: 'USD', closing: '290.00', net_due_to_merchant: '0.00' }]);
    const range = await books.remit(['statement', '--from', '2026-10', '--to', '2026-11', '--json']);
    expect(JSON.parse(range.stdout)).toMatchObject({
      failed: [],
      statements: [{ month: '2026-10' }, { month: '2026-11' }],
    });
    for (const format of ['html', 'xlsx']) {
      expect((await books.remit(['statement', '2026-11', '--format', format])).code).toBe(0);
    }
    const journal = await books.json<Reported>(['report', 'journal', '2026-10..2026-11']);
    expect(receivableOf(journal.rows)).toBe('290.00');
    const november = await books.json<Reported>(['report', 'journal', '2026-11']);
    expect(receivableOf(november.rows)).toBe('-990.00');
    expect((await books.remit(['report', 'journal', '2026-11', '--format', 'hledger'])).code).toBe(0);
  });

  it('is closed with what is missing, and every surface shows the figure that was frozen', async () => {
    const books = await sheetsCourier();
    expect((await books.remit(['close', '2026-10', '--first', '--by', 'R', '--with-open', 'known'])).code).toBe(0);
    const refused = await books.remit(['close', '2026-11', '--by', 'R', '--json']);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('import settlement FILE') });
    const reasons: { code: string; why: string; remedy: string }[] = JSON.parse(refused.stdout).reasons;
    expect(reasons.filter(({ code }) => code === 'incomplete')).toMatchObject([
      { why: expect.stringContaining('no settlement sheet covers it') },
    ]);
    const closed = await books.json<{ figures: { roll_forward: unknown[] } }>([
      'close',
      '2026-11',
      '--by',
      'R',
      '--with-open',
      'the sheet is late',
    ]);
    expect(closed.figures.roll_forward).toMatchObject([{ currency: 'USD', opening: '1280.00', closing: '290.00' }]);
    // What comes later moves no figure of it.
    await books.json([
      'import',
      'receipts',
      books.file('more.csv', bank('2026-11-20,90.00,USD,CEDAR PAYOUT', '2026-12-01,7.00,USD,CEDAR PAYOUT')),
    ]);
    const { rows } = await books.json<Reported>(['report', 'roll-forward', '2026-11']);
    expect(rows).toMatchObject([NOVEMBER]);
    const all = await books.json<Reported>(['report', 'roll-forward']);
    expect(all.rows.at(-1)).toMatchObject({ period: '2026-12', opening: '290.00', closing: '193.00' });
    const own = await said<{ figures: unknown[] }>(books, ['statement', '2026-11']);
    expect(own.figures).toMatchObject([{ currency: 'USD', closing: '290.00' }]);
    await books.verify();
  });
});

describe('couriers of which one lacks the month', () => {
  /** Swift's API has October and November; cedar sends a sheet of October, and pays in November. */
  async function twoCouriers(ledger = ''): Promise<{ books: OwnBooks; courier: FakeCourier }> {
    const courier = await startFakeCourier({
      invoices: [
        invoiceOf(
          10001,
          '2026-10-05T10:00:00+00:00',
          [{ order_id: 'A', cod: [['USD', '50.00']], delivery_fee: [['USD', '5.00']] }],
          { status: 'PENDING_PAYMENT' },
        ),
        invoiceOf(
          10002,
          '2026-11-05T10:00:00+00:00',
          [{ order_id: 'B', cod: [['LBP', '900000.00']], delivery_fee: [['LBP', '0.00']] }],
          { status: 'PENDING_PAYMENT' },
        ),
      ],
    });
    onTestFinished(() => courier.close());
    const swift = `[couriers.swift]\napi_url = "${courier.url}"\napi_key_command = "echo ${KEY}"\npayers = ["SWIFT"]\n`;
    const books = await sheetsCourier(swift, ledger);
    await books.remit(['sync', '2026-10..2026-11']);
    return { books, courier };
  }

  it('have their lines side by side in reports, statements, the index, the desk’s JSON and the dashboard', async () => {
    const { books } = await twoCouriers();
    const { rows } = await books.json<Reported>(['report', 'roll-forward', '2026-11']);
    expect(rows).toMatchObject([
      { courier: 'cedar', ...NOVEMBER },
      { courier: 'swift', currency: 'LBP', opening: '0.00', closing: '900000.00' },
      { courier: 'swift', currency: 'USD', opening: '45.00', closing: '45.00' },
    ]);
    // Of a currency that comes later the line is there from the first month on.
    const october = await books.json<Reported>(['report', 'roll-forward', '2026-10']);
    expect(october.rows.map(({ courier, currency, closing }) => [courier, currency, closing])).toEqual([
      ['cedar', 'USD', '1280.00'],
      ['swift', 'LBP', '0.00'],
      ['swift', 'USD', '45.00'],
    ]);
    const all = await said<{ couriers: { courier: string; figures: unknown[] }[] }>(books, [
      'statement',
      '2026-11',
      '--all',
    ]);
    expect(all.couriers).toMatchObject([
      { courier: 'cedar', figures: [{ currency: 'USD', closing: '290.00' }] },
      {
        courier: 'swift',
        figures: [
          { currency: 'LBP', closing: '900000.00' },
          { currency: 'USD', closing: '45.00' },
        ],
      },
    ]);
    const index = await readWorkbook(readFileSync(path.join(books.folder, 'statements', '2026-11-index.xlsx')));
    expect([...index.sheets.values()].map(sheetText).join('\n')).toMatch(/"cedar"\nB2 "USD"\n(?:.*\n)*?H2 "290"/);
    const dashboard = await books.json<Reported>(['report', 'dashboard', '2026-11']);
    expect(dashboard.rows.filter(({ section, figure }) => section === 'balance' && figure === 'closing')).toMatchObject(
      [
        { courier: 'cedar', amount: '290.00' },
        { courier: 'swift', currency: 'LBP', amount: '900000.00' },
        { courier: 'swift', currency: 'USD', amount: '45.00' },
      ],
    );
  });

  it('have the month of a sync that failed as well: its opening, what came in, its closing', async () => {
    const { books, courier } = await twoCouriers();
    courier.world.intercept = (_request, response) => {
      response.writeHead(500).end();
      return true;
    };
    await books.remit(['sync', '2026-12'], { now: new Date('2026-12-28T09:00:00Z') });
    await books.json([
      'import',
      'receipts',
      books.file('december.csv', bank('2026-12-20,45.00,USD,SWIFT 10001', '2026-12-21,10.00,USD,CEDAR PAYOUT')),
    ]);
    const { rows, notes } = await books.json<Reported>(['report', 'roll-forward', '2026-12']);
    expect(rows).toMatchObject([
      { courier: 'cedar', opening: '290.00', closing: '280.00' },
      { courier: 'swift', currency: 'LBP', opening: '900000.00', closing: '900000.00' },
      { courier: 'swift', currency: 'USD', opening: '45.00', received: '-45.00', closing: '0.00' },
    ]);
    expect(notes.join('\n')).toContain('swift: The last sync of 2026-12 did not bring every invoice');
    expect(notes.join('\n')).toContain('`remit sync 2026-12`');
    expect(notes.join('\n')).toContain('cedar: No settlement sheet covers 2026-12');
  });

  it('that joined since a close have no line before their first month', async () => {
    const books = await sheetsCourier();
    await books.remit(['close', '2026-10', '--first', '--by', 'R', '--with-open', 'known']);
    books.file('remit.toml', `time_zone = "UTC"\n${CEDAR}[couriers.pine]\nkind = "files"\nmap = "plain"\n${MAPS}`);
    await books.json([
      'import',
      'settlement',
      books.file('pine.csv', sheet('7,2026-12-02,Pending,P-1,20.00,1.00')),
      '--courier',
      'pine',
    ]);
    const { rows } = await books.json<Reported>(['report', 'roll-forward']);
    expect(rows.map(({ courier, period, closing }) => [courier, period, closing])).toEqual([
      ['cedar', '2026-10', '1280.00'],
      ['cedar', '2026-11', '290.00'],
      ['cedar', '2026-12', '290.00'],
      ['pine', '2026-12', '19.00'],
    ]);
    const october = await books.json<Reported>(['report', 'roll-forward', '2026-10']);
    expect(october.rows).toMatchObject([{ courier: 'cedar', closing: '1280.00' }]);
  });

  it('have a line where nothing but a write-off or an advance is in the month', async () => {
    const books = await sheetsCourier();
    await books.json(['import', 'receipts', books.file('advance.csv', bank('2026-08-05,100.00,USD,CEDAR ADVANCE'))]);
    await books.json([
      'settle',
      '42',
      '--as',
      'write-off',
      '--amount',
      '3.00',
      '--note',
      'small',
      '--by',
      'R',
      '--yes',
    ]);
    const { rows } = await books.json<Reported>(['report', 'roll-forward']);
    expect(rows.map(({ period, opening, differences, closing }) => [period, opening, differences, closing])).toEqual([
      ['2026-08', '0.00', '0.00', '-100.00'],
      ['2026-09', '-100.00', '0.00', '-100.00'],
      ['2026-10', '-100.00', '0.00', '1180.00'],
      ['2026-11', '1180.00', '0.00', '190.00'],
      ['2026-12', '190.00', '-3.00', '187.00'],
    ]);
    const past = await books.remit(['report', 'roll-forward', '2026-07']);
    expect(past).toMatchObject({ code: 1, stderr: expect.stringContaining('no settlement sheet covers 2026-07') });
    await books.verify();
  });

  it('are shown as they were known at an instant', async () => {
    const books = ownBooks('', NOW);
    books.file('remit.toml', `time_zone = "UTC"\n${CEDAR}${MAPS}`);
    await importSheet(books, new Date('2026-11-02T09:00:00Z'));
    await importBank(books, new Date('2026-12-01T09:00:00Z'));
    const before = await books.remit(['report', 'roll-forward', '2026-11', '--as-of', '2026-11-20']);
    expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('no settlement sheet covers 2026-11') });
    const after = await books.json<Reported>(['report', 'roll-forward', '2026-11', '--as-of', '2026-12-02']);
    expect(after.rows).toMatchObject([NOVEMBER]);
  });

  it.skipIf(!hasPostgres)('are the same in a shared ledger', async () => {
    const { url } = await newDatabase();
    const { books: shared } = await twoCouriers(`ledger = "${url}"\n`);
    const { books: alone } = await twoCouriers();
    for (const report of ['roll-forward', 'journal']) {
      const [one, other] = [shared, alone].map((books) => books.json<Reported>(['report', report]));
      expect((await one!).rows).toEqual((await other!).rows);
    }
    const closes = [];
    for (const books of [shared, alone]) {
      expect((await books.remit(['close', '2026-10', '--first', '--by', 'R', '--with-open', 'known'])).code).toBe(0);
      const { couriers } = await books.json<{ couriers: { figures: unknown }[] }>([
        'close',
        '2026-11',
        '--by',
        'R',
        '--with-open',
        'late',
      ]);
      closes.push(couriers.map(({ figures }) => figures));
      await books.verify();
    }
    expect(closes[0]).toEqual(closes[1]);
    expect(closes[0]).toMatchObject([
      { roll_forward: [{ currency: 'USD', closing: '290.00' }] },
      { roll_forward: [{ currency: 'LBP' }, { currency: 'USD' }] },
    ]);
  });
});

describe('books whose only sheet was taken back', () => {
  it('say that a sheet is what is missing', async () => {
    const books = await sheetsCourier();
    const { imports } = await books.json<{ imports: { id: number }[] }>(['import', 'list']);
    await books.json(['import', 'undo', String(imports[0]!.id), '--reason', 'not ours']);
    for (const argv of [['report', 'totals'], ['report', 'totals', '2026-10'], ['check'], ['check', '2026-10']]) {
      const { stdout, stderr } = await books.remit(argv);
      expect(`${stdout}${stderr}`).toContain('import settlement FILE');
      expect(`${stdout}${stderr}`).not.toContain('remit sync');
    }
  });
});

/** What a command prints that has something to warn of. */
async function said<T>(books: OwnBooks, argv: readonly string[]): Promise<T> {
  return JSON.parse((await books.remit([...argv, '--json'])).stdout);
}

/** What the rows of a journal leave of the courier's receivable and the receipts that no invoice explains. */
function receivableOf(rows: readonly Record<string, unknown>[]): string {
  const own = rows.filter(({ account }) => /^(Courier receivable|Unallocated receipts)$/.test(String(account)));
  const cents = (cell: unknown) => Math.round(Number(cell ?? 0) * 100);
  return (own.reduce((sum, { debit, credit }) => sum + cents(debit) - cents(credit), 0) / 100).toFixed(2);
}

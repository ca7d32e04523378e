import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeInvoice, type FakeOrder, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { CEDAR, cedar, PAYOUT_118, TOTAL_118 } from '../helpers/settlements.ts';
import { syncInto } from '../helpers/sync.ts';
import { readWorkbook, sheetText } from '../helpers/workbook.ts';

/** A delivery and a return, whose COD is taken off the header's. */
function deducted(number: number): FakeInvoice {
  return invoiceOf(
    number,
    '2026-10-05T10:00:00+00:00',
    [
      { order_id: `S${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] },
      { order_id: `R${number}`, workflow: 'RETURN', cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] },
    ],
    { cod: [['USD', '15.00']], delivery_fee: [['USD', '3.00']], net_due_to_merchant: [['USD', '12.00']] },
  );
}

/** What is off its one row of 10.00 less 2.00, so that there is something to claim. */
const SHORT = invoiceOf(
  9,
  '2026-10-06T10:00:00+00:00',
  [{ order_id: 'A9', cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] }],
  { cod: [['USD', '5.00']], net_due_to_merchant: [['USD', '3.00']] },
);

async function booksOf(
  { invoices, orders = [] }: { invoices: FakeInvoice[]; orders?: FakeOrder[] },
  toml = '',
): Promise<OwnBooks> {
  const courier = await startFakeCourier({ invoices, orders });
  onTestFinished(() => courier.close());
  const books = ownBooks(toml);
  await syncInto(path.join(books.folder, 'ledger.db'), courier, { orders: orders.length > 0 });
  return books;
}

/** The lines of `doctor` about returns. */
async function doctorOf(books: OwnBooks): Promise<{ ok: boolean; message: string; remedy: string | null }[]> {
  const { stdout } = await books.remit(['doctor', '--json'], { env: { REMIT_API_KEY: KEY } });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string; remedy: string }[] };
  return checks.filter(({ name }) => name === 'returns').map(({ ok, message, remedy }) => ({ ok, message, remedy }));
}

describe('which convention holds for RETURN orders, and why', () => {
  it('is said by doctor, by the statement, and by the claim as text, page and sheet', async () => {
    const books = await booksOf({ invoices: [deducted(1), deducted(2), deducted(3), SHORT] });
    const why = 'deducted, learnt from 3 invoices with RETURN orders';
    expect(await doctorOf(books)).toEqual([{ ok: true, message: why, remedy: null }]);

    expect((await books.remit(['check', '2026-10'])).code).toBe(3);
    expect((await books.remit(['statement', '2026-10', '--format', 'html'])).code).toBe(0);
    const page = readFileSync(path.join(books.folder, 'statements', '2026-10.html'), 'utf8');
    expect(page).toContain('How the courier counts returns');
    expect(page).toContain(why);

    const claim = (...more: string[]) =>
      books.remit(['dispute', '2026-10', '--code', 'invoice-cod-total', '--dry-run', ...more]);
    const said = 'What RETURN orders cost is counted as deducted, as your invoices show it.';
    expect((await claim()).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
    expect((await claim('--format', 'html')).stdout).toContain(`<p>${said}</p>`);
    expect((await claim('--lang', 'ar')).stdout.replaceAll(/\s+/g, ' ')).toContain('تُخصم من المحصَّل');
    await claim('--format', 'xlsx', '--out', 'claim.xlsx');
    const { sheets } = await readWorkbook(readFileSync(path.join(books.folder, 'claim.xlsx')));
    expect([...sheets.values()].map(sheetText).join(' ')).toContain(said);
  });

  it('leaves the total of a net empty while nobody knows it', async () => {
    // The header's COD follows from no convention.
    const unlike = { ...deducted(1), cod: [['USD', '77.00']] as [string, string][] };
    const books = await booksOf({ invoices: [unlike, SHORT] });
    type Figures = { rows: { by: string; net: string | null }[]; totals: { cod: string; net: string | null }[] };
    const { rows, totals } = await books.json<Figures>(['report', 'returns', '2026-10']);
    expect(rows.filter(({ by, net }) => by === 'district' && net === null)).toHaveLength(1);
    expect(totals).toMatchObject([{ net: null }]);
    expect(Number(totals[0]!.cod)).toBeGreaterThan(0);
  });

  it('is not said in a claim on a courier without returns', async () => {
    const books = await booksOf({ invoices: [SHORT] });
    await books.remit(['check', '2026-10']);
    const { stdout } = await books.remit(['dispute', '2026-10', '--dry-run']);
    expect(stdout).toContain('Claim for October 2026');
    expect(stdout).not.toContain('RETURN');
    expect(await doctorOf(books)).toEqual([]);
  });

  it("is each courier's own, by its own setting", async () => {
    const toml = `${CEDAR}[couriers.cedar]\nkind = "files"\nmap = "cedar"\nreturns = "as-stated"\n`;
    const books = await booksOf({ invoices: [deducted(1), deducted(2), deducted(3)] }, toml);
    const sheet = books.file('october.csv', cedar(...PAYOUT_118, TOTAL_118));
    await books.json(['import', 'settlement', sheet, '--courier', 'cedar']);
    const messages = (await doctorOf(books)).map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages).toContain('cedar: as-stated, set in remit.toml');
    expect(messages.find((message) => !message.startsWith('cedar'))).toMatch(
      /^[a-z-]+: deducted, learnt from 3 invoices with RETURN orders$/,
    );
  });
});

it('no RETURN row is expected of an exchange, which brings one parcel back on a delivery', async () => {
  const exchange: FakeOrder = {
    order_id: 'X1',
    created_at: '2026-10-01T08:00:00+00:00',
    reference_id: '',
    workflow: 'STANDARD',
    is_exchange: true,
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice: 1,
    cod: [['USD', '25.00']],
    delivery_fee: [['USD', '3.00']],
    statestamps: [
      {
        delivery_state: 'DELIVERED',
        payment_state: 'PENDING_PAYMENT_BY_DRIVER',
        timestamp: '2026-10-03T08:00:00+00:00',
      },
    ],
  };
  const row = {
    order_id: 'X1',
    cod: exchange.cod as [string, string][],
    delivery_fee: exchange.delivery_fee as [string, string][],
  };
  const books = await booksOf({ invoices: [invoiceOf(1, '2026-10-05T10:00:00+00:00', [row])], orders: [exchange] });
  const { mismatches } = await books.json<{ mismatches: object[] }>(['check', '2026-10']);
  expect(mismatches).toEqual([]);
  expect(await doctorOf(books)).toEqual([]);
  const report = await books.json<{ rows: { returned: number }[] }>(['report', 'returns', '2026-10']);
  expect(report.rows.filter(({ returned }) => returned > 0)).toEqual([]);
});

describe('the COD of a RETURN order in the own book', () => {
  /** A delivery of 25.00, and a return for which the courier paid 10.00 out for the shop. */
  const rowsOf = (paidOut: string) => [
    { ...rowOf('S1', '25.00'), reference_id: 'SO-1' },
    { ...rowOf('R1', paidOut), reference_id: 'RO-1', workflow: 'RETURN' },
  ];
  const rowOf = (order_id: string, cod: string) => {
    return { order_id, cod: [['USD', cod]] as [string, string][], delivery_fee: [] as [string, string][] };
  };
  const delivered = '2026-10-03T08:00:00+00:00';
  const states = { delivery_state: 'DELIVERED', payment_state: 'PAID_TO_MERCHANT' };

  /** What a check finds of it: expected, actual and effect; and our figure of the month. */
  async function found(paidOut: string, own: string, returns: string, hasOrderBook: boolean) {
    // A header that follows from no convention tells none.
    const cod = returns === 'undecided' ? '77.00' : '15.00';
    const header = { cod: [['USD', cod]], net_due_to_merchant: [['USD', '15.00']] } as Partial<FakeInvoice>;
    const invoice = invoiceOf(1, '2026-10-05T10:00:00+00:00', rowsOf(paidOut), header);
    const orders = rowsOf(paidOut).map((row): FakeOrder => {
      const statestamps = [{ ...states, timestamp: delivered }];
      return { workflow: 'STANDARD', ...row, ...states, merchant_invoice: 1, statestamps };
    });
    const setting = returns === 'undecided' ? 'auto' : returns;
    const books = await booksOf({ invoices: [invoice], orders: hasOrderBook ? orders : [] }, `returns = "${setting}"`);
    const book = `reference,ordered_on,status,currency,cod,district,note\nSO-1,2026-10-01,handed_over,USD,25.00,,\nRO-1,2026-10-01,handed_over,USD,${own},,\n`;
    await books.json(['import', 'orders', books.file('own.csv', book)]);
    const { stdout } = await books.remit(['check', '2026-10', '--json']);
    interface Checked {
      readonly mismatches: readonly Record<'code' | 'expected' | 'actual' | 'effect', string>[];
      readonly bridge: readonly { readonly ours: string; readonly unexplained: string }[];
    }
    const { mismatches, bridge } = JSON.parse(stdout) as Checked;
    await books.verify();
    return {
      off: mismatches
        .filter(({ code }) => code === 'book-cod-differs')
        .map(({ expected, actual, effect }) => `${actual} for ${expected}: ${effect}`),
      ours: bridge.map(({ ours, unexplained }) => `${ours} ${unexplained}`),
    };
  }

  it.each([
    // The courier shows 10.00, and takes it off.
    ['deducted', true, '10.00', '-10.00', [], '15.00'],
    ['deducted', true, '10.00', '10.00', [], '15.00'],
    ['deducted', true, '10.00', '-7.00', ['10.00 for 7.00: -3.00'], '18.00'],
    ['deducted', false, '10.00', '-10.00', [], '15.00'],
    ['deducted', false, '10.00', '10.00', [], '15.00'],
    ['deducted', false, '10.00', '-7.00', ['10.00 for 7.00: -3.00'], '18.00'],
    // The courier shows -10.00, and adds it: 10.00 is worth the opposite.
    ['as-stated', true, '-10.00', '-10.00', [], '15.00'],
    ['as-stated', true, '-10.00', '10.00', ['-10.00 for 10.00: -20.00'], '35.00'],
    ['as-stated', true, '-10.00', '-7.00', ['-10.00 for -7.00: -3.00'], '18.00'],
    // Nobody knows what it is worth: the same amount is the same.
    ['undecided', true, '10.00', '-10.00', [], null],
  ])('%s, with an order book: %s, shown as %s: %s', async (returns, hasOrderBook, paidOut, own, off, ours) => {
    const seen = await found(paidOut, own, returns, hasOrderBook);
    expect(seen.off).toEqual(off);
    if (ours !== null) expect(seen.ours).toEqual([`${ours} 0.00`]);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeOrder,
  invoiceOf,
  KEY,
  type Pair,
  send,
  startFakeCourier,
} from '../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { readWorkbook } from '../helpers/workbook.ts';

const usd = (amount: string): Pair[] => [['USD', amount]];
const row = (order_id: string, cod: string, fee = '3.00') => ({
  order_id,
  reference_id: `SO-${order_id}`,
  cod: usd(cod),
  delivery_fee: usd(fee),
});
const record = (order_id: string, invoice: number | null, cod: string, more: Partial<FakeOrder> = {}): FakeOrder => ({
  ...row(order_id, cod),
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: 'PAID_TO_MERCHANT',
  merchant_invoice: invoice,
  statestamps: [{ delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: '2026-10-20T08:00:00Z' }],
  ...more,
});

const NOV1 = '2026-11-01T02:00:00Z';
const NOV2 = '2026-11-02T02:00:00Z';
const NOV12 = '2026-11-12T02:00:00Z';

let courier: FakeCourier;
let books: OwnBooks;
beforeEach(async () => {
  courier = await startFakeCourier();
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
});
afterEach(async () => {
  await courier.close();
  await books.verify();
});

const run = (now: string, ...argv: string[]) =>
  remit(argv, { cwd: books.folder, now: new Date(now), env: { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY } });
async function json<T = Checked>(now: string, ...argv: string[]): Promise<T & { code: number }> {
  const { code, stdout } = await run(now, ...argv, '--json');
  return { code, ...JSON.parse(stdout) };
}
interface Checked {
  readonly incomplete: { readonly period: string; readonly why: string }[];
  readonly bridge: { currency: string; steps: { code: string; count: number; effect: string }[]; short: string }[];
  readonly mismatches: { code: string; order_id: string | null; effect: string | null; currency: string | null }[];
  readonly coverage: { code: string; compared: number; not_comparable: number }[];
  readonly skipped: { code: string; why: string }[];
}
const close = (now: string, ...more: string[]) =>
  json<{
    status: string;
    reasons: { code: string; why: string; remedy: string }[];
    with_open: Record<string, unknown>;
  }>(now, ...['close', '2026-10', '--by', 'rana', '--first', ...more]);
const whys = ({ incomplete }: Checked) => incomplete.map(({ period, why }) => `${period} ${why}`);

describe('an order book that is older than an invoice', () => {
  /** The book is read, and then an invoice comes that credits 5.00 where the order's record says 500.00. */
  const stale = async () => {
    courier.world.orders = [record('A', null, '500.00')];
    await run('2026-10-25T02:00:00Z', 'sync', '2026-10', '--orders');
    courier.world.orders = [record('A', 1, '500.00')];
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '5.00')])];
    expect((await run(NOV1, 'sync', '2026-10')).code).toBe(0);
  };

  it('makes the month incomplete, in the check, the bridge and the night', async () => {
    await stale();
    const checked = await json(NOV1, 'check', '2026-10');
    expect(checked.code).toBe(1);
    expect(whys(checked)).toEqual([
      '2026-10 1 row with 8.00 USD not compared: the order book is older than the invoice; run `remit sync --orders`',
    ]);
    expect(checked.bridge).toMatchObject([
      { currency: 'USD', steps: [{ code: 'not-compared', count: 1, effect: '-495.00' }] },
    ]);
    expect((await run(NOV1, 'check', '2026-10', '--quiet')).stderr).toContain('2026-10 is incomplete');
    expect((await run(NOV1, 'statement', '2026-10', '--out', 'october.xlsx')).code).toBe(0);
    const { sheets } = await readWorkbook(readFileSync(path.join(books.folder, 'october.xlsx')));
    const summary = [...sheets.get('Summary')!.values()].map(({ value }) => value);
    expect(summary).toContain('Not compared');
    expect(summary).toContainEqual(
      expect.stringMatching(/^The month is incomplete: 1 row with 8\.00 USD not compared/),
    );
    expect(summary).not.toContainEqual(expect.stringContaining('; all differences between'));
    expect((await run(NOV1, 'statement', '2026-10', '--out', 'october.html')).code).toBe(0);
    const [first, details] = readFileSync(path.join(books.folder, 'october.html'), 'utf8').split(
      '<section class="sheet',
    );
    const lines = (page: string) =>
      [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, cells]) =>
        [...cells!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, text]) => text!).filter((text) => text !== ''),
      );
    for (const page of [first!, details!]) {
      expect(lines(page)).toContainEqual(['Difference: courier’s less ours', '-495.00']);
      expect(
        lines(page)
          .find(([label]) => label === 'Not compared')
          ?.at(-1),
      ).toBe('-495.00');
      expect(lines(page)).toContainEqual(['Unexplained', '0.00']);
      expect(page).toContain('The month is incomplete: 1 row with 8.00 USD not compared');
    }
    expect(first).toContain('-495.00 USD not compared');
    const { code, check } = await json<{ check: Checked }>(NOV1, 'night', '--no-orders');
    expect([code, whys(check)]).toEqual([1, whys(checked)]);
  });

  it('is refused by a close that says nothing, and on record with one that does', async () => {
    await stale();
    const refused = await close(NOV1);
    expect([refused.code, refused.reasons]).toEqual([
      1,
      [
        {
          code: 'incomplete',
          why: '2026-10 is not whole: 1 row with 8.00 USD not compared: the order book is older than the invoice',
          remedy: 'Run `remit sync --orders`. Or close with --with-open REASON, which goes on record with it.',
        },
      ],
    ]);
    const closed = await close(NOV1, '--with-open', 'the book comes tomorrow');
    expect(closed).toMatchObject({
      code: 0,
      status: 'closed',
      with_open: {
        reason: 'the book comes tomorrow',
        findings: [],
        reasons: [{ code: 'incomplete', why: expect.stringContaining('8.00 USD not compared') }],
      },
    });
    // What a person closed with a reason is no trouble of every later night; the check still says it.
    const { code, check } = await json<{ check: Checked & { accepted: string[] } }>(NOV1, 'night', '--no-orders');
    expect([code, check.incomplete, check.accepted]).toEqual([0, [], ['2026-10']]);
    expect((await json(NOV1, 'check', '2026-10')).code).toBe(1);
    const shown = await run(NOV1, 'show', 'close', '2026-10');
    expect(shown.stdout).toContain('8.00 USD not compared');
  });

  it('is brought by the night itself, which then finds what is short', async () => {
    await stale();
    const { code, check } = await json<{ check: Checked & { short: unknown } }>(NOV2, 'night');
    expect([code, check.incomplete, check.short]).toEqual([3, [], [{ currency: 'USD', effect: '-495.00' }]]);
  });
});

describe('an order book that was last read in part', () => {
  it('makes the months that rest on it incomplete until it is read whole', async () => {
    courier.world.orders = [record('A', 1, '25.00'), record('B', 1, '25.00')];
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '25.00'), row('B', '25.00')])];
    await run(NOV1, 'sync', '2026-10', '--orders');
    expect(await json(NOV1, 'check', '2026-10')).toMatchObject({ code: 0, incomplete: [] });
    expect((await json<{ check: Checked }>(NOV1, 'night', '--no-orders')).code).toBe(0);

    // The record of B has changed, and the walk never comes to it.
    courier.world.orders = [record('A', 1, '25.00'), record('B', 1, '34.00')];
    courier.world.intercept = (_, response, where) => {
      if (where !== '/orders/') return false;
      send(response, 200, { count: 2, next: null, previous: null, results: [courier.world.orders[0]] });
      return true;
    };
    expect((await json<{ status: string }>(NOV2, 'sync', '2026-10', '--orders')).status).toBe('partial');
    const checked = await json(NOV2, 'check', '2026-10');
    expect(checked.code).toBe(1);
    expect(whys(checked)).toEqual([
      expect.stringMatching(
        /^2026-10 the last look at the order book did not bring all of it.*run `remit sync --orders`$/,
      ),
    ]);
    expect((await close(NOV2)).reasons.map(({ code }) => code)).toEqual(['incomplete']);

    delete courier.world.intercept;
    await run(NOV2, 'sync', '2026-10', '--orders');
    const whole = await json(NOV2, 'check', '2026-10');
    expect([whole.code, whole.incomplete]).toEqual([3, []]);
    expect(whole.mismatches).toContainEqual(
      expect.objectContaining({ code: 'order-amount-differs', order_id: 'B', effect: '-9.00' }),
    );
  });
});

describe('a refund that the courier pays out', () => {
  const ORDERS = 'reference,ordered_on,status,currency,cod\n';
  const sync = async () => {
    courier.world.orders = [record('A', 1, '25.00'), record('B', 1, '-10.00')];
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '25.00'), row('B', '-10.00')])];
    await run(NOV1, 'sync', '2026-10', '--orders');
  };
  const own = (name: string, refund: string) =>
    books.file(name, `${ORDERS}SO-A,2026-10-01,handed_over,USD,25.00\nSO-B,2026-10-01,handed_over,USD,${refund}\n`);

  it('is found where the own book says nothing of it, and equal where it says the same', async () => {
    await sync();
    await run(NOV1, 'import', 'orders', own('a.csv', '0.00'));
    const found = await json(NOV1, 'check', '2026-10');
    expect(found.mismatches).toMatchObject([{ code: 'book-cod-differs', order_id: 'B', effect: '-10.00' }]);
    await run(NOV2, 'import', 'orders', own('b.csv', '-10.00'));
    const clean = await json(NOV2, 'check', '2026-10');
    expect([clean.code, clean.mismatches, clean.incomplete]).toEqual([0, [], []]);
    expect(clean.coverage).toContainEqual(
      expect.objectContaining({ code: 'book-cod-differs', compared: 2, not_comparable: 0 }),
    );
  });
});

describe('money that is said to be paid', () => {
  const RECEIPTS = 'date,amount,currency,text,invoice\n';
  /** One invoice of 22.00 USD and 90,000 LBP, one of 22.00 USD; the courier calls both paid. */
  const sync = async () => {
    const both = { ...row('A', '25.00'), cod: [...usd('25.00'), ['LBP', '90000'] as Pair] };
    courier.world.orders = [record('A', 1, '25.00', { cod: both.cod }), record('B', 2, '25.00')];
    courier.world.invoices = [
      invoiceOf(1, '2026-10-20T09:00:00Z', [both]),
      invoiceOf(2, '2026-10-22T09:00:00Z', [row('B', '25.00')]),
    ];
    await run(NOV1, 'sync', '2026-10', '--orders');
  };
  const receive = (name: string, ...lines: string[]) =>
    run(NOV12, 'import', 'receipts', books.file(name, `${RECEIPTS}${lines.join('\n')}\n`));

  it('is left to the flag in a currency of which no receipts were ever imported, and the month can be clean', async () => {
    await sync();
    await receive('pounds.csv', '2026-10-21,90000,LBP,Cedar Road,1');
    const checked = await json(NOV12, 'check', '2026-10');
    expect([checked.code, checked.mismatches, checked.incomplete]).toEqual([0, [], []]);
    expect(checked.skipped).toContainEqual(
      expect.objectContaining({
        code: 'remittance-missing',
        why: 'no receipts in USD were ever imported, so that the courier’s Paid flag settles its invoices; run `remit import receipts FILE`',
      }),
    );
    const claim = await run(NOV12, 'dispute', '2026-10', '--dry-run');
    expect(claim.stdout + claim.stderr).not.toContain('has not arrived');
  });

  it('is not compared where the bank was not seen for the whole window, and missing where it was', async () => {
    await sync();
    await receive('pounds.csv', '2026-10-21,90000,LBP,Cedar Road,1');
    await receive('early.csv', '2026-10-01,-5.00,USD,Rent,', '2026-10-22,22.00,USD,Cedar Road,1');
    const early = await json(NOV12, 'check', '2026-10');
    expect([early.code, early.mismatches]).toEqual([1, []]);
    expect(whys(early)).toEqual([
      '2026-10 1 invoice with 22.00 USD not compared: no receipts in USD were imported for the whole payment window of an account into which the courier pays; run `remit import receipts FILE`',
    ]);
    await receive('late.csv', '2026-10-23,-5.00,USD,Rent,', '2026-11-05,-5.00,USD,Rent,');
    const late = await json(NOV12, 'check', '2026-10');
    expect([late.code, late.incomplete]).toEqual([3, []]);
    expect(late.mismatches).toMatchObject([{ code: 'remittance-missing', currency: 'USD', effect: '-22.00' }]);
  });

  it('is not called short before the whole window was seen, be a part of it there', async () => {
    await sync();
    // Of the 22.00 of invoice 2, due by 27 October, 20.00 came.
    await receive(
      'part.csv',
      '2026-10-01,-5.00,USD,Rent,',
      '2026-10-21,22.00,USD,Cedar Road,1',
      '2026-10-23,20.00,USD,Cedar Road,2',
    );
    const codes = ({ mismatches }: Checked) => mismatches.map(({ code, effect }) => [code, effect]);
    const inWindow = await json('2026-10-26T02:00:00Z', 'check', '2026-10');
    expect(codes(inWindow)).toEqual([]);
    const unseen = await json(NOV12, 'check', '2026-10');
    expect([unseen.code, codes(unseen)]).toEqual([1, []]);
    expect(whys(unseen)).toContainEqual(
      expect.stringContaining('1 invoice with 2.00 USD not compared: no receipts in USD'),
    );
    expect((await run(NOV12, 'dispute', '2026-10', '--dry-run')).stdout).not.toContain('2.00');
    await receive('rest.csv', '2026-10-24,-5.00,USD,Rent,', '2026-10-27,-5.00,USD,Rent,');
    // The bank was seen to the end of its last day, on which the rest may still come.
    expect(codes(await json('2026-10-27T02:00:00Z', 'check', '2026-10'))).toEqual([]);
    expect(codes(await json('2026-10-28T02:00:00Z', 'check', '2026-10'))).toEqual([['remittance-short', '-2.00']]);
    const seen = await json(NOV12, 'check', '2026-10');
    expect([seen.incomplete, codes(seen)]).toEqual([[], [['remittance-short', '-2.00']]]);
  });

  it('is not called missing by an account into which the courier never paid', async () => {
    await sync();
    await receive('rent.csv', '2026-10-01,-5.00,USD,Rent,', '2026-11-10,-5.00,USD,Rent,');
    const checked = await json(NOV12, 'check', '2026-10');
    expect([checked.code, checked.mismatches]).toEqual([1, []]);
    expect(whys(checked)).toEqual([expect.stringContaining('2 invoices with 44.00 USD not compared')]);
  });
});

describe('an import that is undone', () => {
  const TARIFF = 'workflow,district,area,merchant_location,from,to,currency,fee\n';
  const openIn = async () => {
    const listed = await json<{ mismatches: { code: string; status: string }[] }>(NOV12, 'mismatch', 'list', '2026-10');
    return listed.mismatches.map(({ code, status }) => `${code} ${status}`);
  };

  it('takes with it, at once, the findings that rested on it alone, and every surface counts none', async () => {
    courier.world.orders = [record('A', 1, '25.00'), record('B', 1, '25.00')];
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '25.00'), row('B', '25.00')])];
    await run(NOV1, 'sync', '2026-10', '--orders');
    const file = books.file('tariff.csv', `${TARIFF}STANDARD,,,,,,USD,2.00\n`);
    const { import: id } = await json<{ import: number }>(NOV1, 'import', 'tariff', file);
    expect((await json(NOV1, 'check', '2026-10')).mismatches.map(({ code }) => code)).toEqual([
      'fee-off-tariff',
      'fee-off-tariff',
    ]);
    const [first] = (await json(NOV1, 'check', '2026-10')).mismatches as unknown as { id: string }[];

    const undone = await json<{ resolved: number }>(NOV12, 'import', 'undo', String(id), '--reason', 'of another year');
    expect(undone.resolved).toBe(2);
    expect(await openIn()).toEqual([]);
    const history = await run(NOV12, 'mismatch', 'show', first!.id);
    expect(history.stdout).toContain('its import was undone');
    expect(await json(NOV12, 'check', '2026-10')).toMatchObject({ code: 0, mismatches: [], open: { error: 0 } });
    // A kind of file that the books once had is missed by the close, and is all that is.
    expect((await close(NOV12)).reasons.map(({ code }) => code)).toEqual(['not-checked']);
    expect((await close(NOV12, '--with-open', 'no agreed prices yet')).status).toBe('closed');
  });

  it('leaves the findings that another file still shows', async () => {
    courier.world.orders = [record('A', 1, '25.00')];
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '25.00')])];
    await run(NOV1, 'sync', '2026-10', '--orders');
    const HEAD = 'reference,ordered_on,status,currency,cod\n';
    await run(NOV1, 'import', 'orders', books.file('a.csv', `${HEAD}SO-A,2026-10-01,handed_over,USD,20.00\n`));
    const lost = books.file('b.csv', `${HEAD}SO-LOST,2026-09-01,handed_over,USD,20.00\n`);
    const { import: id } = await json<{ import: number }>(NOV1, 'import', 'orders', lost);
    const codes = async () => (await json(NOV12, 'check')).mismatches.map(({ code }) => code);
    expect(await codes()).toEqual(['book-cod-differs']);
    const all = () => json<{ mismatches: { code: string }[] }>(NOV12, 'mismatch', 'list');
    await run(NOV12, 'check', '2026-09..2026-10');
    expect((await all()).mismatches.map(({ code }) => code).sort()).toEqual(['book-cod-differs', 'not-at-courier']);
    await run(NOV12, 'import', 'undo', String(id), '--reason', 'not ours');
    expect((await all()).mismatches.map(({ code }) => code)).toEqual(['book-cod-differs']);
  });
});

describe('a close with a reason', () => {
  it('takes every reason but those of the order of the months, and puts each on record', async () => {
    courier.world.invoices = [invoiceOf(1, '2026-10-28T09:00:00Z', [row('A', '25.00')], { status: 'PENDING_PAYMENT' })];
    await run(NOV1, 'sync', '2026-10');
    const said = (await close(NOV1)).reasons.map(({ code }) => code);
    expect(said).toEqual(['not-checked']);
    expect((await close('2026-10-30T02:00:00Z', '--with-open', 'early')).reasons.map(({ code }) => code)).toContain(
      'not-ended',
    );
    const closed = await close(NOV1, '--with-open', 'no order book here');
    expect(closed).toMatchObject({ status: 'closed', with_open: { reasons: [{ code: 'not-checked' }] } });
    expect((await close(NOV1, '--with-open', 'again')).reasons.map(({ code }) => code)).toEqual(['already-closed']);
    const skipping = await json<{ reasons: { code: string }[] }>(
      '2027-01-02T02:00:00Z',
      ...['close', '2026-12', '--by', 'rana', '--with-open', 'one is missing'],
    );
    expect(skipping.reasons.map(({ code }) => code)).toEqual(['month-before-open']);
  });

  it('takes a month that was never synced', async () => {
    courier.world.orders = [record('A', null, '25.00')];
    await run(NOV1, 'sync', '2026-10', '--orders');
    const september = ['close', '2026-09', '--by', 'rana', '--first', '--with-open', 'nothing was shipped'];
    expect(await json(NOV1, ...september)).toMatchObject({
      code: 0,
      status: 'closed',
      with_open: { reasons: [{ code: 'incomplete', why: expect.stringContaining('never synced') }] },
    });
  });
});

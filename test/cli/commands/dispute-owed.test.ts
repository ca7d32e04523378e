import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/checks/catalogue/index.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeInvoice,
  invoiceOf,
  KEY,
  type Pair,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { randomFrom } from '../../helpers/random.ts';

/** How many random worlds are claimed from; `npm run test:long` makes it larger. */
const WORLDS = Number(process.env.REMIT_CLAIM_WORLDS ?? 8);
const SEED = Number(process.env.REMIT_CLAIM_SEED ?? 1);

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());
beforeEach(() => {
  courier.world.invoices = [];
  courier.world.orders = [];
});

interface Line {
  readonly section: 'owed-to-us' | 'owed-by-us' | 'confirm';
  readonly code: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly what: string;
  readonly currency: string | null;
  readonly due: string | null;
  readonly received: string | null;
  readonly claimed: string;
}

interface Claimed {
  readonly lines: readonly Line[];
  readonly totals: readonly { currency: string; owed_to_us: string; owed_by_us: string; net: string }[];
  readonly left: readonly { why: string }[];
}

const now = new Date('2026-12-20T09:00:00Z');
const cents = (text: string) => Math.round(Number(text) * 100);
const amount = (value: number) => (value / 100).toFixed(2);
const usd = (value: number): Pair[] => [['USD', amount(value)]];

/** Books of the fake courier with a bank file: lines of `day amount text`. */
async function booksOf(receipts: readonly string[], before: () => void = () => {}) {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n[receipts]\npayers = ["SWIFT COD"]\n`);
  const run = (argv: readonly string[]): Promise<Outcome> => remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now });
  const json = async <T>(argv: readonly string[]): Promise<T> => JSON.parse((await run([...argv, '--json'])).stdout);
  const sync = ['sync', '2026-10', ...(courier.world.orders.length > 0 ? ['--orders'] : [])];
  expect((await run(sync)).code).toBe(0);
  before();
  if (receipts.length > 0) {
    // The edges make the file cover the payment window of every invoice.
    const lines = ['2026-10-01,-1.00,USD,Stamps', ...receipts, '2026-12-10,-1.00,USD,Stamps'];
    writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${lines.join('\n')}\n`);
    expect((await run(['import', 'receipts', 'bank.csv'])).stderr).not.toContain('error');
  }
  expect((await run(sync)).code).toBe(0);
  await run(['check']);
  return {
    cwd,
    run,
    json,
    claim: (...argv: string[]) => json<Claimed>(['dispute', '2026-10', '--dry-run', ...argv]),
  };
}

/** An invoice of one row: 100.00 collected, 10.00 charged; its net is 90.00. */
function bill(
  number: number,
  { cod = 10_000, ...more }: Omit<Partial<FakeInvoice>, 'cod'> & { cod?: number } = {},
): FakeInvoice {
  const rows = [{ order_id: `A${number}`, cod: usd(10_000), delivery_fee: usd(1_000) }];
  return invoiceOf(number, `2026-10-${String(5 + (number % 10)).padStart(2, '0')}T10:00:00+00:00`, rows, {
    cod: usd(cod),
    net_due_to_merchant: usd(cod - 1_000),
    ...more,
  });
}

const said = ({ lines }: Claimed) =>
  lines.map(({ section, code, due, received, claimed }) => [section, code, due, received, claimed].join(' '));

describe('what is owed', () => {
  it('leaves out what came in for an invoice that vanished, and what came in beyond the stated net', async () => {
    courier.world.invoices = [bill(1), bill(2, { cod: 9_500 }), bill(3, { cod: 9_500 })];
    const books = await booksOf(
      [
        '2026-10-09,90.00,USD,SWIFT COD invoice 1',
        '2026-10-10,90.00,USD,SWIFT COD invoice 2',
        '2026-10-11,87.00,USD,SWIFT COD invoice 3',
      ],
      () => {
        courier.world.invoices = courier.world.invoices.slice(1);
      },
    );
    const claim = await books.claim();
    // Of the third invoice 2.00 of the 5.00 came in; of the others, all.
    expect(said(claim)).toEqual(['owed-to-us invoice-cod-total 5.00 2.00 3.00']);
    expect(claim.totals).toEqual([{ currency: 'USD', count: 1, owed_to_us: '3.00', owed_by_us: '0.00', net: '3.00' }]);
    expect(claim.left.map(({ why }) => why)).toContain('covered');
  });

  it('claims what is unpaid of an invoice once, whichever checks find it', async () => {
    courier.world.invoices = [bill(1, { status: 'PENDING_PAYMENT' })];
    const books = await booksOf(['2026-10-12,50.00,USD,SWIFT COD invoice 1']);
    const found = await books.json<{ mismatches: { code: string }[] }>(['mismatch', 'list']);
    expect(found.mismatches.map(({ code }) => code).sort()).toEqual(['payment-overdue', 'remittance-short']);
    const claim = await books.claim();
    expect(said(claim)).toEqual(['owed-to-us remittance-short 90.00 50.00 40.00']);
    expect(claim.left.map(({ why }) => why)).toEqual(['same-money']);
  });

  it('asks for what an invoice takes back wrongly, though no receipt stands against it', async () => {
    const rows = [{ order_id: 'A', cod: usd(-1_250), delivery_fee: usd(375), delivery_state: 'AWAITING_RETURN' }];
    courier.world.invoices = [invoiceOf(1, '2026-10-05T10:00:00+00:00', rows), bill(2)];
    const books = await booksOf(['2026-10-12,90.00,USD,SWIFT COD invoice 2']);
    const claim = await books.claim();
    // The invoice asks for 16.25, of which 3.75 are right: the point is made, and no money is owed to us.
    expect(said(claim)).toEqual([
      'owed-to-us cod-without-delivery 12.50 0.00 12.50',
      'owed-to-us beyond-balance 0.00 12.50 -12.50',
    ]);
    expect(claim.totals).toMatchObject([{ owed_to_us: '0.00', owed_by_us: '0.00', net: '0.00' }]);
  });

  it('claims nothing where the header makes up for a row', async () => {
    const rows = [{ order_id: 'A', cod: usd(9_000), delivery_fee: usd(1_000) }];
    const header = { cod: usd(10_000), net_due_to_merchant: usd(9_000) };
    courier.world.invoices = [invoiceOf(1, '2026-10-05T10:00:00+00:00', rows, header)];
    courier.world.orders = [recordOf('A', 10_000, 1_000, 1)];
    const books = await booksOf([]);
    const found = await books.json<{ mismatches: { code: string; effect: string }[] }>(['mismatch', 'list']);
    expect(found.mismatches.map(({ code, effect }) => `${code} ${effect}`).sort()).toEqual([
      'invoice-cod-total 10.00',
      'order-amount-differs -10.00',
    ]);
    expect(said(await books.claim())).toEqual([]);
    expect((await books.claim()).left.map(({ why }) => why)).toEqual(['balanced', 'balanced']);
  });

  it('lists apart what an ambiguous receipt may cover, and claims it where it is told to', async () => {
    courier.world.invoices = [bill(1), bill(2)];
    const books = await booksOf(['2026-10-12,90.00,USD,SWIFT COD']);
    const claim = await books.claim();
    expect(said(claim).sort()).toEqual([
      'confirm receipt-ambiguous   0.00',
      'confirm remittance-missing 90.00 0.00 0.00',
      'confirm remittance-missing 90.00 0.00 0.00',
    ]);
    expect(claim.totals).toEqual([]);
    const letter = (await books.run(['dispute', '2026-10', '--dry-run'])).stdout;
    expect(letter).toMatch(/PLEASE CONFIRM/);
    expect(letter.replaceAll(/\s+/g, ' ')).toContain('A payment of 90.00 USD that came on 2026-10-12 may be for it');
    const all = await books.claim('--include-possible');
    // It pays one of them, whichever: of both together no more is owed.
    expect(said(all)).toContain('owed-to-us receipt-unallocated 0.00 90.00 -90.00');
    expect(all.totals).toEqual([{ currency: 'USD', count: 3, owed_to_us: '90.00', owed_by_us: '0.00', net: '90.00' }]);
  });

  it('lists apart what a receipt in another currency that names the invoice may cover', async () => {
    courier.world.invoices = [bill(10001), bill(10002)];
    const books = await booksOf(['2026-10-12,90.00,USD,SWIFT COD 10002', '2026-10-13,8055000.00,LBP,SWIFT COD 10001']);
    const claim = await books.claim('--code', 'remittance-missing');
    expect(said(claim)).toEqual(['confirm remittance-missing 90.00 0.00 0.00']);
    expect(claim.lines[0]!.what).toContain('A payment of 8,055,000.00 LBP that came on 2026-10-13 may be for it');
    const all = await books.claim('--code', 'remittance-missing', '--include-possible');
    expect(all.totals).toMatchObject([{ currency: 'USD', owed_to_us: '90.00' }]);
  });

  it('asks nothing back that came in after it was written off: only what came beyond the net', async () => {
    courier.world.invoices = [bill(10001), bill(10002), bill(10003, { cod: 9_500 })];
    const books = await booksOf([]);
    const writeOff = (invoice: string, ...more: string[]) =>
      books.run(['settle', invoice, '--as', 'write-off', '--note', 'lost', '--yes', '--currency', 'USD', ...more]);
    courier.world.invoices = courier.world.invoices.map((one) => ({ ...one, status: 'PENDING_PAYMENT' }));
    await books.run(['sync', '2026-10']);
    for (const invoice of ['10001', '10002', '10003']) expect(await writeOff(invoice)).toMatchObject({ code: 0 });
    const lines = ['2026-10-20,90.00,USD,SWIFT COD 10001', '2026-10-20,93.00,USD,SWIFT COD 10002'];
    const all = [...lines, '2026-10-21,85.00,USD,SWIFT COD 10003'];
    writeFileSync(path.join(books.cwd, 'late.csv'), `date,amount,currency,text\n${all.join('\n')}\n`);
    expect(await books.run(['import', 'receipts', 'late.csv'])).toMatchObject({ code: 0 });
    await books.run(['check']);
    const claim = await books.claim();
    // By the books nothing is open until the write-offs are undone.
    expect(said(claim).sort()).toEqual([
      'owed-by-us remittance-over 90.00 93.00 3.00',
      'owed-to-us beyond-balance 0.00 2.00 -2.00',
      'owed-to-us invoice-cod-total 5.00 0.00 5.00',
    ]);
    expect(claim.totals).toMatchObject([{ owed_to_us: '3.00', owed_by_us: '3.00', net: '0.00' }]);
    expect(claim.left.map(({ why }) => why)).toEqual(['covered', 'covered']);
    const shown = (await books.run(['check', '--all'])).stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(
      /90\.00 USD more than the 0\.00 USD due after what was written off: .* `remit settle undo \d+`; else/,
    );
  });

  it('says a fee as it is charged and as it is agreed', async () => {
    courier.world.invoices = [bill(1), bill(2)];
    courier.world.orders = [recordOf('A1', 10_000, 1_000, 1), recordOf('A2', 10_000, 400, 2)];
    courier.world.invoices[1]!.orders[0]!.delivery_fee = usd(400);
    courier.world.invoices[1]!.delivery_fee = usd(400);
    courier.world.invoices[1]!.net_due_to_merchant = usd(9_600);
    const books = await booksOf([]);
    writeFileSync(path.join(books.cwd, 'prices.csv'), TARIFF);
    expect((await books.run(['import', 'tariff', 'prices.csv'])).stderr).not.toContain('error');
    await books.run(['check']);
    const letter = (await books.run(['dispute', '2026-10', '--dry-run'])).stdout.replaceAll(/\s+/g, ' ');
    expect(letter).toContain('Charged 10.00 USD, agreed 5.00 USD, difference 5.00 USD.');
    expect(letter).toContain('Charged 4.00 USD, agreed 5.00 USD, difference 1.00 USD.');
    expect((await books.claim()).totals).toEqual([
      { currency: 'USD', count: 2, owed_to_us: '5.00', owed_by_us: '1.00', net: '4.00' },
    ]);
  });
});

const TARIFF = 'workflow,district,area,merchant_location,from,to,currency,fee\nSTANDARD,,,,2026-01-01,,USD,5.00\n';

/** An order's own record. */
function recordOf(order_id: string, cod: number, fee: number, invoice: number) {
  return {
    order_id,
    reference_id: '',
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    cod: usd(cod),
    delivery_fee: usd(fee),
    merchant_invoice: invoice,
  };
}

/**
 * Invoices with all kinds of faults, the order book beside them, and a bank that paid all, too much, too little, twice
 * or nothing.
 */
function randomWorld(seed: number): { readonly receipts: readonly string[]; readonly vanishing: number } {
  const random = randomFrom(seed);
  const one = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const receipts: string[] = [];
  let first: { order_id: string; reference_id: string; cod: Pair[]; delivery_fee: Pair[] } | null = null;
  const numbers = Array.from({ length: 3 + Math.floor(random() * 4) }, (_, at) => at + 1);
  courier.world.invoices = numbers.map((number) => {
    const orders = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => {
      const row = { order_id: `A${number}${at}`, reference_id: `#${number}${at}`, cod: 10_000, fee: 1_000 };
      const record = { cod: row.cod + one([0, 0, 0, 500, -700]), fee: row.fee + one([0, 0, 100, -200]) };
      courier.world.orders.push(recordOf(row.order_id, record.cod, record.fee, number));
      return { order_id: row.order_id, reference_id: row.reference_id, cod: usd(row.cod), delivery_fee: usd(row.fee) };
    });
    if (random() < 0.2) orders.push(orders[0]!);
    if (random() < 0.2 && first !== null) orders.push(first);
    first ??= orders[0]!;
    const status = one(['PAID', 'PAID', 'PENDING_PAYMENT']);
    const sums = invoiceOf(number, `2026-10-${String(4 + number).padStart(2, '0')}T10:00:00+00:00`, orders, { status });
    const cod = cents(sums.cod[0]![1]) + one([0, 0, 0, 900, -800]);
    const net = cod - cents(sums.delivery_fee[0]![1]) + one([0, 0, 0, 300, -250]);
    const paid = one([0, net, net, net, net + 450, net + 2_000, net - 600, net - 50]);
    if (paid > 0) {
      const day = `2026-10-${String(10 + number).padStart(2, '0')}`;
      receipts.push(`${day},${amount(paid)},USD,SWIFT COD${random() < 0.8 ? ` invoice ${number}` : ''}`);
      if (random() < 0.1) receipts.push(`${day},${amount(paid)},USD,SWIFT COD`);
    }
    return { ...sums, cod: usd(cod), net_due_to_merchant: usd(net) };
  });
  return { receipts, vanishing: random() < 0.4 ? one(numbers) : 0 };
}

/** What no clerk of the courier knows: checks, columns, codes of the API, hashes and what a program lets slip. */
const INTERNAL = [
  ...CHECKS.map(({ code }) => code),
  ...['invoice_number', 'order_id', 'reference_id', 'net_due', 'delivery_fee', 'order_count', 'delivery_state'],
  ...['payment_state', 'merchant_invoice', 'PENDING_PAYMENT', 'PAID_TO_MERCHANT', 'DELIVERED', 'mismatch', 'remit '],
  ...['owed-to-us', 'owed-by-us', 'undefined', 'null', 'NaN', '[0]', '{', 'ledger', 'SHA-256'],
];

interface Held {
  readonly id: string;
  readonly code: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly effect: string | null;
}

describe('over random worlds', () => {
  it.each(Array.from({ length: WORLDS }, (_, at) => SEED + at))(
    'no claim holds what a matched receipt covers, or an internal word: %i',
    async (seed) => {
      const { receipts, vanishing } = randomWorld(seed);
      const listing = new Map(
        courier.world.invoices.map(({ number, orders }) => [number, orders.map((row) => row.order_id)]),
      );
      const netOf = (one: FakeInvoice) => [one.number, cents(one.net_due_to_merchant[0]![1])] as const;
      const stated = new Map(courier.world.invoices.map(netOf));
      const books = await booksOf(receipts, () => {
        courier.world.invoices = courier.world.invoices.filter(({ number }) => number !== vanishing);
      });
      const net = new Map(courier.world.invoices.map(netOf));
      const { mismatches } = await books.json<{ mismatches: Held[] }>(['mismatch', 'list']);
      const { matches } = await books.json<{ matches: { id: number; invoices: number[]; receipts_amount: string }[] }>([
        'match',
        'list',
      ]);
      for (const flags of [[], ['--include-possible']]) {
        const claim = await books.claim(...flags);
        const toUs = (own: readonly Line[]) =>
          own.filter(({ section }) => section === 'owed-to-us').reduce((sum, { claimed }) => sum + cents(claimed), 0);
        for (const [number, orders] of listing) {
          const isOwn = ({ invoice_number, order_id }: Pick<Held, 'invoice_number' | 'order_id'>) =>
            invoice_number === number || (invoice_number === null && orders.includes(order_id ?? ''));
          // A match of several invoices tallies with all of them: with what is left of each, or with what came beyond
          // its net.
          const received = matches
            .filter(({ invoices }) => invoices.includes(number))
            .sort((a, b) => a.id - b.id)
            .reduce(
              (sum, one) => (one.invoices.length > 1 ? stated.get(number)! : sum + cents(one.receipts_amount)),
              0,
            );
          const missing = mismatches
            .filter((one) => isOwn(one) && !one.code.startsWith('remittance-') && one.effect?.startsWith('-'))
            .reduce((sum, { effect }) => sum - cents(effect!), 0);
          const most = Math.max(0, (net.get(number) ?? 0) + missing - received);
          expect(toUs(claim.lines.filter(isOwn)), `invoice ${number}`).toBeLessThanOrEqual(most);
        }
        for (const { section, due, received, claimed } of claim.lines) {
          if (section === 'confirm') expect(claimed).toBe('0.00');
          else expect(cents(claimed)).toBe((cents(due!) - cents(received!)) * (section === 'owed-to-us' ? 1 : -1));
        }
        const unpaid = claim.lines.filter(({ code }) => /^remittance-(missing|short)$|^payment-overdue$/.test(code));
        expect(new Set(unpaid.map(({ invoice_number }) => invoice_number)).size).toBe(unpaid.length);
        const [total] = claim.totals;
        // What is owed by the books, and what the findings say is missing beyond them.
        const cameIn = receipts.reduce((sum, line) => sum + cents(line.split(',')[1]!), 0);
        const balance = [...net.values()].reduce((sum, one) => sum + one, 0) - cameIn;
        const missing = mismatches
          .filter(({ code, effect }) => !code.startsWith('remittance-') && effect?.startsWith('-'))
          .reduce((sum, { effect }) => sum - cents(effect!), 0);
        expect(cents(total?.net ?? '0')).toBeLessThanOrEqual(Math.max(0, balance + missing));
        expect(cents(total?.owed_to_us ?? '0')).toBe(toUs(claim.lines));
      }
      for (const argv of [[], ['--format', 'html'], ['--lang', 'ar'], ['--format', 'html', '--lang', 'ar']]) {
        const { stdout } = await books.run(['dispute', '2026-10', '--dry-run', ...argv]);
        const letter = stdout.replace(/<style>[\s\S]*<\/style>/, '').replace(/<meta[^>]*>/g, '');
        for (const word of INTERNAL) expect(letter, word).not.toContain(word);
        expect(letter).not.toMatch(/[0-9a-f]{12}/);
      }
    },
    60_000,
  );
});

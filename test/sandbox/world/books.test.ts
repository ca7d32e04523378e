import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { readBytes } from '../../../src/imports/formats/read-bytes.ts';
import { matchReceipts } from '../../../src/matching/match-receipts.ts';
import { formatAmount } from '../../../src/money/decimal.ts';
import { amountOfUnits, parseUnits } from '../../../src/money/units.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { bookFiles } from '../../../src/sandbox/world/books/files.ts';
import { isOnlySet } from '../../../src/sandbox/world/books/receipts.ts';
import { COURIER_ON_BANK_LINES, type ShopBooks } from '../../../src/sandbox/world/books/shop-books.ts';
import type { Planted, WorldOptions } from '../../../src/sandbox/world/planted.ts';
import { seedWorld } from '../../../src/sandbox/world/seed.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { findings, lookedFor } from './invariants.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const WORLD: WorldOptions = {
  months: { from: '2026-09', to: '2026-11' },
  orders: 400,
  seed: '3',
  asOf: NOW,
  plant: true,
  books: true,
};

type Row = Record<string, string>;

function kept(options: Partial<WorldOptions> = {}): { store: Store; books: ShopBooks; planted: Planted[] } {
  const store = openStore(':memory:');
  const { books, planted } = seedWorld(store, { ...WORLD, ...options });
  if (!books) throw new Error('no books were kept');
  return { store, books, planted };
}

const fileOf = (books: ShopBooks, name: string): string =>
  bookFiles(books).find((file) => file.name === name)?.text ?? '';
const rowsOf = (books: ShopBooks, name: string): Row[] => parse(fileOf(books, name), { columns: true });

/** The text of every element of an XML file, by its path, in order. */
function elements(xml: string): { path: string; text: string; attributes: Row }[] {
  const parser = new SaxesParser();
  const open: { name: string; text: string; attributes: Row }[] = [];
  const found: { path: string; text: string; attributes: Row }[] = [];
  parser.on('opentag', ({ name, attributes }) => open.push({ name, text: '', attributes: attributes as Row }));
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => {
    const at = open.map(({ name }) => name).join('/');
    const { text, attributes } = open.pop()!;
    found.push({ path: at, text, attributes });
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

interface Line {
  date: string;
  amount: bigint;
  text: string;
  party: string;
}

/** The lines of the CAMT file, and its balances. */
function camt(books: ShopBooks): { lines: Line[]; opening: bigint; closing: bigint } {
  const all = elements(fileOf(books, 'bank-usd.xml'));
  const texts = (ending: string) => all.filter(({ path }) => path.endsWith(ending)).map(({ text }) => text);
  const signs = texts('Ntry/CdtDbtInd');
  const lines = texts('Ntry/Amt').map((amount, i) => ({
    date: texts('Ntry/BookgDt/Dt')[i]!,
    amount: parseUnits(amount) * (signs[i] === 'DBIT' ? -1n : 1n),
    text: texts('RmtInf/Ustrd')[i]!,
    party: texts('tr/Nm')[i]!,
  }));
  const [opening, closing] = texts('Bal/Amt').map(parseUnits) as [bigint, bigint];
  return { lines, opening, closing };
}

function ofx(books: ShopBooks): { lines: Line[]; closing: bigint } {
  const all = elements(fileOf(books, 'bank-lbp.ofx').replace(/^<\?OFX.*$/m, ''));
  const texts = (ending: string) => all.filter(({ path }) => path.endsWith(ending)).map(({ text }) => text);
  const lines = texts('STMTTRN/TRNAMT').map((amount, i) => ({
    date: texts('STMTTRN/DTPOSTED')[i]!,
    amount: parseUnits(amount),
    text: texts('STMTTRN/MEMO')[i]!,
    party: texts('STMTTRN/NAME')[i]!,
  }));
  return { lines, closing: parseUnits(texts('LEDGERBAL/BALAMT')[0] ?? '') };
}

interface Net {
  number: number;
  status: string;
  issued_at: string;
  units: bigint;
}

/** The stated net of every invoice of the first merchant in a currency. */
function nets(store: Store, currency: string): Net[] {
  return store
    .all<Omit<Net, 'units'> & { text: string }>(
      `select i.number, i.status, i.issued_at, cast(m.net_due_to_merchant as text) as text from invoice i
       join invoice_money m on m.invoice_number = i.number and m.view = 'detail'
       where i.merchant_id = 1 and m.currency = ?`,
      currency,
    )
    .map(({ text, ...rest }) => ({ ...rest, units: BigInt(text) }));
}

const total = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
const courier = (lines: Line[]): Line[] => lines.filter(({ party }) => party === COURIER_ON_BANK_LINES);

describe('the books of a clean world', () => {
  const { store, books } = kept({ plant: false });

  test('ask for exactly what the courier is to collect, order by order and in sum', () => {
    const own = rowsOf(books, 'orders.csv');
    const records = store.all<{ reference_id: string; currency: string; cod: string; state: string }>(
      `select o.reference_id, m.currency, cast(m.cod as text) as cod, o.delivery_state as state from delivery_order o
       join order_money m on m.order_id = o.order_id where o.merchant_id = 1 and m.cod is not null`,
    );
    const named = new Map(own.map((row) => [`${row.reference}/${row.currency}`, row]));
    expect(named.size).toBe(own.length);
    for (const { reference_id, currency, cod, state } of records) {
      const row = named.get(`${reference_id}/${currency}`);
      expect([reference_id, parseUnits(row?.cod ?? 'none')]).toEqual([reference_id, BigInt(cod)]);
      expect(row?.status).toBe(state === 'CANCELLED' ? 'cancelled' : 'handed_over');
    }
    for (const currency of ['USD', 'LBP']) {
      const asked = total(own.filter((row) => row.currency === currency).map((row) => parseUnits(row.cod ?? '')));
      const recorded = total(records.filter((r) => r.currency === currency).map(({ cod }) => BigInt(cod)));
      expect(asked).toBe(recorded);
    }
    expect(books.planted).toEqual([]);
  });

  test('hold a receipt of the courier for the net of every paid invoice, and for no other', () => {
    const paid = (currency: string) =>
      nets(store, currency).filter(({ status, units }) => status === 'PAID' && units > 0n);
    expect(total(courier(camt(books).lines).map(({ amount }) => amount))).toBe(total(paid('USD').map((n) => n.units)));
    expect(total(courier(ofx(books).lines).map(({ amount }) => amount))).toBe(total(paid('LBP').map((n) => n.units)));
    for (const { lines, currency } of [
      { ...camt(books), currency: 'USD' },
      { ...ofx(books), currency: 'LBP' },
    ]) {
      const known = new Map(paid(currency).map((net) => [String(net.number), net]));
      for (const { text, date } of courier(lines)) {
        for (const [number] of text.matchAll(/\d{5}/g)) {
          const issued = known.get(number)?.issued_at.slice(0, 10) ?? 'unknown';
          expect(date.replaceAll('-', '') > issued.replaceAll('-', '')).toBe(true);
        }
      }
    }
  });

  test('state balances that their lines come to', () => {
    const { lines, opening, closing } = camt(books);
    expect(opening + total(lines.map(({ amount }) => amount))).toBe(closing);
    expect(total(ofx(books).lines.map(({ amount }) => amount)) + 9_000_000_000_000n).toBe(ofx(books).closing);
    expect(courier(lines).length).toBeLessThan(lines.length);
    expect(lines.map(({ date }) => date)).toEqual(lines.map(({ date }) => date).sort());
  });

  test('have one agreed price, and the right one, for every order', () => {
    const tariff = rowsOf(books, 'tariff.csv');
    const orders = store.all<{ id: string; workflow: string; district: string; day: string }>(
      `select o.order_id as id, o.workflow, a.district, substr(o.created_at, 1, 10) as day from delivery_order o
       join customer_location l on l.id = o.customer_location_id join area a on a.id = l.area_id where o.merchant_id = 1`,
    );
    for (const { id, workflow, district, day } of orders) {
      const agreed = tariff
        .filter((line) => line.workflow === workflow && line.district === district)
        .filter(({ from = '', to = '' }) => from <= day && (to === '' || day <= to))
        .map(({ currency, fee }) => [currency, fee]);
      const charged = store
        .all<{ currency: string; units: string }>(
          `select currency, cast(delivery_fee as text) as units from order_money where order_id = ? and delivery_fee is not null`,
          id,
        )
        .map(({ currency, units }) => [currency, formatAmount(amountOfUnits(units))]);
      expect(agreed.sort()).toEqual(charged.sort());
    }
  });
});

describe('planted differences', () => {
  const { store, books, planted } = kept();
  const of = (code: string) => books.planted.filter((each) => each.code === code);

  test('are one of every kind that two sides can have, and disturb none of the courier’s own', () => {
    expect([...new Set(books.planted.map(({ code }) => code))].sort()).toEqual([
      ...['book-cod-differs', 'fee-no-tariff', 'fee-off-tariff', 'implied-rate', 'not-at-courier', 'not-in-books'],
      ...[
        'paid-in-another-currency',
        'receipt-ambiguous',
        'receipt-unmatched',
        'remittance-missing',
        'remittance-over',
        'remittance-short',
      ],
    ]);
    expect(findings(store, 1, NOW)).toEqual(lookedFor(planted));
  });

  test('come to the difference of all receipts and all paid nets, to the cent', () => {
    const { lines } = camt(books);
    const cash = rowsOf(books, 'cash-book.csv').map((row) => parseUnits(row.amount ?? ''));
    const paid = nets(store, 'USD').filter(({ status, units }) => status === 'PAID' && units > 0n);
    const received = total([...courier(lines).map(({ amount }) => amount), ...cash]);
    const effects = ['remittance-missing', 'remittance-short', 'remittance-over'].flatMap((code) => of(code));
    const loose = [...of('receipt-ambiguous'), ...of('receipt-unmatched')];
    expect(received - total(paid.map(({ units }) => units))).toBe(
      total(effects.map(({ effect }) => parseUnits(effect ?? ''))) +
        total(loose.map(({ amount }) => parseUnits(amount ?? ''))),
    );
  });

  test('are where they are said to be in the order book', () => {
    const own = rowsOf(books, 'orders.csv');
    const courierCod = (id: string | null) =>
      store.all<{ reference_id: string; currency: string; cod: string }>(
        `select o.reference_id, m.currency, cast(m.cod as text) as cod from delivery_order o
         join order_money m on m.order_id = o.order_id where o.order_id = ? and m.cod is not null`,
        id,
      );
    const [absent] = of('not-in-books');
    const [record] = courierCod(absent?.order_id ?? null);
    expect(own.filter((row) => row.reference === record?.reference_id)).toEqual([]);
    const [lost] = of('not-at-courier');
    expect(own.filter((row) => row.reference === lost?.reference_id)).toMatchObject([{ status: 'handed_over' }]);
    for (const { order_id, currency, effect } of of('book-cod-differs')) {
      const records = courierCod(order_id);
      const asked = own.filter((row) => row.reference === records[0]?.reference_id && row.currency === currency);
      const recorded = records.filter((record) => record.currency === currency).map(({ cod }) => BigInt(cod));
      expect(total(recorded) - total(asked.map((row) => parseUnits(row.cod ?? '')))).toBe(parseUnits(effect ?? ''));
    }
  });

  test('leave a receipt with two ways, one with none, and all others with one', () => {
    const [ambiguous, unmatched] = [of('receipt-ambiguous')[0], of('receipt-unmatched')[0]];
    const usd = nets(store, 'USD').filter(({ units }) => units > 0n);
    const equal = (amount: bigint) => usd.filter(({ units }) => units === amount);
    expect(equal(parseUnits(ambiguous?.amount ?? '')).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
    expect(usd.every(({ units }) => units > parseUnits(unmatched?.amount ?? ''))).toBe(true);
    const named = new Set(
      courier(camt(books).lines).flatMap(({ text }) => [...text.matchAll(/\d{5}/g)].map(([number]) => Number(number))),
    );
    const open = nets(store, 'USD')
      .filter(({ number }) => !named.has(number))
      .map(({ units }) => units);
    const unnamed = courier(camt(books).lines).filter(({ text }) => text === 'COD remittance');
    const ways = unnamed.map(({ amount }) => isOnlySet(open, amount));
    expect(ways.filter((only) => !only)).toHaveLength(1);
  });

  test('leave a district and a fee out of the agreed prices', () => {
    const tariff = rowsOf(books, 'tariff.csv');
    expect(tariff.filter(({ district }) => district === 'Hermel')).toEqual([]);
    const [off] = of('fee-off-tariff');
    expect(off?.effect).toBe('-0.75');
  });
});

test.each([false, true])('are read by the importers, to the cent and with nothing left over (planted: %s)', (plant) => {
  const { books } = kept({ plant });
  const files = bookFiles(books);
  expect(files.length).toBe(plant ? 6 : 5);
  for (const { kind, name, text } of files) {
    const read: { skipped?: readonly unknown[] } = readBytes(kind, Buffer.from(text), name);
    expect([name, read.skipped ?? []]).toEqual([name, []]);
  }
  // An entry of camt.053.001.02 has its transaction code, after the bank's reference.
  const entries = fileOf(books, 'bank-usd.xml').match(/<Ntry>.*?<\/Ntry>/gs)!;
  expect(entries.filter((entry) => !/<\/AcctSvcrRef>\s*<BkTxCd><Domn>.*<\/BkTxCd>\s*<NtryDtls>/.test(entry))).toEqual(
    [],
  );
  const own = readBytes('orders', Buffer.from(fileOf(books, 'orders.csv')), 'orders.csv');
  const asked = own.orders.flatMap(({ amounts }) => amounts.map(({ cod }) => parseUnits(cod)));
  expect(total(asked)).toBe(total(books.orders.map(({ cod }) => cod)));
  expect(own.orders).toHaveLength(new Set(books.orders.map(({ reference }) => reference)).size);
});

test.each(['3', '11', 'demo', 'x', 'y'])('are matched but where they differ on purpose (seed %s)', (seed) => {
  const { store, books } = kept({ seed });
  const receipts = bookFiles(books)
    .filter(({ kind }) => kind === 'receipts')
    .flatMap(({ name, text }) => readBytes('receipts', Buffer.from(text), name).statements)
    .flatMap(({ lines }) => lines)
    .filter(({ counterparty, reference }) => counterparty === COURIER_ON_BANK_LINES || reference !== null)
    .map((line, index) => {
      const amount = parseUnits(line.amount);
      const text = `${line.text} ${line.counterparty ?? ''}`;
      return { ...line, id: String(index), amount, left: amount, text, invoiceHint: line.reference };
    });
  const invoices = ['USD', 'LBP'].flatMap((currency) =>
    nets(store, currency).map(({ number, issued_at, units, status }) => ({
      ...{ number, currency, status, net: units, matched: 0n },
      date: issued_at.slice(0, 10),
    })),
  );
  const { matches, ambiguous, unmatched } = matchReceipts({ receipts, invoices, options: { matchDays: 21 } });
  const amountOf = (code: string) => books.planted.find((each) => each.code === code)?.amount;
  expect(ambiguous.map(({ amount }) => formatAmount(amountOfUnits(amount)))).toEqual([amountOf('receipt-ambiguous')]);
  expect(unmatched.receipts.map((id) => formatAmount(amountOfUnits(receipts[Number(id)]!.amount)))).toEqual([
    amountOf('receipt-unmatched'),
  ]);
  const departures = invoices
    .filter(({ status, net }) => status === 'PAID' && net > 0n)
    .map(({ number, currency, net }) => {
      const got = matches
        .filter((match) => match.currency === currency)
        .flatMap((match) => match.invoices.filter((share) => share.number === number).map(({ amount }) => amount));
      return { number, currency, effect: formatAmount(amountOfUnits(total(got) - net)) };
    })
    .filter(({ effect }) => effect !== '0.00')
    .sort((a, b) => a.number - b.number);
  expect(departures).toEqual(
    books.planted
      .filter(({ code }) => code.startsWith('remittance-'))
      .map(({ invoice_number, currency, effect }) => ({ number: invoice_number ?? 0, currency, effect }))
      .sort((a, b) => a.number - b.number),
  );
});

test('one set only is told from several and from none', () => {
  expect(isOnlySet([5n, 7n, 11n], 12n)).toBe(true);
  expect(isOnlySet([5n, 7n, 12n], 12n)).toBe(false);
  expect(isOnlySet([5n, 7n], 13n)).toBe(false);
});

describe('remit sandbox seed --books', () => {
  const SEED = ['sandbox', 'seed', '--data', 'courier.db', '--orders', '400', '--plant', '--json'];

  test('writes the files and says what they are', async () => {
    const cwd = scratchFolder();
    const { code, stdout } = await remit([...SEED, '--books', 'mine'], { cwd, now: NOW });
    expect(code).toBe(0);
    const { books, planted } = JSON.parse(stdout);
    expect(planted.length).toBeGreaterThan(20);
    expect(books.payer).toBe(COURIER_ON_BANK_LINES);
    expect(books.files.map(({ kind, format }: Row) => `${kind} ${format}`)).toEqual([
      ...['orders csv', 'receipts camt', 'receipts ofx', 'receipts csv', 'tariff csv', 'rates csv'],
    ]);
    for (const { file } of books.files) expect(readFileSync(file, 'utf8').length).toBeGreaterThan(50);
    expect(books.planted.find((each: Planted) => each.code === 'remittance-short')).toMatchObject({
      invoice_number: expect.any(Number),
      currency: 'USD',
      effect: '-30.00',
    });
  });

  test('touches no folder that holds something', async () => {
    const cwd = scratchFolder();
    writeFileSync(path.join(cwd, 'orders.csv'), 'mine');
    const { code, stderr } = await remit([...SEED, '--books', '.'], { cwd, now: NOW });
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not empty')]);
    expect(readdirSync(cwd)).toEqual(['orders.csv']);
  });
});

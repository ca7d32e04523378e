import { DAY, dateText } from '../../calendar.ts';
import { type Random, seededRandom } from '../../random.ts';
import type { Store } from '../../store/store.ts';
import type { Differences } from './differences.ts';
import { type BankLine, COURIER_ON_BANK_LINES, type PaymentLine } from './shop-books.ts';

/** An invoice's net in one currency, in units, with its times in milliseconds; `paid` is null if it is not paid. */
interface Due {
  readonly number: number;
  readonly issued: number;
  readonly paid: number | null;
  readonly net: bigint;
}

/** Invoices that are paid together. */
interface Payment {
  readonly dues: readonly Due[];
  /** `named` and `in parts` name the invoices in their texts, the others do not. `unnamed` is chosen last. */
  kind: 'named' | 'unnamed' | 'in parts' | 'in cash';
}

/** A payment without an invoice's number can be matched if it comes within this time after its invoices. */
const MATCHED_WITHIN = 20 * DAY;

/** The least net, in units of either currency, that is paid in parts: smaller parts may equal another sum by chance. */
const LEAST_IN_PARTS = 2_000_000n;

/** The number of payments in each currency that do not name their invoices. */
const UNNAMED_PAYMENTS = 3;

/**
 * Makes the courier's payments: each paid invoice's net, per currency, on the day on which it was paid or the day
 * after. Some payments cover several invoices, some invoices are paid in two parts. A payment names its invoices, or
 * can be matched because no other invoices add up to it.
 *
 * @param asOf nothing is received after this moment, in milliseconds
 */
export function makeReceipts(
  store: Store,
  merchant: number,
  { differences, seed, asOf }: { differences: Differences; seed: string; asOf: number },
): PaymentLine[] {
  const currencies = store.all<{ currency: string }>(
    `select distinct m.currency from invoice_money m join invoice i on i.number = m.invoice_number
     where i.merchant_id = ? order by 1`,
    merchant,
  );
  return currencies.flatMap(({ currency }) => {
    const random = seededRandom(`${seed}/bank/${currency}`);
    const dues = readDues(store, merchant, currency);
    const payments = choosePayments(dues, differences, random);
    const receipts = payments.flatMap((payment) => receiptsOf(payment, { currency, random, asOf }));
    return [...receipts, ...(currency === 'USD' ? differingReceipts(dues, differences, asOf) : [])];
  });
}

/** Chooses which invoices are paid together, and which payments do not name theirs. */
function choosePayments(dues: readonly Due[], differences: Differences, random: Random): Payment[] {
  const { alike, aboveNet, inCash } = differences;
  // What is paid for these invoices, if anything is, comes from `differingReceipts`.
  const paidOtherwise = new Set([...alike, ...aboveNet.keys()]);
  const paidDues = dues.filter(({ paid, number, net }) => paid !== null && net > 0n && !paidOtherwise.has(number));
  const inParts = (group: readonly Due[]): boolean =>
    group.length === 1 && random.chance(0.15) && group.every(({ net }) => net >= LEAST_IN_PARTS);
  const byBank = paidDues.filter(({ number }) => !inCash.has(number));
  const bankPayments = grouped(byBank, random).map(
    (group): Payment => ({ dues: group, kind: inParts(group) ? 'in parts' : 'named' }),
  );
  // The last payments that come in time to be matched without a number need not name their invoices. They do so all the
  // same if the invoices that no other payment names can be added up to the payment in a second way.
  const named = bankPayments.filter(({ kind }) => kind === 'named');
  const mayBeUnnamed = named.filter((payment) => payment.dues.every(isPaidInTime)).slice(-UNNAMED_PAYMENTS);
  const namedByOthers = named.filter((payment) => !mayBeUnnamed.includes(payment)).flatMap((payment) => payment.dues);
  const openNets = dues.filter((due) => !namedByOthers.includes(due)).map(({ net }) => net);
  for (const payment of mayBeUnnamed) if (isOnlySet(openNets, sumOf(payment))) payment.kind = 'unnamed';
  const byCash = paidDues.filter(({ number }) => inCash.has(number));
  return [...bankPayments, ...byCash.map((due): Payment => ({ dues: [due], kind: 'in cash' }))];
}

/** The payment can be matched without the invoice's number, though it arrives up to a day later. */
const isPaidInTime = ({ issued, paid }: Due): boolean => (paid ?? 0) + DAY - issued < MATCHED_WITHIN;

const sumOf = ({ dues }: Payment): bigint => dues.reduce((sum, { net }) => sum + net, 0n);

/** The nets of all invoices of a merchant, paid or not, positive or negative; oldest payment first, unpaid last. */
function readDues(store: Store, merchant: number, currency: string): Due[] {
  const rows = store.all<{ number: number; issued_at: string; paid_at: string | null; status: string; net: string }>(
    `select i.number, i.issued_at, i.paid_at, i.status, cast(m.net_due_to_merchant as text) as net
     from invoice i join invoice_money m on m.invoice_number = i.number and m.view = 'detail'
     where i.merchant_id = ? and i.hidden = 0 and m.currency = ? and m.net_due_to_merchant <> 0
     order by coalesce(i.paid_at, '~'), i.number`,
    [merchant, currency],
  );
  return rows.map(({ number, issued_at, paid_at, status, net }) => {
    const paid = status === 'PAID' && paid_at !== null ? Date.parse(paid_at) : null;
    return { number, issued: Date.parse(issued_at), paid, net: BigInt(net) };
  });
}

/** Groups invoices that are paid together: mostly one, sometimes two or three that were paid in succession. */
function grouped(paid: readonly Due[], random: Random): Due[][] {
  const groups: Due[][] = [];
  for (let first = 0; first < paid.length; ) {
    const size = random.chance(0.25) ? random.int(2, 3) : 1;
    groups.push(paid.slice(first, first + size));
    first += size;
  }
  return groups;
}

/** The lines by which a payment arrives: two if it is paid in parts. */
function receiptsOf(payment: Payment, { currency, random, asOf }: { currency: string; random: Random; asOf: number }) {
  const { dues, kind } = payment;
  const last = Math.max(...dues.map(({ paid }) => paid ?? 0));
  const invoices = dues.map(({ number }) => number);
  const date = dateText(Math.min(last + random.int(0, 1) * DAY, asOf));
  const base = { date, currency, counterparty: COURIER_ON_BANK_LINES, invoices };
  const total = sumOf(payment);
  const namingText = `Invoice ${invoices.join(', ')} COD remittance`;
  if (kind === 'in parts') {
    // First a third, in whole dollars or pounds, as a person would pay it.
    const part = (total / 30_000n) * 10_000n;
    return [part, total - part].map((amount, i) => ({ ...base, amount, text: `${namingText}, part ${i + 1}` }));
  }
  const texts = { named: namingText, unnamed: 'COD remittance', 'in cash': 'Cash from the driver' };
  return [{ ...base, amount: total, text: texts[kind] }];
}

/**
 * Receipts that differ from the courier's documents: too high or too low (for null in `aboveNet` there is none); one
 * that pays one of the invoices with equal nets (`alike`) and names none; one that belongs to no invoice.
 */
function differingReceipts(dues: readonly Due[], { aboveNet, alike, unexplained }: Differences, asOf: number) {
  const receipts: PaymentLine[] = [];
  const base = { currency: 'USD', counterparty: COURIER_ON_BANK_LINES };
  const receive = (moment: number, amount: bigint, text: string, invoices: number[]) =>
    receipts.push({ ...base, date: dateText(Math.min(moment, asOf)), amount, text, invoices });
  for (const due of dues) {
    const difference = aboveNet.get(due.number);
    if (difference != null)
      receive(due.paid ?? asOf, due.net + difference, `Invoice ${due.number} COD remittance`, [due.number]);
  }
  const paidAlike = dues.find(({ number }) => alike.includes(number));
  if (!paidAlike) return receipts;
  const moment = paidAlike.paid ?? asOf;
  receive(moment, paidAlike.net, 'COD remittance', []);
  if (unexplained !== null) receive(moment, unexplained, 'Correction', []);
  return receipts;
}

/** The shop's other bank lines: cards, rent, wages, on the same day of each month. */
export function otherLines(months: readonly string[], lastDay: string): BankLine[] {
  const linesOf = (month: string): BankLine[] => [
    {
      date: `${month}-03`,
      currency: 'USD',
      amount: -9_500_000n,
      counterparty: 'Saab Properties',
      text: `Rent ${month}`,
    },
    { date: `${month}-12`, currency: 'USD', amount: 13_427_500n, counterparty: 'Card Acquiring', text: 'Card sales' },
    { date: `${month}-27`, currency: 'LBP', amount: -450_000_000_000n, counterparty: 'Staff', text: `Wages ${month}` },
  ];
  return months.flatMap(linesOf).filter(({ date }) => date <= lastDay);
}

/** Above this number of different sums the search stops. */
const MOST_SUMS = 300_000;

/** Exactly one set of these amounts adds up to a total; false also if there are too many sums to try. */
export function isOnlySet(amounts: readonly bigint[], total: bigint): boolean {
  let ways = new Map<bigint, number>([[0n, 1]]);
  for (const amount of amounts) {
    const next = new Map(ways);
    for (const [sum, count] of ways) next.set(sum + amount, (next.get(sum + amount) ?? 0) + count);
    if (next.size > MOST_SUMS) return false;
    ways = next;
  }
  return ways.get(total) === 1;
}

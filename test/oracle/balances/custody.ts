import { decimal } from '../units.ts';
import { monthAfter } from '../world/clock.ts';
import { type BalanceBook, isListed, monthsOf, recordedCods } from './balance.ts';
import { amountOf, type Must } from './engines.ts';
import { type BalancePlan, dayAfter, type PlannedInvoice } from './plan.ts';
import type { Rows } from './surfaces.ts';

/** COD by `currency place` at a month's end, and by `currency uninvoiced` what of it is on no invoice. */
type Places = Map<string, bigint>;

/**
 * Where the COD is, written from the design alone: received where receipts and decisions leave nothing open of the
 * invoice that lists the order, and the Paid flag cleared none of it; else by the payment state of that day.
 */
function placesAt(plan: BalancePlan, book: BalanceBook, month: string, night: number): Places {
  const close = book.closed.find(({ period, night: at }) => period === month && at <= night);
  const known = close?.night ?? night;
  const end = dayAfter(`${monthAfter(month, 1)}-01`, -1);
  const parts = book.parts(month, night);
  const places: Places = new Map();
  const add = (key: string, cod: bigint) => places.set(key, (places.get(key) ?? 0n) + cod);
  for (const invoice of plan.invoices) {
    const first = plan.nights.findIndex((day) => day > invoice.issued);
    if (first < 0 || first > known || book.bookedDay(invoice.issued, first, month, night) > end) continue;
    const isInvoiced = listedAt(plan, book, invoice, { month, night, known, end });
    const { paidFrom } = invoice;
    const isPaid = paidFrom !== null && paidFrom <= end && paidFrom <= plan.nights[known]!;
    for (const [currency, cod] of recordedCods(invoice, plan.nights[first]!)) {
      const part = (kind: string) => parts.get(`${invoice.number} ${currency} ${kind}`) ?? 0n;
      const isReceived = isInvoiced && part('flag') === 0n && part('stated') + part('received') + part('settled') <= 0n;
      add(`${currency} ${isReceived ? 'received' : isPaid ? 'paid' : 'ready'}`, cod);
      if (!isInvoiced) add(`${currency} uninvoiced`, cod);
    }
  }
  return places;
}

/**
 * Whether the invoice is on a list at a month's end: it began to be on its own day, and each change counts on the night
 * that showed it.
 */
function listedAt(
  plan: BalancePlan,
  book: BalanceBook,
  invoice: PlannedInvoice,
  { month, night, known, end }: { month: string; night: number; known: number; end: string },
): boolean {
  const first = book.firstSeen(invoice);
  if (first < 0) return false;
  let listed = false;
  for (let at = first; at <= known; at += 1) {
    const day = at === first ? invoice.issued : plan.nights[at]!;
    if (book.bookedDay(day, at, month, night) <= end) listed = isListed(invoice, plan.nights[at]!);
  }
  return listed;
}

/** The report of where the cash is, month by month, and how it ties to Not invoiced and to the balance. */
export async function compareCustody(
  plan: BalancePlan,
  book: BalanceBook,
  night: number,
  must: Must,
): Promise<string[]> {
  const faults: string[] = [];
  const read = async (name: string, month: string) =>
    JSON.parse(await must([0, 1, 3], 'report', name, month, '--format', 'json')) as Rows & { notes: string[] };
  for (const month of monthsOf(plan, night)) {
    const custody = await read('custody', month);
    const notInvoiced = await read('not-invoiced', month);
    const due = placesAt(plan, book, month, night);
    const said: Places = new Map();
    for (const { currency, where, cod } of custody.rows) {
      const key = `${currency} ${where}`;
      said.set(key, (said.get(key) ?? 0n) + amountOf(cod));
    }
    for (const { currency, cod } of notInvoiced.totals) said.set(`${currency} uninvoiced`, amountOf(cod));
    for (const key of new Set([...due.keys(), ...said.keys()])) {
      const [one, other] = [said.get(key) ?? 0n, due.get(key) ?? 0n];
      if (one !== other) faults.push(`${month} ${key}: custody is ${decimal(one)}, not ${decimal(other)}`);
    }
    faults.push(...tieFaults(month, custody.notes, book.closing(month, night)));
  }
  return faults;
}

/**
 * The printed way from what is receivable to the balance adds up, leaves nothing unexplained, and ends with the
 * oracle's balance.
 */
export function tieFaults(
  month: string,
  notes: readonly string[],
  closing: ReadonlyMap<string, bigint> | null,
): string[] {
  return notes
    .flatMap((note) => /From what is receivable to the balance: (.*)\.$/.exec(note)?.[1] ?? [])
    .flatMap((way) => {
      const [currency = ''] = /[A-Z]{3}$/.exec(way) ?? [];
      const amounts = way
        .split('; ')
        .map((step) => amountOf(/(-?[\d,.]+) [A-Z]{3}$/.exec(step)![1]!.replaceAll(',', '')));
      const end = amounts.at(-1)!;
      const sum = amounts.slice(0, -1).reduce((total, one) => total + one, 0n);
      const due = closing === null ? end : (closing.get(currency) ?? 0n);
      return sum === end && end === due && !way.includes('unexplained')
        ? []
        : [`${month} ${currency}: custody ties as ${way}, and the balance is ${decimal(due)}`];
    });
}

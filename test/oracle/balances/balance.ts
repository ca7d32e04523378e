import { monthAfter, monthsBetween } from '../world/clock.ts';
import { type BalancePlan, dayAfter, FIRST_DAY, type PlannedInvoice, type PlannedReceipt } from './plan.ts';

/** Days after an invoice's date in which its money may be on its way: remit's default. */
const LAG_DAYS = 5;

/** What was decided, with the amount that the program was asked for. */
export interface Settled {
  readonly number: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly night: number;
  undoneOn: number | null;
}

/** An advance that a person matched: what of it the invoice got, and what was agreed on beside it. */
export interface MatchedByHand {
  readonly receipt: string;
  readonly number: number;
  readonly currency: string;
  readonly agreed: bigint;
  readonly night: number;
}

export interface Closed {
  readonly period: string;
  readonly night: number;
}

/** What changes an invoice's balance, or what is unallocated (`number` null; more unallocated is negative). */
interface Movement {
  readonly number: number | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly day: string;
  /** The receipt's date, of what is unallocated. */
  readonly came?: string;
  /** The night that made it known. */
  readonly known: number;
  readonly kind: 'stated' | 'received' | 'settled' | 'flag' | 'unallocated' | 'disputed';
}

/**
 * What the courier owes, written from the design alone: `open(D) = net due - receipts matched to it dated <= D - agreed
 * differences and write-offs dated <= D`, and what came in for no invoice that is issued yet, unallocated.
 */
export class BalanceBook {
  readonly settled: Settled[] = [];
  readonly matched: MatchedByHand[] = [];
  readonly closed: Closed[] = [];
  readonly #plan: BalancePlan;

  constructor(plan: BalancePlan) {
    this.#plan = plan;
  }

  /** Closing balances by currency at a month's end, as known after a night. A closed month's are those of its close. */
  closing(month: string, night: number): Map<string, bigint> {
    const close = this.closed.find(({ period, night: at }) => period === month && at <= night);
    return this.#sum(month, close?.night ?? night, close?.period ?? null, ({ currency }) => currency);
  }

  /**
   * What is in dispute at a month's end by currency: what the orders' records said at first sight and the invoices do
   * not say.
   */
  inDispute(month: string, night: number): Map<string, bigint> {
    const close = this.closed.find(({ period, night: at }) => period === month && at <= night);
    const [known, own] = [close?.night ?? night, close?.period ?? null];
    const movements = this.#plan.invoices.flatMap((invoice) => this.#disputed(invoice, known));
    return this.#sum(month, known, own, ({ currency }) => currency, movements);
  }

  /** Open items at a month's end, by `number currency`, `unallocated currency` among them. */
  items(month: string, night: number): Map<string, bigint> {
    const close = this.closed.find(({ period, night: at }) => period === month && at <= night);
    const key = ({ number, currency }: Movement) => `${number ?? 'unallocated'} ${currency}`;
    return this.#sum(month, close?.night ?? night, close?.period ?? null, key);
  }

  /** The items at a month's end by kind: `number currency kind`. */
  parts(month: string, night: number): Map<string, bigint> {
    const close = this.closed.find(({ period, night: at }) => period === month && at <= night);
    const key = ({ number, currency, kind }: Movement) => `${number ?? 'unallocated'} ${currency} ${kind}`;
    return this.#sum(month, close?.night ?? night, close?.period ?? null, key);
  }

  /** The day on which something is booked, as a month is seen after a night. */
  bookedDay(day: string, known: number, month: string, night: number): string {
    const close = this.closed.find(({ period, night: at }) => period === month && at <= night);
    const closes = this.closed.filter(({ period, night: at }) => at <= night && (!close || period < close.period));
    const move = { number: null, currency: '', amount: 0n, day, known, kind: 'stated' } as const;
    return bookedOn(move, this.#plan, closes);
  }

  /** What is open of one invoice after a night, all that is known counted. */
  openToday(number: number, currency: string, night: number): bigint {
    return this.#movements(night)
      .filter((one) => one.number === number && one.currency === currency)
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** What is open after a night of the invoices and receipts up to a month's end, by currency. */
  openUpTo(month: string, night: number): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    const issued = new Map(this.#plan.invoices.map((invoice) => [invoice.number, invoice.issued]));
    for (const { number, came, currency, amount } of this.#movements(night)) {
      const day = number === null ? came! : issued.get(number)!;
      if (day.slice(0, 7) <= month) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    }
    return sums;
  }

  /** What is open of the invoices of a month after a night, all that is known counted. */
  openOfMonth(month: string, currency: string, night: number): bigint {
    return this.#plan.invoices
      .filter(({ issued }) => issued.slice(0, 7) === month)
      .reduce((sum, { number }) => sum + this.openToday(number, currency, night), 0n);
  }

  /** What receipts would have to bring: the net less what they brought and what was agreed, whatever the flag says. */
  asked(number: number, currency: string, night: number): bigint {
    return this.#movements(night)
      .filter((one) => one.number === number && one.currency === currency && one.kind !== 'flag')
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** @param beingClosed the month whose own close does not count yet */
  #sum(
    month: string,
    night: number,
    beingClosed: string | null,
    keyOf: (movement: Movement) => string,
    movements = this.#movements(night),
  ) {
    const sums = new Map<string, bigint>();
    const closes = this.closed.filter(
      ({ period, night: at }) => at <= night && (beingClosed === null || period < beingClosed),
    );
    for (const movement of movements) {
      if (bookedOn(movement, this.#plan, closes).slice(0, 7) > month) continue;
      const key = keyOf(movement);
      sums.set(key, (sums.get(key) ?? 0n) + movement.amount);
    }
    return sums;
  }

  #movements(night: number): Movement[] {
    const movements = this.#plan.invoices.flatMap((invoice) => this.#stated(invoice, night));
    for (const receipt of this.#plan.receipts) movements.push(...this.#received(receipt, night));
    for (const { number, currency, amount, night: known, undoneOn } of this.settled) {
      if (known > night || (undoneOn !== null && undoneOn <= night)) continue;
      movements.push({ number, currency, amount: -amount, day: this.#plan.nights[known]!, known, kind: 'settled' });
    }
    for (const { number, currency, agreed, night: known } of this.matched) {
      if (known > night) continue;
      movements.push({ number, currency, amount: -agreed, day: this.#plan.nights[known]!, known, kind: 'settled' });
    }
    return movements;
  }

  /**
   * What the courier's documents showed: the net, its changes, and the Paid flag where no bank file could show the
   * money.
   */
  #stated(invoice: PlannedInvoice, night: number): Movement[] {
    const movements: Movement[] = [];
    const { number, issued } = invoice;
    const first = this.firstSeen(invoice);
    for (const currency of invoice.nets.keys()) {
      let owed = 0n;
      let isPaid = false;
      for (let at = first; at >= 0 && at <= night; at += 1) {
        const seen = this.#plan.nights[at]!;
        const day = at === first || seen < issued ? issued : seen;
        const owes = isListed(invoice, seen) ? netsShown(invoice, seen).get(currency)! : 0n;
        if (owes !== owed) movements.push({ number, currency, amount: owes - owed, day, known: at, kind: 'stated' });
        owed = owes;
        if (isPaid || invoice.paidFrom === null || seen < invoice.paidFrom || !isListed(invoice, seen)) continue;
        isPaid = true;
        if (this.#isByReceipts(invoice, currency, night)) continue;
        // What was settled before it was marked paid is not paid.
        const amount = this.#settledBefore(number, currency, at, night) - owes;
        movements.push({ number, currency, amount, day: seen < issued ? issued : seen, known: at, kind: 'flag' });
      }
    }
    return movements;
  }

  /**
   * Found the night that first showed it, of the invoice's month; what changes it later counts on the night that showed
   * that.
   */
  #disputed(invoice: PlannedInvoice, night: number): Movement[] {
    const movements: Movement[] = [];
    const first = this.firstSeen(invoice);
    if (first < 0) return movements;
    const end = dayAfter(`${monthAfter(invoice.issued.slice(0, 7), 1)}-01`, -1);
    for (const [currency, due] of recordedCods(invoice, this.#plan.nights[first]!)) {
      let disputed = 0n;
      for (let at = first; at <= night; at += 1) {
        const seen = this.#plan.nights[at]!;
        const now = due - netsShown(invoice, seen).get(currency)!;
        const day = at === first && end < seen ? end : seen;
        const move = { number: invoice.number, currency, day, known: at, kind: 'disputed' as const };
        if (now !== disputed) movements.push({ ...move, amount: now - disputed });
        disputed = now;
      }
    }
    return movements;
  }

  #settledBefore(number: number, currency: string, before: number, night: number): bigint {
    return this.settled
      .filter((one) => one.number === number && one.currency === currency && one.night < before)
      .filter(({ undoneOn }) => undoneOn === null || undoneOn > night)
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** The first night that showed an invoice; -1 where none did. */
  firstSeen(invoice: PlannedInvoice): number {
    return this.#plan.nights.findIndex((night) => night > invoice.issued && isListed(invoice, night));
  }

  #received({ id, date, currency, amount, names, imported }: PlannedReceipt, night: number): Movement[] {
    if (imported > night) return [];
    const byHand = this.matched.find((one) => one.receipt === id && one.night <= night);
    const unallocated = { number: null, currency, came: date, kind: 'unallocated' as const };
    const came: Movement = { ...unallocated, amount: -amount, day: date, known: imported };
    const invoice = this.#plan.invoices.find(({ number }) => number === (byHand?.number ?? names));
    const first = invoice ? this.firstSeen(invoice) : -1;
    if (!invoice || first < 0 || first > night) return [came];
    const allocated = {
      day: date < invoice.issued ? invoice.issued : date,
      known: byHand?.night ?? Math.max(imported, first),
    };
    return [
      came,
      { ...unallocated, ...allocated, amount },
      { ...allocated, number: invoice.number, currency, amount: -amount, kind: 'received' },
    ];
  }

  /** Receipts settle an invoice where one is matched to it, or where files hold every day of its payment window. */
  #isByReceipts({ number, issued }: PlannedInvoice, currency: string, night: number): boolean {
    const matched =
      this.matched.some((one) => one.number === number && one.currency === currency && one.night <= night) ||
      this.#plan.receipts.some((one) => one.names === number && one.currency === currency && one.imported <= night);
    const held = heldDays(this.#plan, currency, night);
    return matched || (held !== null && held.from <= issued && held.to >= dayAfter(issued, LAG_DAYS));
  }
}

/** The days that the files of a currency state after a night: from the first that any states, without a gap. */
export function filedDays(plan: BalancePlan, currency: string, night: number): { from: string; to: string } | null {
  const { bank, nights, receipts } = plan;
  const manner = bank.get(currency);
  if (manner === 'never' || manner === undefined) return null;
  const first = manner === 'late' ? 2 : 0;
  if (night < first || nights.length <= first) return null;
  const begun = manner === 'late' ? dayAfter(nights[1]!, 1) : FIRST_DAY;
  // A file with an earlier line states its period from that line on.
  const lines = receipts.filter((one) => one.currency === currency && one.imported <= night).map(({ date }) => date);
  return { from: [begun, ...lines].sort()[0]!, to: nights[night]! };
}

/** The same where they show what the courier did not pay: an account does once it has paid into it. */
function heldDays(plan: BalancePlan, currency: string, night: number): { from: string; to: string } | null {
  const hasPaid = plan.receipts.some((one) => one.currency === currency && one.imported <= night);
  return hasPaid ? filedDays(plan, currency, night) : null;
}

export function isListed({ gone }: PlannedInvoice, day: string): boolean {
  return gone === null || day < gone.from || (gone.to !== null && day >= gone.to);
}

export function netsShown({ nets, restated }: PlannedInvoice, day: string): ReadonlyMap<string, bigint> {
  return restated !== null && day >= restated.from ? restated.nets : nets;
}

/** The COD of the order's own record on a day: the invoice's, or what that is short of. */
export function recordedCods(invoice: PlannedInvoice, day: string): ReadonlyMap<string, bigint> {
  const { nets, short } = invoice;
  if (short === 0n) return netsShown(invoice, day);
  const [first] = nets.keys();
  return new Map(nets).set(first!, nets.get(first!)! + short);
}

/** Its own day, or where its month was closed before it became known, the day on which it did. */
function bookedOn({ day, known }: Movement, { nights }: BalancePlan, closes: readonly Closed[]): string {
  const shut = closes
    .filter(({ period, night }) => night < known && day.slice(0, 7) <= period)
    .map(({ period }) => period);
  const last = shut.sort().at(-1);
  if (last === undefined) return day;
  const [seen, open] = [nights[known]!, `${monthAfter(last, 1)}-01`];
  return seen > open ? seen : open;
}

/** The months from the first to that of a night. */
export const monthsOf = (plan: BalancePlan, night: number): string[] =>
  monthsBetween(FIRST_DAY.slice(0, 7), plan.nights[night]!.slice(0, 7));

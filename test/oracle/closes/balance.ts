import type { InvoiceSide, KnownInvoice } from '../history/invoices.ts';
import type { Night } from '../history/knowledge.ts';
import { currenciesIn, of } from '../judge/money.ts';
import { dayOf, monthAfter } from '../world/clock.ts';

/** A month that was closed, after the night of this index. */
export interface ClosedAfter {
  readonly period: string;
  readonly night: number;
}

/** What moved what the courier owes, on the day that it is booked on. */
interface Movement {
  readonly day: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** All that was known after each night. */
export type Sides = readonly InvoiceSide[];

/**
 * What the courier owes at a month's end, by currency, from what the nights so far showed. Rules 59 to 61.
 *
 * @param closes the closes that keep what became known after them out of their months
 */
export function balanceAt(
  month: string,
  nights: readonly Night[],
  sides: Sides,
  closes: readonly ClosedAfter[],
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const invoice of sides.at(-1)?.invoices.values() ?? []) {
    for (const { day, currency, amount } of movementsOf(invoice, nights, sides, closes)) {
      if (day.slice(0, 7) <= month) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    }
  }
  return sums;
}

function movementsOf(
  invoice: KnownInvoice,
  nights: readonly Night[],
  sides: Sides,
  closes: readonly ClosedAfter[],
): Movement[] {
  const { number, details } = invoice;
  const [first, last] = [details[0], details.at(-1)];
  if (!first || !last) return [];
  const own = dayIn(invoice.period, last.document.issued_at.slice(0, 10));
  const currencies = currenciesIn(...details.map(({ document }) => document.net_due_to_merchant));
  const known = nights.map((night, index) => {
    const document = details.findLast(({ run }) => run <= index)?.document;
    const isLive = sides[index]?.invoices.get(number)?.live ?? false;
    return { seen: dayOf(night.at, night.zone ?? 'UTC'), document, isLive, index };
  });
  return currencies.flatMap((currency) => {
    let owed = 0n;
    let paid: bigint | null = null;
    return known.slice(first.run).flatMap(({ seen, document, isLive, index }): Movement[] => {
      const isFirst = index === first.run;
      const day = seen < own ? own : seen;
      const net = of(document?.net_due_to_merchant, currency);
      const owes = isLive ? net : 0n;
      const isPaid = document?.status === 'PAID';
      const wasPaid = paid ?? 0n;
      paid = isPaid ? (paid ?? net) : null;
      const at = (on: string) => bookedOn(on, seen, index, closes);
      const moved = [
        { day: at(isFirst ? own : day), currency, amount: owes - owed },
        { day: at(day), currency, amount: wasPaid - (paid ?? 0n) },
      ];
      owed = owes;
      return moved;
    });
  });
}

/** The invoice's day, within the month that it counts in. */
function dayIn(period: string, day: string): string {
  if (day.slice(0, 7) === period) return day;
  return day < period ? `${period}-01` : `${period}-31`;
}

/** The day itself, or where its month was closed before the night that showed it, the day of that night. */
function bookedOn(day: string, seen: string, night: number, closes: readonly ClosedAfter[]): string {
  const shut = closes.filter((close) => close.night < night && day.slice(0, 7) <= close.period);
  const last = shut
    .map(({ period }) => period)
    .sort()
    .at(-1);
  if (last === undefined) return day;
  const open = `${monthAfter(last, 1)}-01`;
  return seen > open ? seen : open;
}

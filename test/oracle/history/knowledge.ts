import { dayOf, monthAfter, monthsBetween } from '../world/clock.ts';
import type { OwnFiles } from '../world/own-book.ts';
import { type InvoiceSide, invoiceSide, type KnownInvoice } from './invoices.ts';
import { type Book, bookOf } from './orders.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Run } from './walk.ts';

/** A sync as it was asked for, and what was shown. */
export interface Night extends Run {
  /** The months asked for; null for the default. */
  readonly asked: { readonly from: string; readonly to: string } | null;
  /** Whose clock says which month it is: UTC, unless said. */
  readonly zone?: string;
  /** What the shop imported after it. */
  readonly own?: OwnFiles | null;
}

export interface Knowledge extends InvoiceSide {
  readonly book: Book;
  readonly nights: readonly Night[];
  readonly shop: Shop | null;
  /** When the check is made. */
  readonly now: Date;
  /** Months that the last night had to read and did not read to an end. */
  readonly unread: ReadonlyMap<string, number>;
}

/** All that the nights showed. */
export function knowledgeOf(nights: readonly Night[], now: Date): Knowledge {
  const side = invoiceSide(nights);
  return { ...side, book: bookOf(nights), nights, shop: shopOf(nights), now, unread: unreadMonths(nights, side) };
}

/** The month that it is by the clock of a night's books. */
export const monthOfNight = ({ zone = 'UTC' }: Pick<Night, 'zone'>, at: Date): string => dayOf(at, zone).slice(0, 7);

/**
 * The months that a night has to read: what was asked for, else last month, this month and every month known before.
 */
export function plannedMonths(night: Night, known: Iterable<string>): string[] {
  if (night.asked) return monthsBetween(night.asked.from, night.asked.to);
  const current = monthOfNight(night, night.at);
  return [...new Set([monthAfter(current, -1), current, ...known])].sort();
}

/** Months whose last planned reading did not come to its end, and the night of it. */
function unreadMonths(nights: readonly Night[], { months }: InvoiceSide): Map<string, number> {
  const unread = new Map<string, number>();
  nights.forEach((night, index) => {
    const known = [...months].filter(([, { walks }]) => walks.some((walk) => walk.run < index && walk.ended));
    for (const month of plannedMonths(
      night,
      known.map(([month]) => month),
    )) {
      const ended = months.get(month)?.walks.some((walk) => walk.run === index && walk.ended) ?? false;
      if (ended) unread.delete(month);
      else unread.set(month, index);
    }
  });
  return unread;
}

/** Live invoices with a readable detail, first by date, then by number. */
export const liveInOrder = ({ invoices }: Knowledge): KnownInvoice[] =>
  [...invoices.values()].filter(({ live, details }) => live && details.length > 0).sort(byIssue);

/** Vanished invoices with a readable detail, in the same order. */
export const vanishedInOrder = ({ invoices }: Knowledge): KnownInvoice[] =>
  [...invoices.values()].filter(({ live, details }) => !live && details.length > 0).sort(byIssue);

const issuedAt = ({ details }: KnownInvoice): number => Date.parse(details.at(-1)?.document.issued_at ?? '');

const byIssue = (a: KnownInvoice, b: KnownInvoice): number => issuedAt(a) - issuedAt(b) || a.number - b.number;

import type { Sentence } from '../../src/base/sentence.ts';
import type { NotComparedSentence } from '../../src/checks/incomplete.ts';
import type { RemedySentence } from '../../src/checks/requirement.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import { readVanishedInvoices } from '../../src/ledger/queries/invoices/invoices.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { OnlyCurrency } from '../filters.ts';

/** A closed month's net due in one currency at the close and now. */
type MovedNet = { readonly currency: string; readonly before: string; readonly after: string };

export type StatementWarning =
  | { id: 'moved-since-close'; figures: number; net: readonly MovedNet[] }
  | { id: 'month-incomplete'; why: Sentence }
  | { id: 'invoices-no-longer-listed'; invoices: readonly number[] };

/**
 * What a reader must know before trusting a month's figures: what moved since the close, why the ledger may lack part
 * of the month, and which invoices the courier no longer lists.
 *
 * @param incomplete why the ledger may lack part of the month, as the checks found it
 * @param onlyCurrency leaves out what could not be compared in other currencies
 */
export async function warningsOf(
  db: LedgerReader,
  month: string,
  mismatches: readonly Mismatch[],
  incomplete: readonly { readonly why: Sentence }[],
  onlyCurrency: OnlyCurrency,
): Promise<StatementWarning[]> {
  const warnings = movedSinceClose(mismatches, month);
  for (const { why } of incomplete) {
    const reason = onlyCurrency === null ? why : inCurrency(why, onlyCurrency);
    if (reason !== null) warnings.push({ id: 'month-incomplete', why: reason });
  }
  const invoices = await readVanishedInvoices(db, month);
  if (invoices.length > 0) warnings.push({ id: 'invoices-no-longer-listed', invoices });
  return warnings;
}

function movedSinceClose(mismatches: readonly Mismatch[], month: string): StatementWarning[] {
  const movedFigures = mismatches.filter(
    ({ code, period, status }) => code === 'closed-period-changed' && period === month && status !== 'resolved',
  );
  if (movedFigures.length === 0) return [];
  const net = movedFigures.flatMap(({ field, currency, expected, actual }) =>
    field === 'net_due_to_merchant' && currency !== null
      ? [{ currency, before: expected ?? '0.00', after: actual ?? '0.00' }]
      : [],
  );
  return [{ id: 'moved-since-close', figures: movedFigures.length, net }];
}

/** The reason, with the money in one currency; null if it is about money in others alone. */
function inCurrency(why: Sentence, currency: string): Sentence | null {
  if (why.id === 'with-remedy') {
    const inner = inCurrency((why as RemedySentence).why, currency);
    return inner && { ...why, why: inner };
  }
  if (why.id !== 'not-compared') return why;
  const money = (why as NotComparedSentence).money.filter((amount) => amount.currency === currency);
  return money.length === 0 ? null : { ...why, money };
}

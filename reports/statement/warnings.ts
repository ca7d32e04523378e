import type { Sentence } from '../../src/base/sentence.ts';
import type { NotComparedSentence } from '../../src/checks/incomplete.ts';
import type { RemedySentence } from '../../src/checks/remedy.ts';
import type { LedgerReader } from '../../src/ledger/queries/index.ts';
import { readVanishedInvoices } from '../../src/ledger/queries/invoices/invoices.ts';
import type { Only } from './only.ts';

/** Why the ledger may not hold all of the month; which invoices the courier no longer lists. */
export type StatementWarning =
  | { id: 'month-incomplete'; why: Sentence }
  | { id: 'invoices-no-longer-listed'; invoices: readonly number[] };

/**
 * What a reader must know before trusting a month's figures: what was not brought, what may still come, and what is gone.
 *
 * @param incomplete why the ledger may not hold all of the month, as the checks found it
 * @param only the currency of a statement of one: what was not compared in others is not its reader's
 */
export async function warningsOf(
  db: LedgerReader,
  month: string,
  incomplete: readonly { readonly why: Sentence }[],
  only: Only = null,
): Promise<StatementWarning[]> {
  const warnings = incomplete.flatMap(({ why }): StatementWarning[] => {
    const own = only === null ? why : inCurrency(why, only);
    return own === null ? [] : [{ id: 'month-incomplete', why: own }];
  });
  const invoices = await readVanishedInvoices(db, month);
  if (invoices.length > 0) warnings.push({ id: 'invoices-no-longer-listed', invoices });
  return warnings;
}

/** What it says of one currency; null where it is about money in others alone. */
function inCurrency(why: Sentence, currency: string): Sentence | null {
  if (isWithRemedy(why)) {
    const inner = inCurrency(why.why, currency);
    return inner && { ...why, why: inner };
  }
  if (!isNotCompared(why)) return why;
  const money = why.money.filter((one) => one.currency === currency);
  return money.length === 0 ? null : { ...why, money };
}

function isWithRemedy(why: Sentence): why is RemedySentence {
  return why.id === 'with-remedy';
}

function isNotCompared(why: Sentence): why is NotComparedSentence {
  return why.id === 'not-compared';
}

import { LedgerError } from '../../base/errors.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { readMonthsToCheck } from '../../checks/facts/months.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { wholeLedger } from '../../ledger/index.ts';
import { readEvidenceOfKinds, readLastFact } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { type Books, readBooks, usingBooks } from '../books.ts';
import { checkLedger, type Surroundings } from '../check.ts';
import { keepingNothing } from '../decisions/once.ts';
import { booksOfMismatches, readEachCourier } from '../each-courier.ts';
import { requireSelection, type Selection } from '../mismatches/select.ts';

/**
 * The evidence of a courier's checks that ran after the last fact of any courier. A fact is evidence that checks read,
 * such as an answer of a courier or an import.
 */
async function readChecksSinceLastFact(db: LedgerReader): Promise<EvidenceRow[]> {
  return readEvidenceOfKinds(db, ['check'], await readLastFact(wholeLedger(db)));
}

/** The `data` of a check's evidence, as far as it is read here. `skipped`: how many checks could not run. */
interface CheckData {
  readonly periods: readonly string[];
  readonly codes: readonly string[];
  readonly skipped: number;
}

/** A courier's months that were not checked since the last fact of any courier. */
async function monthsToRecheck(
  db: LedgerReader,
  { config: { timeZone }, now }: Surroundings,
  periods: readonly string[] | null,
): Promise<string[]> {
  const checks = (await readChecksSinceLastFact(db)).map(({ data }) => JSON.parse(data!) as CheckData);
  // A check of some codes alone, as `--only` asks for, leaves findings of the others as they were.
  const wholeChecks = checks.filter(({ codes, skipped }) => codes.length + skipped >= CHECKS.length);
  const checked = new Set(wholeChecks.flatMap((check) => check.periods));
  if (periods?.every((month) => checked.has(month))) return [];
  const months = await readMonthsToCheck(db, timeZone, now());
  return months.filter((month) => !checked.has(month) && (periods?.includes(month) ?? true));
}

/** Whether a courier was not checked since the last fact of any courier. */
export async function changedSinceCheck(books: Books): Promise<boolean> {
  const changed = await readEachCourier(books, {}, async (db) => (await readChecksSinceLastFact(db)).length === 0);
  return changed.some(({ value }) => value);
}

/**
 * Lends the books to a claim, whose letter says what checks found: months with facts that came after their last check
 * are checked again first.
 *
 * @param isDry keeps nothing of it, nor of what `use` does
 */
export async function usingCurrentFindings<T>(
  books: Books,
  selection: Selection,
  isDry: boolean,
  use: (books: Books) => Promise<T>,
): Promise<T> {
  requireSelection(selection, 'a period, ');
  const { ids, filter } = selection;
  const { config } = ids.length > 0 ? await booksOfMismatches(books, ids) : books;
  const toRecheck = await readBooks({ ...books, config }, {}, (db, surroundings) =>
    monthsToRecheck(db, surroundings, filter.periods ?? null),
  );
  if (toRecheck.length === 0) return use(books);
  // In the transaction that is open, if there is one (`within`).
  const check = (inBooks: Books) =>
    usingBooks({ ...inBooks, config }, {}, (ledger, surroundings) =>
      checkLedger(ledger, surroundings, { periods: toRecheck }),
    );
  if (!isDry) {
    await check(books);
    return use(books);
  }
  let isChecked = false;
  try {
    return await keepingNothing(books, async (copy) => {
      await check(copy);
      isChecked = true;
      return use(copy);
    });
  } catch (error) {
    // Somebody who may only read still sees the claim, by the findings that are stored.
    if (isChecked || !(error instanceof LedgerError)) throw error;
    return use(books);
  }
}

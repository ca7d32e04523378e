import { type MatchBooks, outcomeOf, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { Config } from '../../config/index.ts';
import type { MatchEvidence } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type Ledger, type LedgerTransaction, usingTransaction } from '../../ledger/index.ts';
import { hasReceipts } from '../../ledger/queries/receipts/receipts.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import type { Match, MatchOutcome } from '../../matching/model.ts';
import { formatUnits } from '../../money/units.ts';
import type { Books } from '../books.ts';
import { couriersOf, ledgerOf } from '../couriers.ts';
import { recordMatches } from '../record.ts';

/** The books before the rules ran, and the matches that the rules make of them. */
export interface Matched {
  readonly books: MatchBooks;
  readonly outcome: MatchOutcome;
  /** The matches of the outcome that were booked (in a dry run: would be): all, or those of the requested months. */
  readonly booked: readonly Match[];
}

export interface RunRequest {
  /** Book only what touches invoices of these months; null for all. */
  readonly periods: readonly string[] | null;
  readonly dryRun: boolean;
}

type Surroundings = { readonly config: Pick<Config, 'matchDays' | 'receipts' | 'timeZone'>; readonly now: () => Date };

/**
 * Matches receipts to invoices by the rules, and keeps what is new as evidence. Imports, syncs and checks
 * call it, since each may bring something new to match.
 */
export async function matchLedger(ledger: Ledger, surroundings: Surroundings, request: RunRequest): Promise<Matched> {
  if (request.dryRun) return usingSnapshot(ledger, (db) => runRules(db, surroundings, request));
  return usingTransaction(ledger, async (trx) => {
    // The chain is locked first, so that nobody else matches the same receipts meanwhile.
    await holdHead(trx);
    return runRules(trx, surroundings, request);
  });
}

async function runRules(trx: LedgerTransaction, { config, now }: Surroundings, { periods, dryRun }: RunRequest) {
  const books = await readMatchBooks(trx, config);
  const outcome = outcomeOf(books);
  const ofPeriods = new Set(
    books.invoices.filter(({ period }) => periods?.includes(period)).map(({ number }) => number),
  );
  const booked = outcome.matches.filter(
    ({ invoices }) => periods === null || invoices.some(({ number }) => ofPeriods.has(number)),
  );
  if (!dryRun && booked.length > 0)
    await recordMatches(trx, { at: now(), actor: null, matches: booked.map(evidenceOf) });
  return { books, outcome, booked };
}

/** A match that the rules made, as its evidence keeps it. */
export function evidenceOf(match: Match): MatchEvidence {
  return {
    rule: match.rule,
    currency: match.currency,
    receipts: match.receipts.map(({ id, amount }) => [Number(id), formatUnits(amount)]),
    // The last figure is an agreed difference: the rules make none.
    invoices: match.invoices.map(({ number, amount }) => [number, formatUnits(amount), formatUnits(0n)]),
    due: formatUnits(match.due),
    difference: formatUnits(match.difference),
    difference_kind: null,
    note: null,
    why: match.evidence,
    reverses: match.reverses === undefined ? null : Number(match.reverses),
  };
}

/** Matches without a result; does nothing while the ledger has no receipts. */
export async function matchNow(ledger: Ledger, surroundings: Surroundings): Promise<void> {
  if (await hasReceipts(ledger.db)) await matchLedger(ledger, surroundings, { periods: null, dryRun: false });
}

/** Matches for every courier of the books, without a result. */
export async function matchCouriers(ledger: Ledger, { config, now }: Pick<Books, 'config' | 'now'>): Promise<void> {
  for (const courier of await couriersOf(ledger.db, { ...config, courier: null })) {
    await matchNow(ledgerOf(ledger, courier), { config: courier.config, now });
  }
}

/** Matches before a check, when mostly nothing is new: a dry run looks first, because it waits for no writer. */
export async function matchWhatIsNew(ledger: Ledger, surroundings: Surroundings): Promise<void> {
  if (!(await hasReceipts(ledger.db))) return;
  const { outcome } = await matchLedger(ledger, surroundings, { periods: null, dryRun: true });
  if (outcome.matches.length > 0) await matchLedger(ledger, surroundings, { periods: null, dryRun: false });
}

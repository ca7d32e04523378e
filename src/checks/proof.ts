import { sql } from 'kysely';
import type { LedgerReader } from '../ledger/reader/index.ts';
import { readBookAmounts, readInvoices, readOrderBook, readRowAmounts } from '../ledger/reader/index.ts';
import { type ExactDecimal, parseAmount, Totals } from '../money/index.ts';
import { REMIT } from './store.ts';

/** The month's proof in one currency: the two figures, and how much of what lies between them the mismatches explain. */
export interface CurrencyProof {
  readonly currency: string;
  /** What the courier says is due: the sum of its invoices' net. */
  readonly courier: ExactDecimal;
  /** What the rows say is due: COD less fee, by each order's own record where the order book holds it. */
  readonly ours: ExactDecimal;
  /** `courier - ours`. */
  readonly difference: ExactDecimal;
  /** The sum of `effect` over the mismatches that the data shows, whether or not a person has settled them. */
  readonly explained: ExactDecimal;
  /** `difference - explained`; its goal is zero. */
  readonly unexplained: ExactDecimal;
}

/**
 * Proves a month, per currency (design: checks, 'Rules for every check'). Run the checks first. All figures are summed from rows
 * with decimal.js, and `ours` knows nothing of what the checks found.
 */
export async function proof(db: LedgerReader, period: string): Promise<CurrencyProof[]> {
  const [courier, ours] = [new Totals(), new Totals()];
  for await (const { currency, net_due_to_merchant } of readInvoices(db, [period])) {
    if (currency !== null) courier.add(currency, net_due_to_merchant);
  }
  // The checks against the order book run only when all of it was seen; the figure they explain follows the same rule.
  const { state } = await readOrderBook(db);
  const pages = state === 'complete' ? readBookAmounts(db, period) : readRowAmounts(db, period);
  for await (const page of pages) {
    for (const { currency, cod, delivery_fee } of page) ours.add(currency, cod.minus(delivery_fee));
  }
  const explained = await readEffects(db, period);

  const currencies = [...new Set([...courier.currencies(), ...ours.currencies(), ...explained.currencies()])].sort();
  return currencies.map((currency) => {
    const difference = courier.of(currency).minus(ours.of(currency));
    return {
      currency,
      courier: courier.of(currency),
      ours: ours.of(currency),
      difference,
      explained: explained.of(currency),
      unexplained: difference.minus(explained.of(currency)),
    };
  });
}

/** Sums the effects of a month's mismatches. One that a check resolved is left out: the data no longer shows it. */
async function readEffects(db: LedgerReader, period: string): Promise<Totals> {
  const rows = await db
    .selectFrom('mismatch as m')
    .select(['m.currency', 'm.effect'])
    .where('m.period', '=', period)
    .where('m.effect', 'is not', null)
    .where(sql<boolean>`(m.status <> 'resolved' or ${REMIT} <> (
      select e.actor from mismatch_event e where e.mismatch_id = m.id order by e.id desc limit 1
    ))`)
    .execute();
  const totals = new Totals();
  for (const { currency, effect } of rows) totals.add(currency!, parseAmount(effect!));
  return totals;
}

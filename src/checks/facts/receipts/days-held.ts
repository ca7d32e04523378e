import type { AtClose, LedgerReader } from '../../../ledger/queries/index.ts';
import { readStatementDays } from '../../../ledger/queries/receipts/receipts.ts';
import { type Days, daysHeld, isCourierAccount, type PayerRule } from '../../../matching/index.ts';
import type { MatchBooks } from './match-books.ts';

/**
 * The days of which receipts are held, by currency. Only an account into which the courier pays can show that it did not: one into which
 * it ever paid, or that the settings name. Another account's statement says nothing.
 *
 * @param then those that were held when a month was closed
 */
export async function readDaysHeld(
  db: LedgerReader,
  rule: PayerRule,
  { receipts, theirs }: Pick<MatchBooks, 'receipts' | 'theirs'>,
  then?: AtClose,
): Promise<ReadonlyMap<string, readonly Days[]>> {
  const key = (account: string | null, currency: string) => JSON.stringify([account, currency]);
  const paidInto = new Set<string>();
  for (const { id, account, currency } of receipts.values()) if (theirs.has(id)) paidInto.add(key(account, currency));
  const days = new Map<string, Days[]>();
  for (const { account, currency, from, to } of await readStatementDays(db, then)) {
    if (!paidInto.has(key(account, currency)) && !isCourierAccount(rule, account)) continue;
    days.set(currency, [...(days.get(currency) ?? []), { from, to }]);
  }
  return new Map([...days].map(([currency, each]) => [currency, daysHeld(each)]));
}

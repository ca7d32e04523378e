import { groupBy } from '../../../base/group.ts';
import { accountKey } from '../../../imports/overlap.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { readStatements } from '../../../ledger/queries/receipts/statements.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { isCourierAccount, type PayerRule } from '../../../matching/courier-lines.ts';
import { chainOfStatements, type Days, daysHeld, type Gap } from '../../../matching/statement-chain.ts';
import type { MatchBooks } from './match-books.ts';

/** The days for which receipts were imported, by currency, and the gaps between them. */
export interface DaysHeld {
  readonly days: ReadonlyMap<string, readonly Days[]>;
  readonly gaps: readonly Gap[];
}

const keyOf = ({ account, currency }: { readonly account: string | null; readonly currency: string }) =>
  JSON.stringify([accountKey(account), currency]);

/**
 * The days for which receipts were imported. Only statements of accounts that the courier pays into count, because no
 * other can show that it did not pay: accounts that it ever paid into, or that the settings name.
 *
 * @param atClose for what was imported when a month was closed
 */
export async function readDaysHeld(
  db: LedgerReader,
  rule: PayerRule,
  { receipts, courierReceipts }: Pick<MatchBooks, 'receipts' | 'courierReceipts'>,
  atClose?: AtClose,
): Promise<DaysHeld> {
  const paidInto = new Set([...receipts.values()].filter(({ id }) => courierReceipts.has(id)).map(keyOf));
  const chains = await readChains(db, atClose);
  const courierChains = chains.filter(({ key, account }) => paidInto.has(key) || isCourierAccount(rule, account));
  const days = [...groupBy(courierChains, ({ currency }) => currency)].map(([currency, chainsOfCurrency]) => {
    const days = chainsOfCurrency.flatMap((chain) => chain.days);
    const gaps = chainsOfCurrency.flatMap((chain) => chain.gaps);
    return [currency, daysHeld(days, gaps)] as const;
  });
  return { days: new Map(days), gaps: courierChains.flatMap(({ gaps }) => gaps) };
}

/** The statements in force as one chain per account and currency, with its days and gaps. */
async function readChains(db: LedgerReader, atClose?: AtClose) {
  return [...groupBy(await readStatements(db, atClose), keyOf)].map(([key, statements]) => {
    const { account, currency } = statements[0]!;
    return { key, account, currency, ...chainOfStatements(statements) };
  });
}

/** The gaps between the statements of these accounts. */
export async function readGaps(
  db: LedgerReader,
  accounts: readonly { readonly account: string | null; readonly currency: string }[],
): Promise<Gap[]> {
  const keys = new Set(accounts.map(keyOf));
  return (await readChains(db)).filter(({ key }) => keys.has(key)).flatMap(({ gaps }) => gaps);
}

import { ofCourier } from '../../../ledger/index.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { readInvoiceNumbers } from '../../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../../ledger/queries/invoices/settlements.ts';
import { readMatches } from '../../../ledger/queries/receipts/matches.ts';
import type { ReceiptRow } from '../../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { namingPayouts, type PayerRule, whoseLine } from '../../../matching/courier-lines.ts';

/** A courier of the books, and the rule for its receipts. */
export type ReceivingCourier = { readonly key: string; readonly name: string; readonly receipts: PayerRule };

/** Why a receipt is a courier's: by its payer, by an invoice that it names, or as every line of its account is. */
export type CourierSign = 'payer' | 'invoice' | 'account';

/** This courier's receipt, and the names of all that can claim it if there are several (empty if only this one can). */
type OurReceipt = { readonly why: CourierSign; readonly couriers: readonly string[] };

/** A receipt of another courier, by name. */
export interface OtherCouriersReceipt {
  readonly other: string;
  readonly isMatched: boolean;
  /** Whether this courier can claim it as well. */
  readonly isShared: boolean;
}

/** A courier that may claim lines of statements as its receipts. */
type Claimant = Awaited<ReturnType<typeof claimant>>;

/** The stronger sign has the higher rank. */
const RANK: Readonly<Record<CourierSign, number>> = { payer: 3, invoice: 2, account: 1 };
/** With this rule a line is a courier's only by an invoice that it names. */
const NO_PAYER: PayerRule = { payers: [], accounts: [] };

/**
 * Makes the function that says whose a receipt is; null if it is no courier's. Of several couriers it belongs to the
 * one that it is matched to, or else to the one with the strongest sign: payer, invoice, account. Between equal signs
 * an invoice that only one of them has decides. A receipt that several can still claim is listed with the first by key,
 * and no rule matches it.
 *
 * @param us the courier whose receipts are asked for; `numbers`: of its invoices
 */
export async function whoseReceipt(
  db: LedgerReader,
  us: ReceivingCourier & { readonly numbers: ReadonlySet<number> },
  others: readonly ReceivingCourier[],
  atClose?: AtClose,
): Promise<(row: ReceiptRow) => OurReceipt | OtherCouriersReceipt | null> {
  const claimants = [
    await claimant(db, us, us.numbers, atClose),
    ...(await Promise.all(
      others.map(async (other) => {
        const otherDb = ofCourier(db, other.key);
        return claimant(otherDb, other, await readInvoiceNumbers(otherDb, atClose), atClose);
      }),
    )),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  return (row) => {
    // A receipt that is matched belongs to the courier whose invoices it pays, whatever its line says.
    const matchedBy = claimants.find(({ matched }) => matched.has(row.id));
    if (matchedBy && matchedBy.key !== us.key) return { other: matchedBy.name, isMatched: true, isShared: false };
    if (matchedBy) {
      // A line with another courier's sign alone is ours by the invoice that it pays. Of a line with no courier's sign
      // only the matched part is ours, as in the books of one courier.
      const why = matchedBy.signOf(row) ?? (bestOf(row, claimants).length > 0 ? 'invoice' : null);
      return why === null ? null : { why, couriers: [] };
    }
    const best = bestOf(row, claimants);
    const [first] = best;
    if (!first) return null;
    if (first.by.key !== us.key) {
      return { other: first.by.name, isMatched: false, isShared: best.some(({ by }) => by.key === us.key) };
    }
    return { why: first.sign, couriers: best.length === 1 ? [] : best.map(({ by }) => by.name) };
  };
}

/** @param numbers of the courier's invoices */
async function claimant(
  db: LedgerReader,
  { key, name, receipts: rule }: ReceivingCourier,
  numbers: ReadonlySet<number>,
  atClose: AtClose | undefined,
) {
  const isKnown = (number: number) => numbers.has(number);
  // A payout that a line names as text (`ES-902`) is found by its integer, as an invoice is.
  const naming = namingPayouts(await readNumberTexts(db));
  const signByRule = whoseLine(rule, isKnown);
  const signByInvoice = whoseLine(NO_PAYER, isKnown);
  const held = await readMatches(db, atClose);
  return {
    key,
    name,
    signOf: (row: ReceiptRow): CourierSign | null => signByRule(naming(row)),
    namesInvoice: (row: ReceiptRow) => signByInvoice(naming(row)) !== null,
    /** The receipts that its matches use. */
    matched: new Set(held.flatMap(({ receipts }) => receipts.map(({ id }) => id))),
  };
}

type Claim = { readonly by: Claimant; readonly sign: CourierSign };

/** The best claims to a line; none if it is no courier's. */
function bestOf(row: ReceiptRow, claimants: readonly Claimant[]): readonly Claim[] {
  const claims = claimants.flatMap((by): Claim[] => {
    const sign = by.signOf(row);
    return sign === null ? [] : [{ by, sign }];
  });
  const highest = Math.max(...claims.map(({ sign }) => RANK[sign]));
  const best = claims.filter(({ sign }) => RANK[sign] === highest);
  if (best.length <= 1) return best;
  const namedByInvoice = best.filter(({ by }) => by.namesInvoice(row));
  return namedByInvoice.length === 1 ? namedByInvoice : best;
}

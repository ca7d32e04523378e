import { ofCourier } from '../../../ledger/index.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { readInvoiceNumbers } from '../../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../../ledger/queries/invoices/settlements.ts';
import { readMatches } from '../../../ledger/queries/receipts/matches.ts';
import type { ReceiptRow } from '../../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { type PayerRule, whoseLine } from '../../../matching/courier-lines.ts';
import { namingPayouts } from '../../../matching/payout-numbers.ts';

/** Another courier of the books, as far as it says which receipts are its own. */
export interface OtherCourier {
  readonly key: string;
  readonly name: string;
  readonly receipts: PayerRule;
}

export type Why = 'payer' | 'invoice' | 'account';

/** Whose a receipt is: why it is this courier's, with the couriers that have as good a claim to it; or the other courier's that it is. */
export type Whose = { readonly why: Why; readonly couriers: readonly string[] } | OfOther | null;

/** A receipt of another courier, by name. */
export interface OfOther {
  readonly other: string;
  readonly isMatched: boolean;
  /** Whether it is listed there, and this courier can claim it as well. */
  readonly isShared: boolean;
}

/** What a courier has to say of a line. */
interface Claimant {
  readonly key: string;
  readonly name: string;
  readonly why: (row: ReceiptRow) => Why | null;
  /** Whether the line names an invoice of the courier's. */
  readonly names: (row: ReceiptRow) => boolean;
  /** The receipts that its matches use. */
  readonly matched: ReadonlySet<number>;
}

/** The stronger sign of whose a line is has the higher rank. */
const RANK: Readonly<Record<Why, number>> = { payer: 3, invoice: 2, account: 1 };
const NOBODY: PayerRule = { payers: [], accounts: [] };

/**
 * Makes a function that says whether a receipt is this courier's. Of several couriers it is that whose payer it names, else that whose
 * invoice it names. One that several can claim is listed with the first of them by key, and matched with nothing.
 */
export async function whoseReceipt(
  db: LedgerReader,
  own: { readonly key: string; readonly name: string; readonly rule: PayerRule; readonly numbers: ReadonlySet<number> },
  others: readonly OtherCourier[],
  then?: AtClose,
): Promise<(row: ReceiptRow) => Whose> {
  if (others.length === 0) {
    const { why: whyOf } = await claimant(db, own, own.rule, own.numbers, then);
    return (row) => {
      const why = whyOf(row);
      return why === null ? null : { why, couriers: [] };
    };
  }
  const claimants = [
    await claimant(db, own, own.rule, own.numbers, then),
    ...(await Promise.all(
      others.map(async (other) => {
        const theirs = ofCourier(db, other.key);
        return claimant(theirs, other, other.receipts, await readInvoiceNumbers(theirs, then), then);
      }),
    )),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  return (row) => {
    const matchedBy = claimants.find(({ matched }) => matched.has(row.id));
    if (matchedBy && matchedBy.key !== own.key) return { other: matchedBy.name, isMatched: true, isShared: false };
    if (matchedBy) return { why: matchedBy.why(row) ?? 'invoice', couriers: [] };
    const best = bestOf(row, claimants);
    const [first] = best;
    if (!first) return null;
    if (first.key !== own.key) {
      return { other: first.name, isMatched: false, isShared: best.some(({ key }) => key === own.key) };
    }
    return { why: first.why(row)!, couriers: best.length === 1 ? [] : best.map(({ name }) => name) };
  };
}

async function claimant(
  db: LedgerReader,
  { key, name }: { readonly key: string; readonly name: string },
  rule: PayerRule,
  numbers: ReadonlySet<number>,
  then: AtClose | undefined,
): Promise<Claimant> {
  const isKnown = (number: number) => numbers.has(number);
  const naming = namingPayouts(await readNumberTexts(db));
  const whose = whoseLine(rule, isKnown);
  const named = whoseLine(NOBODY, isKnown);
  const held = await readMatches(db, then);
  return {
    key,
    name,
    why: (row) => whose(naming(row)),
    names: (row) => named(naming(row)) !== null,
    matched: new Set(held.flatMap(({ receipts }) => receipts.map(({ id }) => id))),
  };
}

/** The couriers with the best claim to a line. */
function bestOf(row: ReceiptRow, claimants: readonly Claimant[]): readonly Claimant[] {
  const rankOf = ({ why: whyOf }: Claimant) => {
    const why = whyOf(row);
    return why === null ? 0 : RANK[why];
  };
  const highest = Math.max(...claimants.map(rankOf));
  if (highest === 0) return [];
  const best = claimants.filter((claimant) => rankOf(claimant) === highest);
  const namedByInvoice = best.filter(({ names }) => names(row));
  return best.length > 1 && namedByInvoice.length === 1 ? namedByInvoice : best;
}

import { ofCourier } from '../../../ledger/index.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { readInvoiceNumbers } from '../../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../../ledger/queries/invoices/settlements.ts';
import { readMatches } from '../../../ledger/queries/receipts/matches.ts';
import type { ReceiptRow } from '../../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { type PayerRule, whoseLine } from '../../../matching/courier-lines.ts';
import { namingPayouts } from '../../../matching/payout-numbers.ts';

/** Another courier of the books, and the rule for its receipts. */
export interface OtherCourier {
  readonly key: string;
  readonly name: string;
  readonly receipts: PayerRule;
}

/** Why a receipt is a courier's: by its payer, by an invoice that it names, or as every line of its account is. */
export type CourierSign = 'payer' | 'invoice' | 'account';

/** This courier's receipt, and the names of all that can claim it if there are several (empty if only this one can). */
interface OurReceipt {
  readonly why: CourierSign;
  readonly couriers: readonly string[];
}

/** A receipt of another courier, by name. */
export interface OtherCouriersReceipt {
  readonly other: string;
  readonly isMatched: boolean;
  /** Whether this courier can claim it as well. */
  readonly isShared: boolean;
}

/** A courier that may claim lines of statements as its receipts. */
interface Claimant {
  readonly key: string;
  readonly name: string;
  readonly why: (row: ReceiptRow) => CourierSign | null;
  /** Whether the line names an invoice of the courier's. */
  readonly namesInvoice: (row: ReceiptRow) => boolean;
  /** The receipts that its matches use. */
  readonly matched: ReadonlySet<number>;
}

/** The stronger sign has the higher rank. */
const RANK: Readonly<Record<CourierSign, number>> = { payer: 3, invoice: 2, account: 1 };
const NOBODY: PayerRule = { payers: [], accounts: [] };

/**
 * Gives a function that says whose a receipt is; null if it is no courier's. Of several couriers it belongs to the one
 * whose payer it names, or else whose invoice it names. One that several can claim is listed with the first by key, and
 * no rule matches it.
 */
export async function whoseReceipt(
  db: LedgerReader,
  here: Pick<OtherCourier, 'key' | 'name'> & { readonly rule: PayerRule; readonly numbers: ReadonlySet<number> },
  others: readonly OtherCourier[],
  atClose?: AtClose,
): Promise<(row: ReceiptRow) => OurReceipt | OtherCouriersReceipt | null> {
  if (others.length === 0) {
    const { why: whyOf } = await claimant(db, here, here.rule, here.numbers, atClose);
    return (row) => {
      const why = whyOf(row);
      return why === null ? null : { why, couriers: [] };
    };
  }
  const claimants = [
    await claimant(db, here, here.rule, here.numbers, atClose),
    ...(await Promise.all(
      others.map(async (other) => {
        const otherDb = ofCourier(db, other.key);
        return claimant(otherDb, other, other.receipts, await readInvoiceNumbers(otherDb, atClose), atClose);
      }),
    )),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  return (row) => {
    // A receipt that is matched belongs to the courier whose invoices it pays, whatever its line says.
    const matchedBy = claimants.find(({ matched }) => matched.has(row.id));
    if (matchedBy && matchedBy.key !== here.key) return { other: matchedBy.name, isMatched: true, isShared: false };
    const best = bestOf(row, claimants);
    const [first] = best;
    if (matchedBy) {
      const why = matchedBy.why(row) ?? (first ? 'invoice' : null);
      // If its line is no courier's, only the matched part of it is, as in the books of one courier.
      return why === null ? null : { why, couriers: [] };
    }
    if (!first) return null;
    if (first.key !== here.key) {
      return { other: first.name, isMatched: false, isShared: best.some(({ key }) => key === here.key) };
    }
    return { why: first.why(row)!, couriers: best.length === 1 ? [] : best.map(({ name }) => name) };
  };
}

async function claimant(
  db: LedgerReader,
  { key, name }: { readonly key: string; readonly name: string },
  rule: PayerRule,
  numbers: ReadonlySet<number>,
  atClose: AtClose | undefined,
): Promise<Claimant> {
  const isKnown = (number: number) => numbers.has(number);
  const naming = namingPayouts(await readNumberTexts(db));
  const signOf = whoseLine(rule, isKnown);
  const signByInvoice = whoseLine(NOBODY, isKnown);
  const held = await readMatches(db, atClose);
  return {
    key,
    name,
    why: (row) => signOf(naming(row)),
    namesInvoice: (row) => signByInvoice(naming(row)) !== null,
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
  const namedByInvoice = best.filter(({ namesInvoice }) => namesInvoice(row));
  return best.length > 1 && namedByInvoice.length === 1 ? namedByInvoice : best;
}

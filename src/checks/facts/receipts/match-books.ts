import { courierOf } from '../../../ledger/courier.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { type InvoiceDue, readInvoiceDues } from '../../../ledger/queries/invoices/invoices.ts';
import { readNumberTexts } from '../../../ledger/queries/invoices/settlements.ts';
import { type HeldMatch, readMatches, readReceiptsByHand } from '../../../ledger/queries/receipts/matches.ts';
import { type ReceiptRow, readReceipts } from '../../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { namingPayouts, type PayerRule } from '../../../matching/courier-lines.ts';
import { matchReceipts } from '../../../matching/match-receipts.ts';
import type {
  Ambiguity,
  Invoice,
  Match,
  MatchOutcome,
  MatchRule,
  MoneyToMatch,
  Receipt,
} from '../../../matching/model.ts';
import type { Tried } from '../../../matching/tried-log.ts';
import { type CourierSign, type OtherCouriersReceipt, type ReceivingCourier, whoseReceipt } from './whose-receipt.ts';

/** The settings of remit.toml that matching goes by. */
export interface MatchSettings {
  /** Days after an invoice's date in which a receipt that does not name it may be its payment. */
  readonly matchDays: number;
  readonly receipts: PayerRule;
  /** The other couriers of the books, who have receipts too. */
  readonly others?: readonly ReceivingCourier[];
  readonly name?: string;
  /** The time zone of the days of invoices and decisions: an IANA name. */
  readonly timeZone: string;
}

/** One currency of an invoice, with the sums of its matches in force. */
export interface InvoiceBooks extends InvoiceDue {
  /** What its receipts paid, in ledger units. */
  readonly matched: bigint;
  /** The sum of the differences that a person named. */
  readonly named: bigint;
  /** How many matches touch it, settlements included. */
  readonly matches: number;
  /** How many of them have receipts. */
  readonly paying: number;
}

/** Receipts and invoices with their matches, as they are in the ledger: what matching starts from. */
export type MatchBooks = Readonly<Awaited<ReturnType<typeof readMatchBooks>>>;

export const NOTHING_MATCHED = { matched: 0n, named: 0n, matches: 0, paying: 0 };

/** What the matches of one currency of an invoice add up to. */
type MatchSums = typeof NOTHING_MATCHED & Pick<InvoiceDue, 'number' | 'currency'>;

/** A key for one currency of an invoice. */
export function invoiceKey({ number, currency }: { readonly number: number; readonly currency: string | null }) {
  return `${number} ${currency}`;
}

/** Reads what is left of each receipt and due of each invoice. @param atClose for their state at a month's close */
export async function readMatchBooks(
  db: LedgerReader,
  { matchDays, receipts: rule, timeZone, others = [], name = '' }: MatchSettings,
  atClose?: AtClose,
) {
  const held = await readMatches(db, atClose);
  const rows = await readReceipts(db, { atClose });
  const texts = await readNumberTexts(db);
  const naming = namingPayouts(texts);
  const { heads, dues } = await readInvoiceDues(db, timeZone, atClose);
  const { usedOfReceipt, sumsOfInvoice } = sumMatches(held);
  const receipts = new Map(
    rows.map((row) => [row.id, { ...row, left: row.amount - (usedOfReceipt.get(row.id) ?? 0n) }]),
  );
  const invoices = withUnstated({ heads, dues }, sumsOfInvoice);
  const numbers = new Set(heads.keys());
  const ownerOf = await whoseReceipt(db, { key: courierOf(db) ?? '', name, receipts: rule, numbers }, others, atClose);
  const courierReceipts = new Map<number, CourierSign>();
  const undecided = new Map<number, readonly string[]>();
  const elsewhere = new Map<number, OtherCouriersReceipt>();
  for (const row of rows) {
    const owner = ownerOf(row);
    if (owner === null) continue;
    if ('other' in owner) elsewhere.set(row.id, owner);
    else {
      courierReceipts.set(row.id, owner.why);
      if (owner.couriers.length > 0) undecided.set(row.id, owner.couriers);
    }
  }
  const byHand = await readReceiptsByHand(db);
  const leftToPeople = new Set([...courierReceipts.keys()].filter((id) => byHand.has(id)));
  const allReceipts = [...receipts.values()];
  const asReceipt = (row: (typeof allReceipts)[number]) => receiptOf(naming(row));
  const input: MoneyToMatch = {
    receipts: allReceipts
      .filter(({ id }) => courierReceipts.has(id) && !leftToPeople.has(id) && !undecided.has(id))
      .map(asReceipt),
    invoices: invoices.map(invoiceOf),
    held: held.map(matchOf),
    options: { matchDays },
  };
  const isShared = ({ id }: ReceiptRow) => undecided.has(id) || elsewhere.get(id)?.isShared === true;
  const sharedReceipts = allReceipts.filter((row) => isShared(row) && !byHand.has(row.id)).map(asReceipt);
  return {
    held,
    /** The time zone of the days of decisions and invoices. */
    timeZone,
    /** How sheets and receipts write the numbers of the courier's payouts. */
    texts,
    /** All receipts by id, the courier's or not; `left`: the amount that no match uses. */
    receipts,
    /** The courier's receipts by id, each with the sign by which it is the courier's. */
    courierReceipts,
    /** Those `courierReceipts` that other couriers can claim too, with the names of all that can: a person decides. */
    undecided,
    /** The receipts that are listed with another courier, by id; `isShared`: this courier can claim it too. */
    elsewhere,
    /** The courier's receipts whose match a person removed: no rule matches them again. */
    leftToPeople,
    /** All invoices by number, also those that state no amount. */
    heads,
    invoices,
    /** What the rules may match: without the receipts in `undecided` and `leftToPeople`. */
    input,
    /** The receipts that this courier and others can claim, listed with this courier or with another. */
    sharedReceipts,
  };
}

/** What the matches use of each receipt, by its id, and what they sum to for each invoice, by `invoiceKey`. */
function sumMatches(held: readonly HeldMatch[]) {
  const usedOfReceipt = new Map<number, bigint>();
  const sumsOfInvoice = new Map<string, MatchSums>();
  for (const match of held) {
    for (const { id, amount } of match.receipts) usedOfReceipt.set(id, (usedOfReceipt.get(id) ?? 0n) + amount);
    for (const { number, amount, named } of match.invoices) {
      const invoice = { number, currency: match.currency };
      const sum = sumsOfInvoice.get(invoiceKey(invoice)) ?? NOTHING_MATCHED;
      sumsOfInvoice.set(invoiceKey(invoice), {
        ...invoice,
        matched: sum.matched + amount,
        named: sum.named + named,
        matches: sum.matches + 1,
        paying: sum.paying + (match.receipts.length > 0 ? 1 : 0),
      });
    }
  }
  return { usedOfReceipt, sumsOfInvoice };
}

/** Adds the matches' sums to the invoices, with an entry of net 0 for a matched currency that is no longer stated. */
function withUnstated(
  { heads, dues }: Awaited<ReturnType<typeof readInvoiceDues>>,
  matchSums: ReadonlyMap<string, MatchSums>,
): InvoiceBooks[] {
  const stated = dues.map((due) => ({ ...due, ...(matchSums.get(invoiceKey(due)) ?? NOTHING_MATCHED) }));
  const statedKeys = new Set(dues.map(invoiceKey));
  const unstated = [...matchSums.values()].flatMap((sums) => {
    const head = heads.get(sums.number);
    return statedKeys.has(invoiceKey(sums)) || !head ? [] : [{ ...head, net: 0n, ...sums }];
  });
  return [...stated, ...unstated];
}

/** The receipts that can be explained in more than one way, by id: no rule books them. */
export function ambiguitiesOf(books: MatchBooks): ReadonlyMap<number, Ambiguity> {
  return new Map(outcomeOf(books).ambiguous.map((ambiguity) => [Number(ambiguity.receipt), ambiguity]));
}

/** Runs the rules. A receipt that several couriers can claim is ambiguous. @param tried records what the rules try */
export function outcomeOf({ input, undecided, receipts }: MatchBooks, tried: Tried | null = null): MatchOutcome {
  const outcome = matchReceipts(input, tried);
  const betweenCouriers = [...undecided].flatMap(([id, couriers]): Ambiguity[] => {
    const { currency, left } = receipts.get(id)!;
    if (left === 0n) return [];
    // It has no ways, and its rule says nothing: only a person can say which courier it is from.
    const receipt = { receipt: String(id), currency, amount: left };
    return [{ ...receipt, rule: 'named', ways: [], tooMany: false, couriers: [...couriers] }];
  });
  return { ...outcome, ambiguous: [...outcome.ambiguous, ...betweenCouriers] };
}

/** A receipt in the form that the rules take. */
export function receiptOf(row: ReceiptRow & { readonly left: bigint }): Receipt {
  const { id, date, currency, amount, left, text, counterparty, reference, invoice } = row;
  const allTexts = [text, counterparty, reference].filter((part) => part !== null && part !== '').join(' ');
  return { id: String(id), date, currency, amount, left, text: allTexts, invoiceHint: invoice };
}

/** An invoice in the form that the rules take; of one that vanished nothing is due. */
export function invoiceOf(books: InvoiceBooks): Invoice {
  const { number, issued_on: date, currency, net, vanished_at, matched, named } = books;
  return { number, date, currency, net: vanished_at === null ? net : 0n, matched, named };
}

function matchOf({ rule, currency, due, difference, reverses, why, receipts, invoices }: HeldMatch): Match {
  return {
    rule: rule as MatchRule,
    currency,
    receipts: receipts.map(({ id, amount }) => ({ id: String(id), amount })),
    invoices: invoices.map(({ number, amount }) => ({ number, amount })),
    due,
    difference,
    evidence: why,
    ...(reverses === null ? {} : { reverses: String(reverses) }),
  };
}

import type { NumberTexts } from '../../../base/number-texts.ts';
import { courierOf } from '../../../ledger/courier.ts';
import type { AtClose } from '../../../ledger/queries/balances/movements.ts';
import { type InvoiceDue, type InvoiceHead, readInvoiceDues } from '../../../ledger/queries/invoices/invoices.ts';
import { readNumberTexts } from '../../../ledger/queries/invoices/settlements.ts';
import { type HeldMatch, readMatches, readReceiptsByHand } from '../../../ledger/queries/receipts/matches.ts';
import { type ReceiptRow, readReceipts } from '../../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PayerRule } from '../../../matching/courier-lines.ts';
import { matchReceipts } from '../../../matching/match-receipts.ts';
import type {
  Ambiguity,
  Invoice,
  Match,
  MatchInput,
  MatchOutcome,
  MatchRule,
  Receipt,
} from '../../../matching/model.ts';
import { namingPayouts } from '../../../matching/payout-numbers.ts';
import type { Tried } from '../../../matching/tried.ts';

import { type OfOther, type OtherCourier, type Why, whoseReceipt } from './whose-receipt.ts';

/** What an accountant sets for matching. */
export interface MatchSettings {
  /** Days after an invoice's date in which a receipt that does not name it may be its payment. */
  readonly matchDays: number;
  readonly receipts: PayerRule;
  /** The other couriers of the books: a receipt that is theirs is not this one's. */
  readonly others?: readonly OtherCourier[];
  /** What the courier is called. */
  readonly name?: string;
  /** What the days of invoices and decisions are days of: an IANA name. */
  readonly timeZone: string;
}

/** One currency of an invoice, with what its matches in force come to. */
export interface InvoiceBooks extends InvoiceDue {
  readonly matched: bigint;
  /** Differences that a person named. */
  readonly named: bigint;
  /** How many matches touch it, settlements included. */
  readonly matches: number;
  /** How many of them have receipts. */
  readonly paying: number;
}

/** Both sides of the matching, as the ledger holds them. */
export interface MatchBooks {
  /** The matches in force. */
  readonly held: readonly HeldMatch[];
  /** The days of decisions and of invoices are its days. */
  readonly timeZone: string;
  /** What both sides call the courier's payouts. */
  readonly texts: NumberTexts;
  /** All receipts, the courier's or not. */
  readonly receipts: ReadonlyMap<number, ReceiptRow & { readonly left: bigint }>;
  /** Why a receipt is the courier's; those that are not are not in it. */
  readonly theirs: ReadonlyMap<number, Why>;
  /** Those of them that other couriers can claim as well, with the names of all: they are matched with nothing. */
  readonly undecided: ReadonlyMap<number, readonly string[]>;
  /** Those that are another courier's. */
  readonly elsewhere: ReadonlyMap<number, OfOther>;
  /** The courier's receipts that only a person may match. */
  readonly byHand: ReadonlySet<number>;
  /** All invoices by number, also those that state no amount. */
  readonly heads: ReadonlyMap<number, InvoiceHead>;
  readonly invoices: readonly InvoiceBooks[];
  /** What rules may match. */
  readonly input: MatchInput;
  /** Those that this courier and others can claim, as the rules would see them, wherever they are listed. */
  readonly claimable: readonly Receipt[];
}

const NOTHING = { matched: 0n, named: 0n, matches: 0, paying: 0 };

/** Reads both sides: what is left of each receipt, and what each invoice still asks for. @param then as both stood when a month was closed */
export async function readMatchBooks(
  db: LedgerReader,
  { matchDays, receipts: rule, timeZone, others = [], name = '' }: MatchSettings,
  then?: AtClose,
): Promise<MatchBooks> {
  const held = await readMatches(db, then);
  const rows = await readReceipts(db, { then });
  const texts = await readNumberTexts(db);
  const naming = namingPayouts(texts);
  const { heads, dues } = await readInvoiceDues(db, timeZone, then);
  const usedOfReceipt = new Map<number, bigint>();
  /** By invoice and currency. */
  const matchSums = new Map<string, { matched: bigint; named: bigint; matches: number; paying: number }>();
  for (const match of held) {
    for (const { id, amount } of match.receipts) usedOfReceipt.set(id, (usedOfReceipt.get(id) ?? 0n) + amount);
    for (const { number, amount, named } of match.invoices) {
      const key = `${number} ${match.currency}`;
      const sum = matchSums.get(key) ?? NOTHING;
      matchSums.set(key, {
        matched: sum.matched + amount,
        named: sum.named + named,
        matches: sum.matches + 1,
        paying: sum.paying + (match.receipts.length > 0 ? 1 : 0),
      });
    }
  }
  const receipts = new Map(
    rows.map((row) => [row.id, { ...row, left: row.amount - (usedOfReceipt.get(row.id) ?? 0n) }]),
  );
  const invoices = withRestated({ heads, dues }, matchSums);
  const numbers = new Set(heads.keys());
  const whose = await whoseReceipt(db, { key: courierOf(db) ?? '', name, rule, numbers }, others, then);
  const theirs = new Map<number, Why>();
  const undecided = new Map<number, readonly string[]>();
  const elsewhere = new Map<number, OfOther>();
  for (const row of rows) {
    const owner = whose(row);
    if (owner === null) continue;
    if ('other' in owner) {
      elsewhere.set(row.id, owner);
      continue;
    }
    theirs.set(row.id, owner.why);
    if (owner.couriers.length > 0) undecided.set(row.id, owner.couriers);
  }
  // The receipts of which a person took a match away: no rule matches them again.
  const leftToPeople = await readReceiptsByHand(db);
  const byHand = new Set([...theirs.keys()].filter((id) => leftToPeople.has(id)));
  const all = [...receipts.values()];
  const asReceipt = (row: (typeof all)[number]) => receiptOf(naming(row));
  const input: MatchInput = {
    receipts: all.filter(({ id }) => theirs.has(id) && !byHand.has(id) && !undecided.has(id)).map(asReceipt),
    invoices: invoices.map(invoiceOf),
    held: held.map(matchOf),
    options: { matchDays },
  };
  const isShared = ({ id }: (typeof all)[number]) => undecided.has(id) || elsewhere.get(id)?.isShared === true;
  const claimable = all.filter((row) => isShared(row) && !leftToPeople.has(row.id)).map(asReceipt);
  return { held, timeZone, texts, receipts, theirs, undecided, elsewhere, byHand, heads, invoices, input, claimable };
}

/** The invoices, and what was matched to a currency that an invoice no longer states: it asks for nothing there. */
function withRestated(
  { heads, dues }: Awaited<ReturnType<typeof readInvoiceDues>>,
  matchSums: ReadonlyMap<string, Omit<InvoiceBooks, keyof InvoiceDue>>,
): InvoiceBooks[] {
  const stated = dues.map((due) => ({ ...due, ...(matchSums.get(`${due.number} ${due.currency}`) ?? NOTHING) }));
  const statedKeys = new Set(dues.map(({ number, currency }) => `${number} ${currency}`));
  const unstated = [...matchSums].flatMap(([key, sums]) => {
    const [number, currency] = key.split(' ');
    const head = heads.get(Number(number));
    return statedKeys.has(key) || !head ? [] : [{ ...head, currency: currency!, net: 0n, ...sums }];
  });
  return [...stated, ...unstated];
}

/** The receipts that can be explained in more ways than one, by id: nothing of them is booked. */
export function ambiguitiesOf(books: MatchBooks): ReadonlyMap<number, Ambiguity> {
  return new Map(outcomeOf(books).ambiguous.map((one) => [Number(one.receipt), one]));
}

/** What the rules make of both sides. A receipt that several couriers can claim is ambiguous before any rule sees it. @param tried gets what they tried */
export function outcomeOf({ input, undecided, receipts }: MatchBooks, tried: Tried | null = null): MatchOutcome {
  const outcome = matchReceipts(input, tried);
  const betweenCouriers = [...undecided].flatMap(([id, couriers]): Ambiguity[] => {
    const { currency, left } = receipts.get(id)!;
    if (left === 0n) return [];
    const receipt = { receipt: String(id), currency, amount: left };
    return [{ ...receipt, rule: 'named', ways: [], tooMany: false, couriers: [...couriers] }];
  });
  return { ...outcome, ambiguous: [...outcome.ambiguous, ...betweenCouriers] };
}

/** A receipt as the rules see it. */
export function receiptOf(row: ReceiptRow & { readonly left: bigint }): Receipt {
  const { id, date, currency, amount, left, text, counterparty, reference, invoice } = row;
  const allTexts = [text, counterparty, reference].filter((part) => part !== null && part !== '').join(' ');
  return { id: String(id), date, currency, amount, left, text: allTexts, invoiceHint: invoice };
}

/** An invoice as the rules see it; one that vanished asks for nothing. */
export function invoiceOf({
  number,
  issued_on: date,
  currency,
  net,
  vanished_at,
  matched,
  named,
}: InvoiceBooks): Invoice {
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

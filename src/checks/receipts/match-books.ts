import {
  type Ambiguity,
  type Invoice,
  type Match,
  type MatchInput,
  type MatchRule,
  matchReceipts,
  type PayerRule,
  type Receipt,
  whoseLine,
} from '../../books/matching/index.ts';
import type { AtClose, LedgerReader } from '../../ledger/read/index.ts';
import {
  type HeldMatch,
  type InvoiceDue,
  readInvoiceDues,
  readMatches,
  readReceiptsByHand,
} from '../../ledger/read/matches.ts';
import { type ReceiptRow, readReceipts } from '../../ledger/read/receipts.ts';

/** What an accountant sets for matching. */
export interface MatchSettings {
  /** Days after an invoice's date in which a receipt that does not name it may be its payment. */
  readonly matchDays: number;
  readonly receipts: PayerRule;
}

/** One currency of an invoice, with what its matches in force come to. */
export interface InvoiceBooks extends InvoiceDue {
  readonly matched: bigint;
  /** Differences that a person named. */
  readonly named: bigint;
  /** How many matches touch it. */
  readonly matches: number;
}

/** Both sides of the matching, as the ledger holds them. */
export interface MatchBooks {
  readonly held: readonly HeldMatch[];
  /** All receipts, the courier's or not. */
  readonly receipts: ReadonlyMap<number, ReceiptRow & { readonly left: bigint }>;
  /** Why a receipt is the courier's; those that are not are not in it. */
  readonly theirs: ReadonlyMap<number, 'payer' | 'invoice' | 'account'>;
  /** The courier's receipts that only a person may match. */
  readonly byHand: ReadonlySet<number>;
  readonly invoices: readonly InvoiceBooks[];
  /** What rules may match. */
  readonly input: MatchInput;
}

/** Reads both sides: what is left of each receipt, and what each invoice still asks for. @param then as both stood when a month was closed */
export async function readMatchBooks(
  db: LedgerReader,
  { matchDays, receipts: rule }: MatchSettings,
  then?: AtClose,
): Promise<MatchBooks> {
  const held = await readMatches(db, then);
  const rows = (await readReceipts(db)).filter(({ evidence_id }) => !then || evidence_id < then.id);
  const dues = await readInvoiceDues(db, then);
  const used = new Map<number, bigint>();
  const brought = new Map<string, { matched: bigint; named: bigint; matches: number }>();
  for (const match of held) {
    for (const { id, amount } of match.receipts) used.set(id, (used.get(id) ?? 0n) + amount);
    for (const { number, amount, named } of match.invoices) {
      const key = `${number} ${match.currency}`;
      const sum = brought.get(key) ?? { matched: 0n, named: 0n, matches: 0 };
      brought.set(key, { matched: sum.matched + amount, named: sum.named + named, matches: sum.matches + 1 });
    }
  }
  const receipts = new Map(rows.map((row) => [row.id, { ...row, left: row.amount - (used.get(row.id) ?? 0n) }]));
  const invoices = withRestated(dues, brought);
  const numbers = new Set(dues.map(({ number }) => number));
  const whose = whoseLine(rule, (number) => numbers.has(number));
  const theirs = new Map(
    rows.flatMap((row) => {
      const why = whose(row);
      return why === null ? [] : [[row.id, why] as const];
    }),
  );
  const removed = await readReceiptsByHand(db);
  const byHand = new Set([...theirs.keys()].filter((id) => removed.has(id)));
  const input: MatchInput = {
    receipts: [...receipts.values()].filter(({ id }) => theirs.has(id) && !byHand.has(id)).map(receiptOf),
    invoices: invoices.map(invoiceOf),
    held: held.map(matchOf),
    options: { matchDays },
  };
  return { held, receipts, theirs, byHand, invoices, input };
}

/** The invoices, and what was matched to a currency that an invoice no longer states: it asks for nothing there. */
function withRestated(
  dues: readonly InvoiceDue[],
  brought: ReadonlyMap<string, Omit<InvoiceBooks, keyof InvoiceDue>>,
): InvoiceBooks[] {
  const nothing = { matched: 0n, named: 0n, matches: 0 };
  const stated = new Set(dues.map(({ number, currency }) => `${number} ${currency}`));
  const byNumber = new Map(dues.map((due) => [due.number, due]));
  const gone = [...brought].flatMap(([key, sums]) => {
    const [number, currency] = key.split(' ');
    const due = byNumber.get(Number(number));
    return stated.has(key) || !due ? [] : [{ ...due, currency: currency!, net: 0n, ...sums }];
  });
  return [...dues.map((due) => ({ ...due, ...(brought.get(`${due.number} ${due.currency}`) ?? nothing) })), ...gone];
}

/** The receipts that can be explained in more ways than one, by id: nothing of them is booked. */
export function ambiguitiesOf({ input }: Pick<MatchBooks, 'input'>): ReadonlyMap<number, Ambiguity> {
  return new Map(matchReceipts(input).ambiguous.map((one) => [Number(one.receipt), one]));
}

/** A receipt as the rules see it. */
export function receiptOf(row: ReceiptRow & { readonly left: bigint }): Receipt {
  const { id, date, currency, amount, left, text, counterparty, reference, invoice } = row;
  const said = [text, counterparty, reference].filter((part) => part !== null && part !== '').join(' ');
  return { id: String(id), date, currency, amount, left, text: said, invoiceHint: invoice };
}

/** An invoice as the rules see it; one that vanished asks for nothing. */
export function invoiceOf({ number, issued_at, currency, net, vanished_at, matched, named }: InvoiceBooks): Invoice {
  return { number, date: issued_at.slice(0, 10), currency, net: vanished_at === null ? net : 0n, matched, named };
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

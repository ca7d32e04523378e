import { dayNumber } from '../base/day.ts';
import { compareText } from '../base/text.ts';
import type { Units } from '../money/units.ts';
import { type NamedNumbers, namedNumbers } from './invoice-numbers.ts';
import {
  type Invoice,
  type InvoiceShare,
  type Match,
  type MatchInput,
  type MatchOptions,
  oldestFirst,
  outstandingOf,
  type Receipt,
  type ReceiptShare,
} from './model.ts';
import type { Tried } from './tried.ts';

/** A receipt during matching: `left` shrinks as it is booked. */
export interface OpenReceipt extends Omit<Receipt, 'left'> {
  left: Units;
  /** Its date as a day number. */
  readonly day: number;
  /** The numbers of the invoices in its currency that its text names. */
  readonly names: NamedNumbers;
  /** Its text clearly names invoices, and none of them asks for its currency. */
  readonly namesOtherCurrency: boolean;
}

export interface OpenInvoice {
  readonly number: number;
  readonly date: string;
  readonly day: number;
  /** Matched so far, less what was taken back. */
  received: Units;
  /** Net less received and agreed differences; negative where it was overpaid, or where you owe the courier. */
  outstanding: Units;
  touched: boolean;
}

/**
 * The open items of one currency: receipts and invoices that are not matched in full. They are sorted by content (receipts by date,
 * amount, text and id; invoices by date and number), so that no rule depends on the order of rows or files.
 */
export class OpenItems {
  readonly receipts: readonly OpenReceipt[];
  readonly invoices: readonly OpenInvoice[];
  readonly byNumber: ReadonlyMap<number, OpenInvoice>;
  /** The numbers of all invoices, of any currency. */
  readonly #numbers: ReadonlySet<number>;
  readonly #receiptsById: ReadonlyMap<string, OpenReceipt>;
  readonly matches: Match[] = [];
  readonly held: readonly Match[];
  readonly currency: string;
  readonly options: MatchOptions;
  /** Gets what the rules tried with one of them; null where nobody asks. */
  readonly tried: Tried | null;

  constructor(currency: string, input: MatchInput, tried: Tried | null = null) {
    this.tried = tried;
    this.currency = currency;
    this.options = input.options;
    this.held = (input.held ?? []).filter((match) => match.currency === currency);
    const matchedNumbers = new Set(this.held.flatMap((match) => match.invoices.map(({ number }) => number)));
    this.invoices = input.invoices
      .filter((invoice) => invoice.currency === currency)
      .map((invoice) => openInvoice(invoice, matchedNumbers.has(invoice.number)))
      .sort(oldestFirst);
    this.#numbers = new Set(input.invoices.map(({ number }) => number));
    this.byNumber = new Map(this.invoices.map((invoice) => [invoice.number, invoice]));
    this.receipts = input.receipts
      .filter((receipt) => receipt.currency === currency)
      .map((receipt) => this.#open(receipt))
      .sort(byContent);
    this.#receiptsById = new Map(this.receipts.map((receipt) => [receipt.id, receipt]));
  }

  #open(receipt: Receipt): OpenReceipt {
    let names: NamedNumbers | undefined;
    let namesOtherCurrency: boolean | undefined;
    const namesOf = () => namesIn(receipt, (number) => this.byNumber.has(number));
    const namesAny = () => namesIn(receipt, (number) => this.#numbers.has(number)).strong.length > 0;
    return {
      ...receipt,
      day: dayNumber(receipt.date),
      // Computed on demand: most receipts are matched already.
      get names() {
        names ??= namesOf();
        return names;
      },
      get namesOtherCurrency() {
        namesOtherCurrency ??= this.names.strong.length === 0 && namesAny();
        return namesOtherCurrency;
      },
    };
  }

  /** The invoices that a receipt's text names: those that it clearly names, else the open ones that it may name. */
  namedBy({ names: { strong, weak } }: OpenReceipt): OpenInvoice[] {
    if (strong.length > 0) return this.invoicesOf(strong);
    return this.invoicesOf(weak).filter(({ outstanding }) => outstanding !== 0n);
  }

  /** The text of a receipt names an invoice, and not all of these: its amount alone does not make it theirs. */
  namesOthers(receipt: OpenReceipt, numbers: readonly number[]): boolean {
    const { strong, weak } = receipt.names;
    const isUnnamed = (number: number) => !strong.includes(number) && !weak.includes(number);
    return this.namedBy(receipt).length > 0 && numbers.some(isUnnamed);
  }

  /** The invoices with these numbers, by date and number. */
  invoicesOf(numbers: readonly number[]): OpenInvoice[] {
    return numbers.flatMap((number) => this.byNumber.get(number) ?? []).sort(oldestFirst);
  }

  /** Books a match and reduces what is left of both sides. */
  book(
    rule: Match['rule'],
    receipts: readonly ReceiptShare[],
    invoices: readonly InvoiceShare[],
    because: { readonly evidence: string; readonly reverses?: string },
  ): void {
    let due = 0n;
    for (const { number, amount } of invoices) {
      const invoice = this.byNumber.get(number)!;
      due += invoice.outstanding;
      invoice.outstanding -= amount;
      invoice.received += amount;
      invoice.touched = true;
    }
    for (const { id, amount } of receipts) this.#receiptsById.get(id)!.left -= amount;
    const paid = receipts.reduce((sum, { amount }) => sum + amount, 0n);
    const difference = paid - due;
    this.matches.push({ rule, currency: this.currency, receipts, invoices, due, difference, ...because });
  }

  /** Books a whole receipt to invoices that it pays exactly. */
  bookExactly(rule: Match['rule'], receipt: OpenReceipt, invoices: readonly OpenInvoice[], evidence: string): void {
    this.tried?.say(rule, { receipts: [receipt], invoices }, { id: 'tried-matched', rule });
    const shares = invoices.map(({ number, outstanding }) => ({ number, amount: outstanding }));
    this.book(rule, [{ id: receipt.id, amount: receipt.left }], shares, { evidence });
  }
}

/** The invoices that a receipt names, in its text or in the cash book's column. @param known the numbers that are invoices */
export function namesIn(
  { text, invoiceHint }: Pick<Receipt, 'text' | 'invoiceHint'>,
  known: (number: number) => boolean,
): NamedNumbers {
  const names = namedNumbers(text, known);
  const hinted = namedNumbers(invoiceHint ?? '', known);
  const strong = [...new Set([...names.strong, ...hinted.strong, ...hinted.weak])].sort((a, b) => a - b);
  return { strong, weak: names.weak.filter((number) => !strong.includes(number)) };
}

function openInvoice(invoice: Invoice, isMatched: boolean): OpenInvoice {
  return {
    number: invoice.number,
    date: invoice.date,
    day: dayNumber(invoice.date),
    received: invoice.matched,
    outstanding: outstandingOf(invoice),
    touched: isMatched || invoice.matched !== 0n,
  };
}

/** Sorts by content first: receipts that differ in their ids alone are interchangeable. */
function byContent(a: OpenReceipt, b: OpenReceipt): number {
  return (
    compareText(a.date, b.date) ||
    Number(a.amount - b.amount) ||
    compareText(a.text, b.text) ||
    compareText(a.invoiceHint ?? '', b.invoiceHint ?? '') ||
    compareText(a.id, b.id)
  );
}

/**
 * The receipts whose text clearly names invoices of other currencies alone, with the numbers of these. No rule matches such a receipt;
 * it may pay them at a rate that a person knows.
 */
export function namedElsewhere({
  receipts,
  invoices,
}: Pick<MatchInput, 'receipts' | 'invoices'>): Map<Receipt, number[]> {
  const numbers = new Set(invoices.map(({ number }) => number));
  const asking = new Set(invoices.map(({ number, currency }) => `${number} ${currency}`));
  const named = new Map<Receipt, number[]>();
  for (const receipt of receipts) {
    if (receipt.left <= 0n) continue;
    const { strong } = namesIn(receipt, (number) => numbers.has(number));
    const askForIt = strong.filter((number) => asking.has(`${number} ${receipt.currency}`));
    if (strong.length > 0 && askForIt.length === 0) named.set(receipt, [...strong]);
  }
  return named;
}

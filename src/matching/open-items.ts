import { dayNumber } from '../base/day.ts';
import { compareText } from '../base/text.ts';
import type { Units } from '../money/units.ts';
import { type NamedNumbers, namedNumbers } from './invoice-numbers.ts';
import {
  type Ambiguity,
  type Invoice,
  type InvoiceShare,
  type Match,
  MOST_WAYS,
  type MoneyToMatch,
  oldestFirst,
  outstandingOf,
  type Receipt,
  type ReceiptShare,
} from './model.ts';
import type { Tried } from './tried-log.ts';

/** A receipt during matching: `left` shrinks as it is booked. */
export interface OpenReceipt extends Omit<Receipt, 'left'> {
  left: Units;
  /** Its date as a day number. */
  readonly day: number;
  /** The numbers of the invoices in its currency that its text names: clearly (`strong`) or possibly (`weak`). */
  readonly names: NamedNumbers;
  /** Its text clearly names invoices, and none of them has its currency. */
  readonly namesOtherCurrency: boolean;
}

export interface OpenInvoice extends Pick<Invoice, 'number' | 'date'> {
  readonly day: number;
  /** The sum of its receipts so far, less what was taken back. */
  received: Units;
  /** Net less received and agreed differences; negative if it was overpaid, or if you owe the courier. */
  outstanding: Units;
  wasEverMatched: boolean;
}

/**
 * The open items of one currency: receipts and invoices that are not matched in full. They are sorted by content
 * (receipts by date, amount, text and id; invoices by date and number), so that the order of files does not matter.
 */
export class OpenItems {
  readonly receipts: readonly OpenReceipt[];
  readonly invoices: readonly OpenInvoice[];
  readonly byNumber: ReadonlyMap<number, OpenInvoice>;
  /** The numbers of all invoices, of any currency. */
  readonly #numbers: ReadonlySet<number>;
  readonly #receiptsById: ReadonlyMap<string, OpenReceipt>;
  readonly matches: Match[] = [];
  /** The receipts for which a rule found more than one way. Later rules skip them. */
  readonly ambiguous = new Map<OpenReceipt, Ambiguity>();
  /** The matches in force from before: `left` and `received` count them already. */
  readonly held: readonly Match[];
  /** `receipt invoice` of each match that a person made. */
  readonly #byHand: ReadonlySet<string>;
  readonly currency: string;
  readonly matchDays: number;
  /** Records for `match explain` what the rules try with one of the items; null for every other command. */
  readonly tried: Tried | null;

  constructor(currency: string, input: MoneyToMatch, tried: Tried | null) {
    this.tried = tried;
    this.currency = currency;
    this.matchDays = input.options.matchDays;
    this.held = (input.held ?? []).filter((match) => match.currency === currency);
    const byHand = this.held.filter(({ rule }) => rule === 'manual');
    this.#byHand = new Set(
      byHand.flatMap(({ receipts, invoices }) =>
        receipts.flatMap(({ id }) => invoices.map(({ number }) => `${id} ${number}`)),
      ),
    );
    const matchedNumbers = new Set(this.held.flatMap((match) => match.invoices.map(({ number }) => number)));
    this.invoices = input.invoices
      .filter((invoice) => invoice.currency === currency)
      .map((invoice) => openInvoice(invoice, matchedNumbers.has(invoice.number)))
      .sort(oldestFirst);
    this.#numbers = new Set(input.invoices.map(({ number }) => number));
    this.byNumber = new Map(this.invoices.map((invoice) => [invoice.number, invoice]));
    this.receipts = input.receipts
      .filter((receipt) => receipt.currency === currency)
      .map((receipt) => this.#openReceipt(receipt))
      .sort(byContent);
    this.#receiptsById = new Map(this.receipts.map((receipt) => [receipt.id, receipt]));
  }

  #openReceipt(receipt: Receipt): OpenReceipt {
    let names: NamedNumbers | undefined;
    let namesOtherCurrency: boolean | undefined;
    const namesOf = () => namesIn(receipt, (number) => this.byNumber.has(number));
    const namesAny = () => namesIn(receipt, (number) => this.#numbers.has(number)).strong.length > 0;
    return {
      ...receipt,
      day: dayNumber(receipt.date),
      // Computed on demand, because most receipts are matched already.
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

  /** Whether a receipt is not used up, and not ambiguous. */
  isOpen(receipt: OpenReceipt): boolean {
    return receipt.left !== 0n && !this.ambiguous.has(receipt);
  }

  /** The open receipts of a sign. @param sign 1 for credits, -1 for debits */
  openReceipts(sign: 1 | -1): OpenReceipt[] {
    return this.receipts.filter((receipt) => this.isOpen(receipt) && receipt.left > 0n === sign > 0);
  }

  /** Records that a receipt has several ways, or too many to try. */
  markAmbiguous(
    receipt: OpenReceipt,
    { rule, ways, tooMany = false }: Pick<Ambiguity, 'rule' | 'ways'> & { readonly tooMany?: boolean },
  ): void {
    this.ambiguous.set(receipt, {
      receipt: receipt.id,
      currency: this.currency,
      amount: receipt.left,
      rule,
      ways: ways.slice(0, MOST_WAYS),
      tooMany: tooMany || ways.length > MOST_WAYS,
    });
  }

  /** The invoices that a receipt's text clearly names, or else the open ones that it may name. */
  namedBy({ names: { strong, weak } }: OpenReceipt): OpenInvoice[] {
    if (strong.length > 0) return this.invoicesOf(strong);
    return this.invoicesOf(weak).filter(({ outstanding }) => outstanding !== 0n);
  }

  /**
   * Whether a receipt's text names invoices, and one of `numbers` is not among them. Then its amount alone is no reason
   * to match it to `numbers`.
   */
  namesOthers(receipt: OpenReceipt, numbers: readonly number[]): boolean {
    const { strong, weak } = receipt.names;
    const isUnnamed = (number: number) => !strong.includes(number) && !weak.includes(number);
    return this.namedBy(receipt).length > 0 && numbers.some(isUnnamed);
  }

  /** Whether a person matched a part of this receipt to this invoice. */
  isMatchedByHand({ id }: OpenReceipt, { number }: OpenInvoice): boolean {
    return this.#byHand.has(`${id} ${number}`);
  }

  /** The invoices with these numbers, by date and number. */
  invoicesOf(numbers: readonly number[]): OpenInvoice[] {
    return numbers.flatMap((number) => this.byNumber.get(number) ?? []).sort(oldestFirst);
  }

  /** Books a match, and reduces what is left of its receipts and outstanding of its invoices. */
  book(
    rule: Match['rule'],
    receipts: readonly ReceiptShare[],
    invoices: readonly InvoiceShare[],
    grounds: { readonly evidence: string; readonly reverses?: string },
  ): void {
    let due = 0n;
    for (const { number, amount } of invoices) {
      const invoice = this.byNumber.get(number)!;
      due += invoice.outstanding;
      invoice.outstanding -= amount;
      invoice.received += amount;
      invoice.wasEverMatched = true;
    }
    for (const { id, amount } of receipts) this.#receiptsById.get(id)!.left -= amount;
    const paid = receipts.reduce((sum, { amount }) => sum + amount, 0n);
    const difference = paid - due;
    this.matches.push({ rule, currency: this.currency, receipts, invoices, due, difference, ...grounds });
  }

  /** Books all that is left of a receipt to invoices that it pays exactly. */
  bookExactly(rule: Match['rule'], receipt: OpenReceipt, invoices: readonly OpenInvoice[], evidence: string): void {
    this.tried?.say(rule, [receipt], invoices, { id: 'tried-matched', rule });
    const shares = invoices.map(({ number, outstanding }) => ({ number, amount: outstanding }));
    this.book(rule, [{ id: receipt.id, amount: receipt.left }], shares, { evidence });
  }
}

/** The invoices that a receipt names, in its text or in the cash book's column. */
export function namesIn(
  { text, invoiceHint }: Pick<Receipt, 'text' | 'invoiceHint'>,
  isInvoice: (number: number) => boolean,
): NamedNumbers {
  const inText = namedNumbers(text, isInvoice);
  const inColumn = namedNumbers(invoiceHint ?? '', isInvoice);
  // In the column any number is meant as an invoice, also a short one or a year.
  const strong = [...new Set([...inText.strong, ...inColumn.strong, ...inColumn.weak])].sort((a, b) => a - b);
  return { strong, weak: inText.weak.filter((number) => !strong.includes(number)) };
}

function openInvoice(invoice: Invoice, isMatched: boolean): OpenInvoice {
  const { number, date, matched: received } = invoice;
  const wasEverMatched = isMatched || received !== 0n;
  return { number, date, day: dayNumber(date), received, outstanding: outstandingOf(invoice), wasEverMatched };
}

/** Sorts by content before id, because receipts that differ only in their ids are interchangeable. */
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
 * The open credits whose text clearly names only invoices of other currencies, with the invoices' numbers. No rule
 * matches such a receipt; it may pay them at a rate that a person knows.
 */
export function namedElsewhere({ receipts, invoices }: Pick<MoneyToMatch, 'receipts' | 'invoices'>) {
  const numbers = new Set(invoices.map(({ number }) => number));
  const invoiceCurrencies = new Set(invoices.map(({ number, currency }) => `${number} ${currency}`));
  const named = new Map<Receipt, number[]>();
  for (const receipt of receipts) {
    if (receipt.left <= 0n) continue;
    const { strong } = namesIn(receipt, (number) => numbers.has(number));
    const inItsCurrency = strong.filter((number) => invoiceCurrencies.has(`${number} ${receipt.currency}`));
    if (strong.length > 0 && inItsCurrency.length === 0) named.set(receipt, [...strong]);
  }
  return named;
}

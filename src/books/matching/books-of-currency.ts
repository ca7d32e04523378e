import type { Units } from '../../money/index.ts';
import { compareText, dayNumber } from '../day.ts';
import { type NamedNumbers, namedNumbers } from './invoice-numbers.ts';
import type { Invoice, InvoiceShare, Match, MatchInput, MatchOptions, Receipt, ReceiptShare } from './model.ts';

/** A receipt while matches are made: what is left of it changes. */
export interface OpenReceipt extends Omit<Receipt, 'left'> {
  left: Units;
  /** Its date as a count of days. */
  readonly day: number;
  /** The numbers that it names, of invoices in its currency. */
  readonly names: NamedNumbers;
}

/** An invoice while matches are made. */
export interface OpenInvoice {
  readonly number: number;
  readonly date: string;
  readonly day: number;
  /** What was matched to it or taken back from it, so far. */
  received: Units;
  /** What it still asks for: net less received and named differences; negative where it was paid too much or is owed by the merchant. */
  outstanding: Units;
  touched: boolean;
}

/**
 * The receipts and invoices of one currency, in an order that depends on what they say alone: receipts by date, amount,
 * text and id, invoices by date and number. So no rule can see in which order rows or files came.
 */
export class CurrencyBooks {
  readonly receipts: readonly OpenReceipt[];
  readonly invoices: readonly OpenInvoice[];
  readonly byNumber: ReadonlyMap<number, OpenInvoice>;
  readonly #receiptsById: ReadonlyMap<string, OpenReceipt>;
  readonly matches: Match[] = [];
  readonly held: readonly Match[];
  readonly currency: string;
  readonly options: MatchOptions;

  constructor(currency: string, input: MatchInput) {
    this.currency = currency;
    this.options = input.options;
    this.held = (input.held ?? []).filter((match) => match.currency === currency);
    const matched = new Set(this.held.flatMap((match) => match.invoices.map(({ number }) => number)));
    this.invoices = input.invoices
      .filter((invoice) => invoice.currency === currency)
      .map((invoice) => openInvoice(invoice, matched.has(invoice.number)))
      .sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
    this.byNumber = new Map(this.invoices.map((invoice) => [invoice.number, invoice]));
    this.receipts = input.receipts
      .filter((receipt) => receipt.currency === currency)
      .map((receipt) => this.#open(receipt))
      .sort(byContent);
    this.#receiptsById = new Map(this.receipts.map((receipt) => [receipt.id, receipt]));
  }

  #open(receipt: Receipt): OpenReceipt {
    let names: NamedNumbers | undefined;
    const namesOf = () => this.#namesOf(receipt);
    return {
      ...receipt,
      day: dayNumber(receipt.date),
      // Found only when asked for: of most receipts nothing is left.
      get names() {
        names ??= namesOf();
        return names;
      },
    };
  }

  #namesOf(receipt: Receipt): NamedNumbers {
    const known = (number: number) => this.byNumber.has(number);
    const names = namedNumbers(receipt.text, known);
    const hinted = namedNumbers(receipt.invoiceHint ?? '', known);
    const strong = [...new Set([...names.strong, ...hinted.strong, ...hinted.weak])].sort((a, b) => a - b);
    return { strong, weak: names.weak.filter((number) => !strong.includes(number)) };
  }

  /** The invoices of some numbers, by date and number. */
  invoicesOf(numbers: readonly number[]): OpenInvoice[] {
    return numbers
      .flatMap((number) => this.byNumber.get(number) ?? [])
      .sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
  }

  /** Books a match and takes it off what both sides hold. */
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

  /** Books one receipt, whole, to invoices that it pays exactly. */
  bookExactly(rule: Match['rule'], receipt: OpenReceipt, invoices: readonly OpenInvoice[], evidence: string): void {
    const shares = invoices.map(({ number, outstanding }) => ({ number, amount: outstanding }));
    this.book(rule, [{ id: receipt.id, amount: receipt.left }], shares, { evidence });
  }
}

function openInvoice(invoice: Invoice, held: boolean): OpenInvoice {
  return {
    number: invoice.number,
    date: invoice.date,
    day: dayNumber(invoice.date),
    received: invoice.matched,
    outstanding: invoice.net - invoice.matched - (invoice.named ?? 0n),
    touched: held || invoice.matched !== 0n,
  };
}

/** Two receipts that differ in nothing but their ids are interchangeable. */
function byContent(a: OpenReceipt, b: OpenReceipt): number {
  return (
    compareText(a.date, b.date) ||
    (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0) ||
    compareText(a.text, b.text) ||
    compareText(a.invoiceHint ?? '', b.invoiceHint ?? '') ||
    compareText(a.id, b.id)
  );
}

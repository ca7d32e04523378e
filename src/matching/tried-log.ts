import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { sizeOf, type Units } from '../money/units.ts';
import type { MatchRule } from './model.ts';

/** Invoices and receipts that a rule tried together, and why it matched them or not. */
export interface Candidate {
  readonly invoices: readonly number[];
  readonly receipts: readonly string[];
  readonly currency: string;
  /** What is outstanding of the invoices; without invoices, what is left of the receipts. */
  readonly amount: Units;
  readonly why: TriedSentence;
}

export type TriedRule = { readonly rule: MatchRule; readonly candidates: readonly Candidate[] };

/** The receipt or invoice about which somebody wants to know what the rules tried. */
export type Subject = { readonly receipt: string } | { readonly invoice: number };

type TriedReceipt = { readonly id: string; readonly left: Units };
type TriedInvoice = { readonly number: number; readonly outstanding: Units };

/** The rules in the order in which they are tried. */
const RULES: readonly MatchRule[] = ['named', 'equal', 'set', 'run', 'several-receipts', 'taken-back', 'named-part'];

/** The most pairs that are recorded of a rule that compares each receipt with each invoice: the nearest by amount. */
const MOST_NEAR = 10;
const MOST_CANDIDATES = 50;

/**
 * Records what the rules tried with one receipt or invoice (`remit match explain`); the rules call {@link say}. Kept
 * are the passes over all rules in which it was matched, and the last one in each currency.
 */
export class Tried {
  readonly #subject: Subject;
  /** From earlier passes: those in which it was matched, and the last one in each earlier currency. */
  readonly #kept: TriedRule[] = [];
  #pass: { rule: MatchRule; candidates: Candidate[] }[] = [];
  #currency = '';

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * A pass over all rules begins. A rule that matches something ends it, and another pass follows. A pass without a
   * match is dropped when the currency's next one begins.
   */
  beginPass(currency: string): void {
    if (this.#currency !== currency || this.#pass.some(isMatched)) this.#kept.push(...this.#pass);
    this.#pass = [];
    this.#currency = currency;
  }

  /** A rule begins, with the receipts that are still open: it is listed even if it then tries nothing. */
  beginRule(rule: MatchRule, receipts: readonly TriedReceipt[], invoices: readonly TriedInvoice[]): void {
    // Money can be taken back from an invoice that is paid in full.
    const open = rule === 'taken-back' ? invoices : invoices.filter(({ outstanding }) => outstanding !== 0n);
    if (this.isAbout(receipts, open)) this.#pass.push({ rule, candidates: [] });
  }

  isAbout(receipts: readonly TriedReceipt[], invoices: readonly TriedInvoice[]): boolean {
    const subject = this.#subject;
    return 'receipt' in subject
      ? receipts.some(({ id }) => id === subject.receipt)
      : invoices.some(({ number }) => number === subject.invoice);
  }

  /**
   * Records why a rule matches these or does not. What is not about the subject is left out.
   *
   * @param paid the amount, if it is not what is outstanding of the invoices
   */
  say(
    rule: MatchRule,
    receipts: readonly TriedReceipt[],
    invoices: readonly TriedInvoice[],
    why: TriedSentence,
    paid?: Units,
  ): void {
    if (!this.isAbout(receipts, invoices)) return;
    const candidates = this.#candidatesOf(rule);
    if (candidates.length >= MOST_CANDIDATES) return;
    const amounts =
      invoices.length > 0 ? invoices.map(({ outstanding }) => outstanding) : receipts.map(({ left }) => left);
    candidates.push({
      invoices: invoices.map(({ number }) => number),
      receipts: receipts.map(({ id }) => id),
      currency: this.#currency,
      amount: paid ?? amounts.reduce((sum, each) => sum + each, 0n),
      why,
    });
  }

  /** The pairs of a receipt and an invoice of the same sign that are about the subject, the nearest by amount. */
  nearestPairs<R extends TriedReceipt, I extends TriedInvoice>(
    receipts: readonly R[],
    invoices: readonly I[],
  ): (readonly [receipt: R, invoice: I])[] {
    const subject = this.#subject;
    const itsReceipts = 'receipt' in subject ? receipts.filter(({ id }) => id === subject.receipt) : receipts;
    const itsInvoices = 'invoice' in subject ? invoices.filter(({ number }) => number === subject.invoice) : invoices;
    const distance = ([{ left }, { outstanding }]: readonly [R, I]) => sizeOf(left - outstanding);
    return itsReceipts
      .flatMap((receipt) => itsInvoices.map((invoice) => [receipt, invoice] as const))
      .filter(([{ left }, { outstanding }]) => left > 0n === outstanding > 0n)
      .sort((a, b) => Number(distance(a) - distance(b)))
      .slice(0, MOST_NEAR);
  }

  /** Each rule once, in order, with its candidates of all currencies and passes. */
  get rules(): readonly TriedRule[] {
    return inOrder([...this.#kept, ...this.#pass]);
  }

  #candidatesOf(rule: MatchRule): Candidate[] {
    const begun = this.#pass.find((tried) => tried.rule === rule);
    if (begun) return begun.candidates;
    const candidates: Candidate[] = [];
    this.#pass.push({ rule, candidates });
    return candidates;
  }
}

/** Each rule once, in the order in which the rules are tried. */
export function inOrder(tried: readonly TriedRule[]): TriedRule[] {
  const byRule = groupBy(tried, ({ rule }) => rule);
  return RULES.flatMap((rule) => {
    const passes = byRule.get(rule);
    return passes ? [{ rule, candidates: passes.flatMap(({ candidates }) => candidates) }] : [];
  });
}

export function isMatched({ candidates }: TriedRule): boolean {
  return candidates.some(({ why }) => why.id === 'tried-matched');
}

import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { formatAmount } from '../money/format.ts';
import { amountOfUnits, sizeOf, type Units } from '../money/units.ts';
import type { MatchRule } from './model.ts';

/** Some invoices and receipts that a rule looked at together. */
export interface Candidate {
  readonly invoices: readonly number[];
  readonly receipts: readonly string[];
  readonly currency: string;
  /** What the invoices ask for; of none, what is left of the receipts. */
  readonly amount: Units;
  readonly why: TriedSentence;
}

export interface TriedRule {
  readonly rule: MatchRule;
  readonly candidates: readonly Candidate[];
}

/** A receipt, or an invoice, of which the rules say what they tried. */
export type Subject = { readonly receipt: string } | { readonly invoice: number };

/** The open receipts and invoices that a rule looks at together. */
interface Sides {
  readonly receipts: readonly { readonly id: string; readonly left: Units }[];
  readonly invoices: readonly { readonly number: number; readonly outstanding: Units }[];
}

/** In the order in which they are tried. */
const RULES: readonly MatchRule[] = ['named', 'equal', 'set', 'run', 'several-receipts', 'taken-back', 'named-part'];

/** Of a rule that compares each with each, only the nearest by amount are told. */
const MOST_NEAR = 10;
const MOST_CANDIDATES = 50;

/**
 * What the rules tried with one receipt or invoice, as they report it themselves: of the pass over all rules in which it was matched,
 * else of the last one.
 */
export class Tried {
  readonly #subject: Subject;
  /** Of the passes that matched something of it. */
  readonly #kept: TriedRule[] = [];
  #pass: { rule: MatchRule; candidates: Candidate[] }[] = [];
  #currency = '';

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** A pass over all rules begins. What an earlier one told without matching anything no longer holds. */
  begin(currency: string): void {
    if (this.#currency !== currency || this.#pass.some(isWon)) this.#kept.push(...this.#pass);
    this.#pass = [];
    this.#currency = currency;
  }

  /** A rule begins, over these receipts that are still open. */
  rule(rule: MatchRule, { receipts, invoices }: Sides): void {
    // Money can be taken back of an invoice that is paid in full.
    const open = rule === 'taken-back' ? invoices : invoices.filter(({ outstanding }) => outstanding !== 0n);
    if (this.isAbout({ receipts, invoices: open })) this.#pass.push({ rule, candidates: [] });
  }

  isAbout({ receipts, invoices }: Sides): boolean {
    const subject = this.#subject;
    return 'receipt' in subject
      ? receipts.some(({ id }) => id === subject.receipt)
      : invoices.some(({ number }) => number === subject.invoice);
  }

  /**
   * Tells why a rule takes these together, or does not. What is not about the subject is left out.
   *
   * @param paid the amount, where the invoices ask for it no more
   */
  say(rule: MatchRule, sides: Sides, why: TriedSentence, paid?: Units): void {
    if (!this.isAbout(sides)) return;
    const { invoices, receipts } = sides;
    const asked =
      invoices.length > 0 ? invoices.map(({ outstanding }) => outstanding) : receipts.map(({ left }) => left);
    const amount = paid ?? sum(asked);
    const numbers = invoices.map(({ number }) => number);
    const ids = receipts.map(({ id }) => id);
    const candidates = this.#candidatesOf(rule);
    if (candidates.length >= MOST_CANDIDATES) return;
    candidates.push({ invoices: numbers, receipts: ids, currency: this.#currency, amount, why });
  }

  /** The pairs of a receipt and an invoice of one sign that are about the subject, the nearest by amount. */
  near<R extends Sides['receipts'][number], I extends Sides['invoices'][number]>(
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

  /** Each rule in its order, once, whatever the currencies and the passes. */
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

/** Each rule once, in the order in which they are tried. */
export function inOrder(tried: readonly TriedRule[]): TriedRule[] {
  const byRule = groupBy(tried, ({ rule }) => rule);
  return RULES.flatMap((rule) => {
    const passes = byRule.get(rule);
    return passes ? [{ rule, candidates: passes.flatMap(({ candidates }) => candidates) }] : [];
  });
}

export function isWon({ candidates }: TriedRule): boolean {
  return candidates.some(({ why }) => why.id === 'tried-matched');
}

/** An amount as a sentence takes it: `12.50`. */
export function plain(units: Units): string {
  return formatAmount(amountOfUnits(units));
}

function sum(all: readonly Units[]): Units {
  return all.reduce((total, each) => total + each, 0n);
}

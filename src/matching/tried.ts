import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { formatAmount } from '../money/format.ts';
import { amountOfUnits, type Units } from '../money/units.ts';
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

/** A rule, with what it looked at. */
export interface TriedRule {
  readonly rule: MatchRule;
  readonly candidates: readonly Candidate[];
}

/** A receipt, or an invoice, of which the rules say what they tried. */
export type Subject = { readonly receipt: string } | { readonly invoice: number };

/** What of open sides is told apart by. */
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
  rule(
    rule: MatchRule,
    open: { readonly receipts: readonly { readonly id: string }[]; readonly invoices: Sides['invoices'] },
  ) {
    const { receipt, invoice } = { receipt: null, invoice: null, ...this.#subject };
    const isOpen =
      receipt === null
        ? open.invoices.some(
            ({ number, outstanding }) => number === invoice && (outstanding !== 0n || rule === 'taken-back'),
          )
        : open.receipts.some(({ id }) => id === receipt);
    if (isOpen) this.#pass.push({ rule, candidates: [] });
  }

  /** Whether the subject is among them. */
  isAbout({ receipts, invoices }: Sides): boolean {
    const { receipt, invoice } = { receipt: null, invoice: null, ...this.#subject };
    return receipt === null
      ? invoices.some(({ number }) => number === invoice)
      : receipts.some(({ id }) => id === receipt);
  }

  /** Tells why a rule takes these together, or does not; of what is not about the subject nothing. @param paid the amount, where the invoices ask for it no more */
  say(rule: MatchRule, sides: Sides, why: TriedSentence, paid?: Units): void {
    if (!this.isAbout(sides)) return;
    const { invoices, receipts } = sides;
    const asked = invoices.length > 0 ? invoices.map((one) => one.outstanding) : receipts.map((one) => one.left);
    const amount = paid ?? sum(asked);
    const numbers = invoices.map(({ number }) => number);
    const ids = receipts.map(({ id }) => id);
    const of = this.#of(rule);
    if (of.length >= MOST_CANDIDATES) return;
    of.push({ invoices: numbers, receipts: ids, currency: this.#currency, amount, why });
  }

  /** The pairs of a receipt and an invoice of one sign that are about the subject, the nearest by amount. */
  near<R extends Sides['receipts'][number], I extends Sides['invoices'][number]>(
    receipts: readonly R[],
    invoices: readonly I[],
  ): (readonly [receipt: R, invoice: I])[] {
    const { receipt, invoice } = { receipt: null, invoice: null, ...this.#subject };
    const mine = receipts.filter(({ id }) => receipt === null || id === receipt);
    const its = invoices.filter(({ number }) => invoice === null || number === invoice);
    const off = ([one, other]: readonly [R, I]) => size(one.left - other.outstanding);
    return mine
      .flatMap((one) => its.map((other) => [one, other] as const))
      .filter(([one, other]) => one.left > 0n === other.outstanding > 0n)
      .sort((a, b) => (off(a) < off(b) ? -1 : off(a) > off(b) ? 1 : 0))
      .slice(0, MOST_NEAR);
  }

  /** Each rule in its order, once, whatever the currencies and the passes. */
  get rules(): readonly TriedRule[] {
    return inOrder([...this.#kept, ...this.#pass]);
  }

  #of(rule: MatchRule): Candidate[] {
    const found = this.#pass.find((one) => one.rule === rule);
    if (found) return found.candidates;
    const added = { rule, candidates: [] as Candidate[] };
    this.#pass.push(added);
    return added.candidates;
  }
}

/** Each rule once, in the order in which they are tried. */
export function inOrder(tried: readonly TriedRule[]): TriedRule[] {
  const all = groupBy(tried, ({ rule }) => rule);
  return RULES.flatMap((rule) => {
    const held = all.get(rule);
    return held ? [{ rule, candidates: held.flatMap(({ candidates }) => candidates) }] : [];
  });
}

/** Whether a rule matched one of its candidates. */
export function isWon({ candidates }: TriedRule): boolean {
  return candidates.some(({ why }) => why.id === 'tried-matched');
}

/** An amount of a sentence. */
export function plain(units: Units): string {
  return formatAmount(amountOfUnits(units));
}

function sum(all: readonly Units[]): Units {
  return all.reduce((total, each) => total + each, 0n);
}

function size(units: Units): Units {
  return units < 0n ? -units : units;
}

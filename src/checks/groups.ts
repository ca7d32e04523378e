/** Groups findings by what lies behind them, for the terminal, the desk, reports and statements alike. */
import { groupBy } from '../base/group.ts';
import type { Sentence } from '../base/sentence.ts';
import { compareNullLast, compareText } from '../base/text.ts';
import type { MismatchStatus, MismatchTable, Severity } from '../ledger/schema.ts';
import { type ExactDecimal, formatAmount, parseAmount } from '../money/decimal.ts';
import { CHECKS } from './catalogue/index.ts';
import type { CauseFields } from './check.ts';

export type Groupable = CauseFields & Pick<MismatchTable, 'severity' | 'amount'>;

/** The findings of one check that have one cause, in one currency. */
export interface Group<M extends Groupable = Groupable> {
  readonly code: string;
  readonly severity: Severity;
  /** What lies behind them; `count` is among its parameters. */
  readonly cause: Sentence;
  readonly count: number;
  /** Null if no money is at stake in them. */
  readonly currency: string | null;
  /** The sum at stake: a plain decimal, negative if you are short; null if no finding has an amount. */
  readonly amount: string | null;
  readonly findings: readonly M[];
}

/** The cause if the check names none: the one invoice, the one order without an invoice, or else the one subject. */
export type CauseSentence = {
  id: 'cause-of-one';
  code: string;
  invoice: number | null;
  order: string | null;
  subject: string;
  count: number;
};

/** What a group's place among others depends on. Its cause is text once it was said in a language. */
type Ranked = Pick<Group, 'code' | 'severity' | 'count' | 'currency' | 'amount'> & { cause: Sentence | string };

const CHECK_OF = new Map(CHECKS.map((check) => [check.code, check]));
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Groups findings by their cause: by currency, in each the largest sums first; those without a currency last. */
export function groupByCause<M extends Groupable>(findings: readonly M[]): Group<M>[] {
  const keyOf = (finding: M) => JSON.stringify([finding.code, finding.severity, finding.currency, causeOf(finding)]);
  return [...groupBy(findings, keyOf).values()].map((alike) => groupOf(alike)).sort(byMoney);
}

function groupOf<M extends Groupable>(alike: readonly M[]): Group<M> {
  const first = alike[0]!;
  const { code, severity, currency } = first;
  const amounts = alike.flatMap(({ amount }) => (amount === null ? [] : [parseAmount(amount)]));
  const sum = amounts.reduce<ExactDecimal | null>((total, amount) => total?.plus(amount) ?? amount, null);
  const count = alike.length;
  const amount = sum === null ? null : formatAmount(sum);
  return { code, severity, cause: { ...causeOf(first), count }, count, currency, amount, findings: alike };
}

function causeOf(finding: Groupable): Sentence {
  const causeByCheck = CHECK_OF.get(finding.code)?.cause?.(finding);
  if (causeByCheck) return causeByCheck;
  const { code, invoice_number: invoice, order_id, subject } = finding;
  const order = invoice === null ? order_id : null;
  return { id: 'cause-of-one', code, invoice, order, subject: invoice === null && order === null ? subject : '' };
}

/** The order in which people read groups: by currency, in each the largest sums first. */
export function byMoney(a: Ranked, b: Ranked): number {
  return (
    compareNullLast(a.currency, b.currency) ||
    compareAmounts(a.amount, b.amount) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.count - a.count ||
    compareText(a.code, b.code) ||
    compareText(JSON.stringify(a.cause), JSON.stringify(b.cause))
  );
}

/** The larger first, whatever its sign; null last. */
function compareAmounts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return parseAmount(b).abs().comparedTo(parseAmount(a).abs());
}

/** Counts by severity the mismatches that are still open, and those that a person acknowledged. */
export function countUnresolved(
  mismatches: readonly { readonly severity: Severity; readonly status: MismatchStatus }[],
) {
  const count = (severity: Severity, status: MismatchStatus) =>
    mismatches.filter((mismatch) => mismatch.severity === severity && mismatch.status === status).length;
  const countsOf = (severity: Severity) => {
    return { open: count(severity, 'open'), acknowledged: count(severity, 'acknowledged') };
  };
  return { error: countsOf('error'), warning: countsOf('warning'), info: countsOf('info') };
}

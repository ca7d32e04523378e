import type { Verdict } from '../judge/index.ts';
import type { CheckAnswer } from './answer.ts';
import { compareBridges } from './bridges.ts';
import { compareCoverage } from './coverage.ts';
import { compareFindings } from './findings.ts';

/** Everything in which a check's answer is not what it must be. */
export function compareVerdict(
  verdict: Verdict,
  months: readonly string[],
  answer: CheckAnswer,
  exit: number,
): string[] {
  const open = answer.mismatches.filter(({ status }) => status !== 'resolved');
  const expected = [...verdict.shown, ...verdict.kept];
  return [
    ...compareFindings(expected, open),
    ...compareIncomplete(verdict, months, answer),
    ...compareBridges(verdict.bridges, answer.bridge),
    ...compareExit(verdict, months, open, exit),
    ...compareCounts(answer, open),
    ...compareCoverage(verdict, answer),
  ];
}

function compareIncomplete(verdict: Verdict, months: readonly string[], answer: CheckAnswer): string[] {
  const said = new Set(answer.incomplete.map(({ period }) => period));
  return months.flatMap((month) => {
    const why = [...verdict.why(month)];
    const texts = answer.incomplete.filter(({ period }) => period === month).map(({ why: text }) => text);
    if (why.length > 0 && !said.has(month)) return [`${month} must be incomplete: ${why.join(', ')}`];
    if (why.length > 0 || !said.has(month) || mayBeIncomplete(verdict, month)) return [];
    return [`${month} is called incomplete (${texts.join('; ')}), which nothing shows`];
  });
}

/** Rule 45: what the design leaves open. */
export function mayBeIncomplete({ ledger }: Verdict, month: string): boolean {
  const index = ledger.months.get(month)?.walks.at(-1)?.run ?? -1;
  const night = ledger.nights[index];
  const failed = night?.shown.some(({ status }) => status !== 200) ?? false;
  const book = ledger.book.walks.at(-1);
  const bookShort = book !== undefined && book.items.length !== book.count;
  const bookUnread = [...ledger.book.orders.values()].some(({ unreadable }) => unreadable);
  const unread = [...ledger.invoices.values()].some(
    ({ lastAnswer }) => lastAnswer === 'unreadable' || lastAnswer === 'failed',
  );
  const unreadRow = [...ledger.months.values()].some(({ unreadable }) => unreadable.size > 0);
  return failed || bookShort || bookUnread || unread || unreadRow;
}

function compareExit(
  verdict: Verdict,
  months: readonly string[],
  open: CheckAnswer['mismatches'],
  exit: number,
): string[] {
  const errors = open.some(({ severity }) => severity === 'error');
  const incomplete = months.some((month) => verdict.why(month).size > 0);
  const may = months.some((month) => mayBeIncomplete(verdict, month));
  const right = errors ? [3] : incomplete ? [1] : may ? [0, 1] : [0];
  return right.includes(exit) ? [] : [`exit code ${exit}, must be ${right.join(' or ')}`];
}

function compareCounts(answer: CheckAnswer, open: CheckAnswer['mismatches']): string[] {
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = open.filter((mismatch) => mismatch.severity === severity).length;
    return count === answer.open[severity] ? [] : [`open.${severity} is ${answer.open[severity]}, lists ${count}`];
  });
}

import { CHECKS } from '../../checks/index.ts';
import { readKnowledge } from '../../checks/knowledge.ts';
import { isOfFiles, isOfLooks } from '../../checks/requirement.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readImports } from '../../ledger/read/imported.ts';
import { type Mismatch, readClosesInForce } from '../../ledger/read/index.ts';
import { addMonths, monthOf } from '../../period.ts';
import type { CheckResult } from '../check.ts';

/** Why a month cannot be closed or opened again, and what to do about it. */
export interface Refusal {
  readonly code:
    | 'not-ended'
    | 'already-closed'
    | 'not-closed'
    | 'month-before-open'
    | 'not-first'
    | 'later-month-closed'
    | 'incomplete'
    | 'not-checked'
    | 'errors-open';
  readonly why: string;
  readonly remedy: string;
}

/** A check that a month was not given, and why. */
export interface NotChecked {
  readonly code: string;
  readonly why: string;
}

/** What the order of the closes has against closing a month. */
export async function refuseByOrder(
  db: LedgerTransaction,
  { month, first, now }: { readonly month: string; readonly first: boolean; readonly now: Date },
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  if (month >= monthOf(now)) {
    const remedy = `Close it from ${addMonths(month, 1)}-01 (UTC) on, after \`remit sync ${month}\`.`;
    refusals.push({ code: 'not-ended', why: `${month} has not ended`, remedy });
  }
  const closes = await readClosesInForce(db);
  const own = closes.find(({ period }) => period === month);
  if (own) {
    const why = `${month} is closed already, by ${own.actor} on ${own.at.slice(0, 10)}`;
    const remedy = `To close it anew, \`remit reopen ${month} --by NAME --reason TEXT\` first.`;
    return [...refusals, { code: 'already-closed', why, remedy }];
  }
  const later = closes.filter(({ period }) => period > month);
  if (later.length > 0) refusals.push(laterClosed(month, later.at(-1)!.period));
  const earlier = closes.filter(({ period }) => period < month);
  const before = addMonths(month, -1);
  if (first && earlier.length > 0) {
    const why = `${month} is not the first month: ${earlier.at(-1)!.period} is closed`;
    refusals.push({ code: 'not-first', why, remedy: 'Leave --first out.' });
  }
  if (!first && !earlier.some(({ period }) => period === before)) {
    const remedy = `Close it first (\`remit close ${before} --by NAME\`)${earlier.length > 0 || later.length > 0 ? '' : `, or write --first if your books begin with ${month}`}.`;
    refusals.push({ code: 'month-before-open', why: `the month before it, ${before}, is open`, remedy });
  }
  return refusals;
}

/** Months are closed in order and opened again from the last back: a closed month's opening is the closing before it. */
export function laterClosed(month: string, later: string): Refusal {
  return {
    code: 'later-month-closed',
    why: `${later}, which opens with what ${month} closes with, is closed`,
    remedy: `\`remit reopen ${later} --by NAME --reason TEXT\` first.`,
  };
}

/** What the books have against it: what is missing, what was not checked, what is wrong. */
export async function refuseByBooks(
  db: LedgerTransaction,
  { month, incomplete }: { readonly month: string } & Pick<CheckResult, 'incomplete'>,
): Promise<{ readonly refusals: readonly Refusal[]; readonly notChecked: readonly NotChecked[] }> {
  const lacking = incomplete
    .filter(({ period }) => period === month)
    .map(({ why }): Refusal => {
      const [sentence, remedy = ''] = why.split('; run ');
      return { code: 'incomplete', why: `${month} is not whole: ${sentence}`, remedy: remedy && `Run ${remedy}.` };
    });
  const notChecked = await readNotChecked(db);
  const needed = notChecked.filter((check) => check.isNeeded);
  const skipped = [...new Set(needed.map(({ why }) => why))].map((why): Refusal => {
    const codes = needed.filter((check) => check.why === why).map(({ code }) => code);
    const [sentence, remedy = ''] = why.split('; run ');
    return {
      code: 'not-checked',
      why: `${codes.join(', ')} could not look: ${sentence}`,
      remedy: remedy && `Run ${remedy}.`,
    };
  });
  return {
    refusals: [...lacking, ...skipped],
    notChecked: notChecked.map(({ code, why }) => ({ code, why })),
  };
}

/** What errors that nobody has decided about have against it. */
export function refuseByErrors(month: string, open: readonly Mismatch[], withOpen: string | null): Refusal[] {
  if (open.length === 0 || withOpen !== null) return [];
  const codes = [...new Set(open.map(({ code }) => code))];
  const counts = codes.map((code) => `${code} (${open.filter((one) => one.code === code).length})`);
  return [
    {
      code: 'errors-open',
      why: `${open.length === 1 ? 'an error is' : `${open.length} errors are`} open: ${counts.join(', ')}`,
      remedy: `Settle them (\`remit mismatch list ${month}\`), or close with --with-open REASON, which goes on record with them.`,
    },
  ];
}

/**
 * The checks that cannot look, and whether the month's books need them. Not needed are files of a kind that was never brought, and a
 * second look where there was one: there is nothing to compare then.
 */
async function readNotChecked(db: LedgerTransaction) {
  const knowledge = await readKnowledge(db);
  const brought = new Set<string>((await readImports(db)).map(({ kind }) => kind));
  return CHECKS.flatMap(({ code, requires }) => {
    const unmet = requires.find((each) => each.whyUnmet(knowledge) !== null);
    if (!unmet) return [];
    const isNeeded = isOfFiles(unmet) ? brought.has(unmet.name) : !isOfLooks(unmet);
    return [{ code, why: unmet.whyUnmet(knowledge)!, isNeeded }];
  });
}

import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { addMonths, monthOf } from '../../base/period.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { readSources, type Sources } from '../../checks/facts/sources.ts';
import type { Incomplete } from '../../checks/incomplete.ts';
import { type Lacking, withRemedy } from '../../checks/remedy.ts';
import { isOfFiles, isOfLooks, isOfOrderBook, isOfSheets, unmetOf } from '../../checks/requirement.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { type Mismatch, readClosesInForce } from '../../ledger/queries/index.ts';
import { say } from '../../words/index.ts';

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
  /** The courier whose books have it against the month, where there are several. */
  readonly courier?: string;
}

/** A check that did not run for a month, and why. */
export interface NotChecked {
  readonly code: string;
  readonly why: string;
}

/** Reasons against closing a month that come from the order of the closes. */
export async function refuseByOrder(
  db: LedgerTransaction,
  { month, first, now, timeZone }: { month: string; first: boolean; now: Date; timeZone: string },
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  if (month >= monthOf(now)) {
    const remedy = `Close it from ${addMonths(month, 1)}-01 (UTC) on, after \`remit sync ${month}\`.`;
    refusals.push({ code: 'not-ended', why: `${month} has not ended`, remedy });
  }
  const closes = await readClosesInForce(db);
  const own = closes.find(({ period }) => period === month);
  if (own) {
    const why = `${month} is closed already, by ${own.actor} on ${dayIn(own.at, timeZone)}`;
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

/**
 * What the books have against it: what is missing or was not compared, and which checks could not look.
 *
 * @param incomplete why the month is incomplete, as the check found it
 */
export async function refuseByBooks(
  db: LedgerTransaction,
  month: string,
  incomplete: readonly Incomplete[],
): Promise<{ readonly refusals: readonly Refusal[]; readonly notChecked: readonly NotChecked[] }> {
  const sources = await readSources(db);
  const lacking = incomplete.map((each): Refusal => {
    return { code: 'incomplete', why: `${month} is not whole: ${say(each.why)}`, remedy: remedyOf(each) };
  });
  const notChecked = await readNotChecked(db, sources);
  const needed = groupBy(
    notChecked.filter((check) => check.isNeeded),
    (check) => JSON.stringify(check.lacking),
  );
  const skipped = [...needed.values()].map((own): Refusal => {
    const codes = own.map(({ code }) => code).join(', ');
    const { lacking } = own[0]!;
    return { code: 'not-checked', why: `${codes} could not look: ${say(lacking.why)}`, remedy: remedyOf(lacking) };
  });
  return {
    refusals: [...lacking, ...skipped],
    notChecked: notChecked.map(({ code, lacking }) => ({ code, why: say(withRemedy(lacking)) })),
  };
}

function remedyOf({ commands }: Lacking): string {
  return commands.length === 0 ? '' : `Run ${commands.map((command) => `\`${command}\``).join(', or ')}.`;
}

/** What errors that nobody has decided about have against it. */
export function refuseByErrors(month: string, open: readonly Mismatch[]): Refusal[] {
  if (open.length === 0) return [];
  const codes = [...new Set(open.map(({ code }) => code))];
  const counts = codes.map((code) => `${code} (${open.filter((one) => one.code === code).length})`);
  return [
    {
      code: 'errors-open',
      why: `${open.length === 1 ? 'an error is' : `${open.length} errors are`} open: ${counts.join(', ')}`,
      remedy: `Settle them: \`remit mismatch list ${month}\`.`,
    },
  ];
}

/**
 * The checks that cannot look, and whether the month's books need them. Not needed are files of a kind that was never brought, and a
 * second look where there was one: there is nothing to compare then. Nor is the order book of a courier that sends sheets.
 */
async function readNotChecked(db: LedgerTransaction, sources: Sources) {
  const brought = new Set<string>((await readImports(db)).map(({ kind }) => kind));
  return CHECKS.flatMap((check) => {
    const unmet = unmetOf(check, sources);
    if (!unmet) return [];
    const { requirement, ...lacking } = unmet;
    const cannotBe = isOfLooks(requirement) || (isOfOrderBook(requirement) && isOfSheets(sources));
    const isNeeded = isOfFiles(requirement) ? brought.has(requirement.name) : !cannotBe;
    return [{ code: check.code, lacking, isNeeded }];
  });
}

import type { Night } from '../../app/night/model.ts';
import { counted } from '../../base/counted.ts';
import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { incompleteLines, type LineOptions, newsLines, openCounts, skippedLines, wrapped } from './check.ts';
import { shortOrAhead, timestampText } from './labels.ts';
import { booksLines } from './sync.ts';

/** The most characters that are printed of a warning, or of a failure's message or hint. */
const LONGEST = 1_000;

type Effects = readonly { readonly currency: string; readonly effect: string }[];

/** A mail's subject: `remit night 2026-11-20: 2 new, 1 resolved; short 12.00 USD`. @param zone for the day */
export function subjectOf(night: Night, zone: string): string {
  return `remit night ${dayIn(night.at, zone)}: ${headline(night)}`;
}

/** A night's summary: news, what is short, what could not be fetched, the last sync. @param zone for the day */
export function nightLines(night: Night, options: LineOptions, zone: string): string[] {
  const { check } = night;
  const linesBelowNews = [
    ...checkedLines(night),
    ...matchedLines(night),
    ...cashLines(night),
    ...claimedLines(night),
    ...syncedLines(night),
    lastGoodLine(night),
    ...undeliveredLines(night),
  ];
  return [
    ...wrapped([subjectOf(night, zone), ''], options),
    ...(check ? newsLines({ shown: check.groups, resolved: check.resolved_groups }, check.mismatches, options) : []),
    ...wrapped(linesBelowNews, options),
  ];
}

function headline({ sync, sync_failure, match, match_failure, check, check_failure, unanswered }: Night): string {
  const parts: string[] = [];
  if (check) parts.push(`${check.new} new, ${check.resolved} resolved`);
  if (check && check.short.length > 0) parts.push(shortText(check.short));
  if (match && match.new > 0) parts.push(newMatches(match.new));
  if (sync_failure) parts.push(sync_failure.exit_code === 4 ? 'another command is at work' : 'the sync FAILED');
  if (sync?.status === 'partial') parts.push('not everything could be brought');
  if (check && check.incomplete.length > 0) {
    const months = [...new Set(check.incomplete.map(({ period }) => period))];
    parts.push(`${months.slice(0, 3).join(', ')}${months.length > 3 ? ', ...' : ''} incomplete`);
  }
  if (match_failure) parts.push('matching FAILED');
  if (check_failure) parts.push('the check FAILED');
  if (unanswered?.due) parts.push(`${counted(unanswered.count, 'claim')} unanswered`);
  return parts.join('; ');
}

function checkedLines({ check, check_failure, sync_failure }: Night): string[] {
  if (check_failure) return failureLines('the check failed', check_failure);
  if (!check) return ['nothing was checked, because another command is at work'];
  // `mismatches` has only the 100 worst of what is new or resolved.
  const unlisted = check.new + check.resolved - check.mismatches.length;
  // Empty if the books have one courier: then no line names it.
  const parts = check.couriers.map((courier) => ({ courier }));
  const again = check.reopened > 0 ? ` (${check.reopened} of them open again)` : '';
  return [
    ...(unlisted > 0 ? [`and ${unlisted} more: \`remit report mismatches\` lists all that are not resolved`] : []),
    ...(sync_failure ? ['the sync failed: this is a check of what was held before'] : []),
    `${check.period}: ${openCounts(check.open)} open, ${check.new} new${again}, ${check.resolved} resolved`,
    ...check.codes
      .filter(({ opened, reopened, resolved }) => opened + reopened + resolved > 0)
      .map(({ code, opened, reopened, resolved, open }) => {
        const words = [
          [opened, 'new'],
          [reopened, 'open again'],
          [resolved, 'resolved'],
        ] as const;
        const changes = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
        return `  ${code}: ${changes.join(', ')}; ${open} open`;
      }),
    ...worthLines('what is new is worth', check.new_effects),
    ...worthLines('what was resolved was worth', check.resolved_effects),
    ...(check.short.length > 0 ? [`all that is not resolved: you are ${shortText(check.short)}`] : []),
    ...partsOfShort(check),
    ...incompleteLines({ ...check, parts }),
    ...(check.running.length > 0 ? [`${check.running.join(', ')} is not over yet`] : []),
    ...check.accepted.map((period) => `${period} is incomplete; it was closed all the same, with a reason on record`),
    ...skippedLines({ ...check, parts }),
  ];
}

function partsOfShort({ short_by_month: parts, couriers }: NonNullable<Night['check']>): string[] {
  if (parts.length < 2) return [];
  const months = groupBy(parts, ({ courier, period }) => (couriers.length > 1 ? `${courier} ${period}` : period));
  return [...months].map(([month, effects]) => `  ${month}: ${shortText(effects)}`);
}

function newMatches(count: number): string {
  return `${count} new ${count === 1 ? 'match' : 'matches'}`;
}

/** Nothing in books without receipts: the lines of the checks that were skipped say why. */
function matchedLines({ match, match_failure }: Night): string[] {
  if (match_failure) return failureLines('matching failed', match_failure);
  if (!match) return [];
  const { matched, unmatched, ambiguous } = match;
  const fresh = match.new === 0 ? '' : `, ${newMatches(match.new)}`;
  return [`receipts: ${matched} matched${fresh}, ${unmatched} unmatched, ${ambiguous} ambiguous`];
}

/** The cash of each courier that has any: what it owes, what is receivable, and what waits for an invoice. */
function cashLines({ cash }: Night): string[] {
  const isOfSeveral = new Set(cash.map(({ courier }) => courier)).size > 1;
  const isNotZero = (amount: string) => !/^-?[0.]*$/.test(amount);
  return cash
    .filter(({ owed, receivable, in_hands }) => [owed, receivable, in_hands].some(isNotZero))
    .map(({ courier, currency, owed, overdue, receivable, ...byPlace }) => {
      const placesText = (places: readonly (keyof typeof byPlace)[]) =>
        places
          .filter((place) => isNotZero(byPlace[place]))
          .map((place) => `${PLACES[place]} ${amountText(byPlace[place])}`)
          .join(', ');
      const ready = placesText(['ready', 'paid']);
      const waiting = placesText(['driver', 'company', 'unknown']);
      const parts = [
        `owed ${amountText(owed)}${isNotZero(overdue) ? `, of it overdue ${amountText(overdue)}` : ''}`,
        `COD receivable ${amountText(receivable)}${ready === '' ? '' : ` (${ready})`}`,
        ...(waiting === '' ? [] : [`not yet invoiced: ${waiting}`]),
      ];
      return `${isOfSeveral ? `${courier}: ` : ''}cash in ${cleanText(currency)}: ${parts.join('; ')}`;
    });
}

const PLACES: Readonly<Record<string, string>> = {
  driver: 'with the driver',
  company: 'at the company',
  ready: 'ready',
  paid: 'paid, not received',
  unknown: 'not known where',
};

function worthLines(words: string, effects: Effects): string[] {
  if (effects.length === 0) return [];
  const amounts = effects.map(({ currency, effect }) => `${amountText(effect)} ${cleanText(currency)}`);
  return [`${words} ${amounts.join(', ')}`];
}

function claimedLines({ unanswered }: Night): string[] {
  if (unanswered === null) return [];
  const { days, count, effects, oldest } = unanswered;
  const late = `${counted(count, 'claim')} not answered within ${counted(days, 'day')}, the oldest of ${oldest}`;
  return [`${late}: \`remit dispute list --state claimed\``, ...worthLines('they come to', effects)];
}

/** `short 120.00 USD, ahead 3.00 EUR` */
function shortText(effects: Effects): string {
  return effects.map(({ currency, effect }) => shortOrAhead(effect, cleanText(currency))).join(', ');
}

/** The most warnings of the sync that the summary, which cron mails, has; --json has all of them. */
const MOST_WARNINGS = 20;

function syncedLines({ sync, sync_failure, warnings }: Night): string[] {
  const lines = sync && !isWithoutFetching(sync) ? booksLines(sync) : [];
  if (sync_failure) lines.push(...failureLines('the sync failed', sync_failure));
  for (const warning of warnings.slice(0, MOST_WARNINGS)) lines.push(`warning: ${cleanText(warning, LONGEST)}`);
  if (warnings.length > MOST_WARNINGS) lines.push(`and ${counted(warnings.length - MOST_WARNINGS, 'more warning')}`);
  return lines;
}

function failureLines(what: string, { message, hint }: NonNullable<Night['sync_failure']>): string[] {
  return [`${what}: ${cleanText(message, LONGEST)}`, `  → ${cleanText(hint, LONGEST)}`];
}

/** Whether every courier sends sheets, so that there is nothing to fetch. */
const isWithoutFetching = ({ couriers }: NonNullable<Night['sync']>) => couriers.length === 0;

function lastGoodLine({ sync, last_good_sync, age_seconds }: Night): string {
  if (sync !== null && isWithoutFetching(sync)) return 'no courier has its invoices fetched: import its sheets';
  if (last_good_sync === null || age_seconds === null) return 'no sync has brought everything yet';
  return `the last sync that brought everything: ${timestampText(last_good_sync)}, ${ageText(age_seconds)} ago`;
}

function undeliveredLines({ notified }: Night): string[] {
  return notified.filter(({ ok }) => !ok).map(({ why }) => `not notified: ${cleanText(why ?? '', LONGEST)}`);
}

/** The age in the unit that is easiest to read: `3 hours`. */
export function ageText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  if (seconds < 2 * 3_600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 2 * 86_400) return counted(Math.floor(seconds / 3_600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}

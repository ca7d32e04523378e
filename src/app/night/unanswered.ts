import { readUnanswered } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';
import type { Unanswered } from './model.ts';
import { effectsOf } from './news.ts';

const DAY_MS = 86_400_000;

/** The claims that were not answered within `dispute_days`; null where there are none. */
export function unansweredClaims(books: Books): Promise<Unanswered | null> {
  const days = books.config.disputeDays;
  return usingBooks(books, { readOnly: true }, async ({ db }) => {
    const ages = (await readUnanswered(db)).map(({ claim }) => ({ claim, age: daysSince(claim.at, books.now()) }));
    const late = ages.filter(({ age }) => age >= days);
    if (late.length === 0) return null;
    return {
      days,
      count: late.length,
      effects: effectsOf(late.map(({ claim }) => claim)),
      oldest: late[0]!.claim.at.slice(0, 10),
      due: late.some(({ age }) => (age - days) % 7 === 0),
    };
  });
}

/** Whole calendar days, in UTC: a night that comes a minute early is the same night. */
function daysSince(at: string, now: Date): number {
  return Math.round((Date.parse(now.toISOString().slice(0, 10)) - Date.parse(at.slice(0, 10))) / DAY_MS);
}

import { sql } from 'kysely';
import type { Check, CheckContext, Finding } from './check.ts';
import { counts, finding, shown } from './finding.ts';

interface Walk {
  readonly period: string | null;
  readonly started_at: string;
  /** What it stated; a list that stated nothing left its month incomplete, which is said elsewhere. */
  readonly stated_count: number;
  readonly seen_count: number;
  readonly why: string | null;
}

export const listingIncomplete: Check = {
  code: 'listing-incomplete',
  severity: 'error',
  requires: [],
  title: 'The last look at a month’s list, or at the order book, brought all that it stated.',
  async find(context) {
    const walks = await lastIncomplete(context);
    return {
      findings: walks.map(incomplete),
      compared: context.periods.length + (context.knowledge.book.walks > 0 ? 1 : 0),
      notComparable: [],
    };
  },
};

async function lastIncomplete({ db }: CheckContext): Promise<readonly Walk[]> {
  const { rows } = await sql<Walk>`
    select l.period, coalesce(r.started_at, l.finished_at) as started_at, l.stated_count, l.seen_count, l.why
    from listing l left join run r on r.id = l.run_id
    where l.complete = 0 and l.stated_count is not null and l.id = (
      select max(later.id) from listing later
      where later.stated_count is not null and later.kind = l.kind and (later.period = l.period or (later.period is null and l.period is null))
    )
    order by l.period nulls first`.execute(db);
  return rows;
}

function incomplete({ period, started_at, stated_count, seen_count, why }: Walk): Finding {
  const what = period === null ? 'the order book' : `the list of ${period}`;
  const again = period === null ? 'remit sync --orders' : `remit sync ${period}`;
  return finding({
    period: period ?? started_at.slice(0, 7),
    subject: period === null ? 'listing orders' : `listing ${period}`,
    field: 'count',
    ...counts(stated_count, seen_count),
    message: `The last look at ${what} brought ${seen_count} of ${stated_count} stated${why === null ? '' : ` (${shown(why)})`}: run \`${again}\` again, and if it stays so ask the delivery company.`,
  });
}

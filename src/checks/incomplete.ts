import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import { isOneOf } from '../ledger/sql.ts';
import { addMonths, parsePeriod } from '../period.ts';
import { sayList } from './finding.ts';
import type { Knowledge } from './knowledge.ts';

/** A month of which the ledger may not hold all, and why. */
export interface Incomplete {
  readonly period: string;
  readonly why: string;
  /** Only that it was not over when its list was last read: of the running month nothing else can be said. */
  readonly isEarly: boolean;
}

/** Why each of some months may lack something: silence about them would read as 'all is well'. */
export async function findIncomplete(
  db: LedgerReader,
  periods: readonly string[],
  knowledge: Knowledge,
): Promise<Incomplete[]> {
  const found = new Map<string, Incomplete[]>(periods.map((period) => [period, []]));
  const say = (period: string, why: string, isEarly = false) => {
    found.get(period)?.push({ period, why, isEarly });
  };
  const walks = new Map(knowledge.months.map((walk) => [walk.period, walk]));
  for (const period of periods) {
    const walk = walks.get(period);
    if (!walk) say(period, `it was never synced; run \`remit sync ${period}\``);
    else if (!walk.complete) {
      say(
        period,
        `the last look at its list did not bring all of it${walk.why === null ? '' : `: ${walk.why}`}; run \`remit sync ${period}\``,
      );
    }
  }
  const synced = periods.filter((period) => walks.has(period));
  if (synced.length > 0) {
    for (const { period, why } of await documents(db, synced)) say(period, why);
    for (const { period, why } of await unfinished(db, synced, walks)) say(period, why);
    for (const { period, why } of await early(db, synced)) say(period, why, true);
  }
  return periods.flatMap((period) => found.get(period)!);
}

/** A reason before it is said of a month. */
type Reason = Pick<Incomplete, 'period' | 'why'>;

type Lacking = Reason & { readonly what: 'missing' | 'superseded' | 'unreadable'; readonly subject: string };

const SENTENCES = {
  missing: (items: readonly string[]) => `no detail of invoice ${sayList(items)} was ever read`,
  superseded: (items: readonly string[]) =>
    `a newer detail of invoice ${sayList(items)} could not be brought or read, so that older figures are shown`,
  unreadable: (items: readonly string[]) => `its list cannot be read at ${sayList(items)}`,
} as const;

/** Details that are missing or old, and rows of lists that cannot be read. */
async function documents(db: LedgerReader, periods: readonly string[]): Promise<Reason[]> {
  const months = sql.join([...periods]);
  const { rows } = await sql<Lacking>`
    select l.period, 'missing' as what, cast(l.invoice_number as text) as subject, '' as why
    from invoice_listed l
    where l.period in (${months}) and l.vanished_at is null
      and not exists (select 1 from invoice i where i.number = l.invoice_number)
    union all
    select i.period, 'superseded', cast(i.number as text), coalesce(i.superseded_why, '')
    from invoice i
    where i.period in (${months}) and i.vanished_at is null and (i.superseded_at is not null or (
      exists (select 1 from invoice_listed l where l.invoice_number = i.number and l.vanished_at is null and l.row_sha256 is not null)
      and not exists (
        select 1 from invoice_listed l
        where l.invoice_number = i.number and l.vanished_at is null and l.row_sha256 = i.listed_sha256
      )
    ))
    union all
    select u.period, 'unreadable', u.subject, u.why from unreadable u
    where u.kind in ('listed', 'page') and u.period in (${months})
    order by 1, 2, 3`.execute(db);
  return [...groupBy(rows, ({ period, what }) => `${period} ${what}`).values()].map((own) => {
    const { period, what, why } = own[0]!;
    const reason = own.length === 1 && why !== '' ? `: ${why}` : '';
    return {
      period,
      why: `${SENTENCES[what](own.map(({ subject }) => subject))}${reason}; run \`remit sync ${period}\``,
    };
  });
}

const ENDED = {
  running: 'is still at work, or was killed',
  partial: 'did not bring all of it',
  failed: 'failed before it came to it',
  interrupted: 'was interrupted before it came to it',
} as const;

/** Months that a later sync was about and did not walk to an end. */
async function unfinished(
  db: LedgerReader,
  periods: readonly string[],
  walks: ReadonlyMap<string, { readonly run_id: number }>,
): Promise<Reason[]> {
  const { rows } = await sql<{ id: number; status: keyof typeof ENDED; period: string | null; started_at: string }>`
    select id, status, period, started_at from run
    where status <> 'complete' and command in ('sync', 'night', 'demo')
      and id > (select min(run_id) from listing where kind = 'invoices')
    order by id desc`.execute(db);
  return periods.flatMap((period) => {
    const run = rows.find(({ id, period: about }) => id > walks.get(period)!.run_id && covers(about, period));
    if (!run) return [];
    const when = run.started_at.slice(0, 10);
    return [{ period, why: `the sync of ${when} ${ENDED[run.status]}; run \`remit sync ${period}\`` }];
  });
}

function covers(about: string | null, month: string): boolean {
  if (about === null) return true;
  return about.split(/,\s*/).some((part) => {
    try {
      return parsePeriod(part, new Date(0)).includes(month);
    } catch {
      return true;
    }
  });
}

/** Months whose list was last seen whole before they ended. */
async function early(db: LedgerReader, periods: readonly string[]): Promise<Reason[]> {
  const { rows } = await sql<{ period: string; started_at: string }>`
    select l.period, max(coalesce(r.started_at, l.finished_at)) as started_at
    from listing l left join run r on r.id = l.run_id
    where l.kind = 'invoices' and l.complete = 1 and ${isOneOf('l.period', periods)}
    group by l.period order by l.period`.execute(db);
  return rows
    .filter(({ period, started_at }) => started_at < `${addMonths(period, 1)}-01`)
    .map(({ period, started_at }) => ({
      period,
      why: `its list was last read on ${started_at.slice(0, 10)}, before the month’s end; run \`remit sync ${period}\``,
    }));
}

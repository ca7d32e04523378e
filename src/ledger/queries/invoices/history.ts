/** The history of invoices, from which balances are computed: versions, statuses, and when no list had them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { dayIn } from '../../../base/day.ts';
import { groupBy } from '../../../base/group.ts';
import { eachField, MONEY_FIELDS, type MoneyField } from '../../../money/fields.ts';
import { parseUnits, type Units } from '../../../money/units.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The evidence that shows something, and the day on which it came, in the books' time zone. */
export interface Known {
  readonly evidence_id: number;
  readonly seen_on: string;
}

/** A change of an invoice; `presence` says whether any list has it. */
export type InvoiceEvent =
  | { readonly what: 'version'; readonly money: ReadonlyMap<string, VersionMoney>; readonly sha256: string }
  | { readonly what: 'status'; readonly status: string }
  | { readonly what: 'presence'; readonly present: boolean };

export type VersionMoney = Readonly<Record<MoneyField, Units>>;

/** An invoice with all of its changes, oldest first; a version comes before the status that the same document shows. */
export interface InvoiceHistory {
  readonly number: number;
  readonly period: string;
  /** The day of its date, in the books' time zone. */
  readonly issued_on: string;
  /** Whether it is a settlement sheet's payout: its date is the day on which it was paid. */
  readonly isPayout: boolean;
  readonly events: readonly (InvoiceEvent & Known)[];
}

type Seen = Record<'number' | 'evidence_id', number> & { seen_at: string };

/** Every invoice, or those of one month, vanished ones too, by number. @param zone whose days the events have */
export async function readInvoiceHistories(db: LedgerReader, zone: string, period?: string): Promise<InvoiceHistory[]> {
  const isWanted = period === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`i.period = ${period}`;
  const wanted = db.selectFrom('invoice as i').select(['number', 'period', 'issued_at']).where(isWanted);
  const invoices = await wanted.orderBy('number').execute();
  const payouts = new Set((await db.selectFrom('settlement').select('number').execute()).map(({ number }) => number));
  const events = new Map<number, InvoiceHistory['events'][number][]>(invoices.map(({ number }) => [number, []]));
  for (const version of await readVersionEvents(db, isWanted, zone)) events.get(version.number)?.push(version.event);
  const statuses = await rowsOf<Seen & { status: string }>(db)`
    select s.invoice_number as number, s.evidence_id, s.seen_at, s.status
    from invoice_status s join invoice i on i.number = s.invoice_number
    where ${isWanted}`;
  for (const { number, seen_at, ...row } of statuses) {
    events.get(number)?.push({ what: 'status', ...row, seen_on: dayIn(seen_at, zone) });
  }
  const presences = await rowsOf<Seen & { present: number }>(db)`
    select p.invoice_number as number, p.evidence_id, p.seen_at, p.present
    from invoice_presence p join invoice i on i.number = p.invoice_number
    where ${isWanted}`;
  for (const { number, present, seen_at, ...row } of presences) {
    events.get(number)?.push({ what: 'presence', ...row, seen_on: dayIn(seen_at, zone), present: present === 1 });
  }
  const rank = { version: 0, status: 1, presence: 2 };
  return invoices.map(({ issued_at, ...invoice }) => ({
    ...invoice,
    issued_on: dayIn(issued_at, zone),
    isPayout: payouts.has(invoice.number),
    events: events.get(invoice.number)!.sort((a, b) => a.evidence_id - b.evidence_id || rank[a.what] - rank[b.what]),
  }));
}

async function readVersionEvents(db: LedgerReader, isWanted: RawBuilder<SqlBool>, zone: string) {
  type VersionRow = Seen & { version: number; sha256: string } & Record<'currency' | MoneyField, string | null>;
  const rows = await rowsOf<VersionRow>(db)`
    select v.invoice_number as number, v.version, v.evidence_id, v.seen_at, v.sha256,
      a.currency, ${sql.join(MONEY_FIELDS.map((field) => sql.ref(`a.${field}`)))}
    from invoice_version v join invoice i on i.number = v.invoice_number
    left join invoice_version_amount a on a.invoice_number = v.invoice_number and a.version = v.version
    where ${isWanted}
    order by v.invoice_number, v.version, a.currency`;
  return [...groupBy(rows, ({ number, version }) => `${number} ${version}`).values()].map((lines) => {
    const { number, evidence_id, seen_at, sha256 } = lines[0]!;
    // A version without any amount has one line, of nulls.
    const stated = lines.filter(({ currency }) => currency !== null);
    const moneyOf = (line: VersionRow) => eachField(MONEY_FIELDS, (field) => parseUnits(line[field]!));
    const money: ReadonlyMap<string, VersionMoney> = new Map(stated.map((line) => [line.currency!, moneyOf(line)]));
    return { number, event: { what: 'version' as const, evidence_id, seen_on: dayIn(seen_at, zone), sha256, money } };
  });
}

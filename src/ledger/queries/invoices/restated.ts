/** Invoices that were seen with other contents than at first. */
import { sql } from 'kysely';
import { MONEY_FIELDS, ROW_SUM_FIELDS } from '../../../money/fields.ts';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** One version of an invoice. */
export interface RestatedVersion {
  readonly number: number;
  readonly period: string;
  readonly version: number;
  readonly seen_at: string;
  readonly sha256: string;
  /** The hash of what it says, however it is written. */
  readonly content: string;
  readonly row_count: number;
  /** The invoice's status just before this version; null at the first. */
  readonly status_before: string | null;
}

/** What a version states: its header's amounts and the sums of its rows, as plain decimals. */
export const VERSION_FIELDS = [...MONEY_FIELDS, ...ROW_SUM_FIELDS] as const;

/** One currency of a version. */
export type VersionAmounts = Readonly<Record<(typeof VERSION_FIELDS)[number], string>> & {
  readonly number: number;
  readonly version: number;
  readonly currency: string;
};

const RESTATED = sql`select invoice_number from invoice_version where version = 2`;

/** All versions of those invoices of some months that have more than one, by invoice and version. */
export async function readRestatedVersions(db: LedgerReader, periods: readonly string[]): Promise<RestatedVersion[]> {
  const { rows } = await sql<RestatedVersion>`
    select v.invoice_number as number, i.period, v.version, v.seen_at, v.sha256, v.content_sha256 as content, v.row_count,
      (select s.status from invoice_status s
        where s.invoice_number = v.invoice_number and s.evidence_id < v.evidence_id
        order by s.evidence_id desc limit 1) as status_before
    from invoice i join invoice_version v on v.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.number in (${RESTATED})
    order by v.invoice_number, v.version`.execute(db);
  return rows;
}

/** The amounts of the same versions, by invoice, version and currency. */
export async function readRestatedAmounts(db: LedgerReader, periods: readonly string[]): Promise<VersionAmounts[]> {
  const { rows } = await sql<VersionAmounts>`
    select m.invoice_number as number, m.version, m.currency,
      ${sql.join(VERSION_FIELDS.map((field) => sql.ref(`m.${field}`)))}
    from invoice i join invoice_version_amount m on m.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.number in (${RESTATED})
    order by m.invoice_number, m.version, m.currency`.execute(db);
  return rows;
}

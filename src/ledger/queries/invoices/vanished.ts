/** Invoices that vanished from every month's list, and invoices that were restated after they were first read. */
import { sql } from 'kysely';
import { MONEY_FIELDS, ROW_SUM_FIELDS } from '../../../money/fields.ts';
import type { RowSigns } from '../../../money/returns.ts';
import { readSum } from '../../../money/sum.ts';
import type { InvoiceInMonth, InvoiceTable, InvoiceVersionTable } from '../../schema.ts';
import { INVOICE_ROWS, isOneOf, netSql, ROW_AMOUNTS, sumText, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export interface RestatedVersion
  extends Pick<InvoiceTable, 'number' | 'period'>,
    Pick<InvoiceVersionTable, 'version' | 'seen_at' | 'sha256' | 'row_count'> {
  /** The hash of its amounts and rows, however the document is written. */
  readonly content: string;
  /** The invoice's status just before this version; null at the first. */
  readonly status_before: string | null;
}

/** The amounts of a version: its header's, and the sums of its rows, as plain decimal text. */
export const VERSION_FIELDS = [...MONEY_FIELDS, ...ROW_SUM_FIELDS] as const;

export type VersionFigures = Readonly<Record<'currency' | (typeof VERSION_FIELDS)[number], string>> &
  Readonly<Record<'number' | 'version', number>>;

const RESTATED = sql`select invoice_number from invoice_version where version = 2`;

/** All versions of those invoices of these months that have more than one, by invoice and version. */
export function readRestatedVersions(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<RestatedVersion>(db)`
    select v.invoice_number as number, i.period, v.version, v.seen_at, v.sha256, v.content_sha256 as content, v.row_count,
      (select s.status from invoice_status s
        where s.invoice_number = v.invoice_number and s.evidence_id < v.evidence_id
        order by s.evidence_id desc limit 1) as status_before
    from invoice i join invoice_version v on v.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.number in (${RESTATED})
    order by v.invoice_number, v.version`;
}

/** The amounts of the versions of {@link readRestatedVersions}, by invoice, version and currency. */
export function readRestatedAmounts(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<VersionFigures>(db)`
    select m.invoice_number as number, m.version, m.currency,
      ${sql.join(VERSION_FIELDS.map((field) => sql.ref(`m.${field}`)))}
    from invoice i join invoice_version_amount m on m.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.number in (${RESTATED})
    order by m.invoice_number, m.version, m.currency`;
}

/**
 * These months' vanished invoices with their last nets, in ledger units as text: of the detail, or if none was ever
 * read, of the list's row. Without any amount, an invoice has one line without a currency.
 */
export function readVanishedNets(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<InvoiceInMonth & { vanished_at: string } & Record<'currency' | 'net', string | null>>(db)`
    select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from invoice i left join invoice_amount a on a.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.vanished_at is not null
    union all
    select l.invoice_number, l.period, l.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')}
    from invoice_listed l
    left join invoice_listed_amount a on a.period = l.period and a.invoice_number = l.invoice_number
    where ${isOneOf('l.period', periods)} and l.vanished_at is not null
      and l.counts_here = 1 and not exists (select 1 from invoice i where i.number = l.invoice_number)
    order by 1, 4`;
}

/**
 * The part of the net of these months' vanished invoices whose orders are on a live invoice now, in ledger units.
 *
 * @param returns what a RETURN row's amounts are worth
 */
export async function readMovedNets(db: LedgerReader, periods: readonly string[], returns: RowSigns | null) {
  const rows = await rowsOf<{ number: number; currency: string; net: string }>(db)`
    select i.number, a.currency, ${sumText(netSql('o.workflow', 'a', returns))} as net
    from ${INVOICE_ROWS}
    join ${ROW_AMOUNTS}
    where ${isOneOf('i.period', periods)} and i.vanished_at is not null and exists (
      select 1 from invoice_order other join invoice live on live.number = other.invoice_number
      where other.order_id = o.order_id and live.vanished_at is null
    )
    group by i.number, a.currency`;
  return rows.map(({ number, currency, net }) => ({ number, currency, net: readSum(net, currency) }));
}

/** How many rows the lists of these months have or ever had: an invoice on two lists counts twice. */
export async function countEverListed(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const rows = await rowsOf<{ count: number }>(db)`
    select count(*) as count from invoice_listed where ${isOneOf('period', periods)}`;
  return Number(rows[0]!.count);
}

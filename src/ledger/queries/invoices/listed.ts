/** Where the months' lists and the invoices' details state different things. */
import { type RawBuilder, sql } from 'kysely';
import { INVOICE_STATUSES } from '../../../base/states.ts';
import { MONEY_FIELDS, type MoneyField } from '../../../money/fields.ts';
import type { InvoiceListedTable, InvoiceTable } from '../../schema.ts';
import { isOneOf, listOf, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/**
 * An invoice `i` and `l`, its last readable row in any month's list. A row that can no longer be read keeps its last
 * readable fields, and one that never could be read has no status.
 */
const WITH_LAST_ROW = sql`invoice i
  join invoice_listed l on l.invoice_number = i.number and l.period = (
    select last.period from invoice_listed last
    where last.invoice_number = i.number and last.status is not null
    order by last.read_evidence_id desc, last.period desc
    limit 1
  )`;

/**
 * The list's row is not the one for which the detail was fetched (`i.listed_sha256`), and was shown after the detail
 * was read. Null if the ledger does not know one of them.
 */
const IS_ROW_NEWER = sql`(l.row_sha256 <> i.listed_sha256 and l.read_evidence_id > i.read_evidence_id)`;

/** {@link WITH_LAST_ROW}, without the invoices whose row is newer than their detail; with those where nobody knows. */
const INVOICE_AND_LIST = sql`${WITH_LAST_ROW} and coalesce(not ${IS_ROW_NEWER}, true)`;

/** An invoice, and the month in which it counts, or that lists it. */
type NumberInMonth = Pick<InvoiceTable, 'number' | 'period'>;

/** The invoices of these months whose list row has changed since their detail was fetched. */
export async function readRowsNewerThanDetail(db: LedgerReader, periods: readonly string[]): Promise<number[]> {
  const rows = await rowsOf<{ number: number }>(db)`
    select i.number from ${WITH_LAST_ROW} where ${isOneOf('i.period', periods)} and ${IS_ROW_NEWER}`;
  return rows.map(({ number }) => number);
}

/** The invoices of these months without a readable row in any list. */
export async function readUnlisted(db: LedgerReader, periods: readonly string[]): Promise<number[]> {
  const rows = await rowsOf<{ number: number }>(db)`
    select i.number from invoice i
    where ${isOneOf('i.period', periods)} and not exists (
      select 1 from invoice_listed l where l.invoice_number = i.number and l.status is not null
    )`;
  return rows.map(({ number }) => number);
}

/** The invoices of these months whose detail has more or fewer rows than their list states. */
export function readOrderCountsOff(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<NumberInMonth & Record<'row_count' | 'listed', number>>(db)`
    select i.number, i.period, i.row_count, l.order_count as listed
    from ${INVOICE_AND_LIST}
    where ${isOneOf('i.period', periods)} and l.order_count <> i.row_count
    order by i.number`;
}

/** An invoice's amounts in a currency, by detail and list, in ledger units as text; null if one lacks the currency. */
type ListedAmounts = NumberInMonth & { currency: string } & Record<`${'detail' | 'list'}_${MoneyField}`, string | null>;

/** The invoices and currencies of these months for which the list states a different amount than the detail. */
export function readListedAmountsOff(db: LedgerReader, periods: readonly string[]) {
  const columns = MONEY_FIELDS.flatMap((field) =>
    ['detail', 'list'].map((table) => sql`${unitsText(`${table}.${field}`)} as ${sql.ref(`${table}_${field}`)}`),
  );
  const differences = MONEY_FIELDS.map(
    (field) => sql`coalesce(${sql.ref(`detail.${field}`)}, 0) <> coalesce(${sql.ref(`list.${field}`)}, 0)`,
  );
  const within = isOneOf('i.period', periods);
  // `named`: each currency that the detail or the list names. An amount that one of them lacks counts as zero.
  return rowsOf<ListedAmounts>(db)`
    select named.number, named.period, named.currency, ${sql.join(columns)}
    from (
      select i.number, i.period, l.period as listed, a.currency from ${INVOICE_AND_LIST}
      join invoice_amount a on a.invoice_number = i.number where ${within}
      union
      select i.number, i.period, l.period as listed, a.currency from ${INVOICE_AND_LIST}
      join invoice_listed_amount a on a.invoice_number = i.number and a.period = l.period where ${within}
    ) named
    left join invoice_amount detail on detail.invoice_number = named.number and detail.currency = named.currency
    left join invoice_listed_amount list
      on list.period = named.listed and list.invoice_number = named.number and list.currency = named.currency
    where ${sql.join(differences, sql` or `)}
    order by named.number, named.currency`;
}

/** The invoices of these months whose date or status is not the same in list and detail, letter by letter. */
export function readListedTextsOff(db: LedgerReader, periods: readonly string[], column: 'issued_at' | 'status') {
  const [detail, list] = [sql.ref(`i.${column}`), sql.ref(`l.${column}`)];
  return rowsOf<NumberInMonth & Record<'detail' | 'list', string>>(db)`
    select i.number, i.period, ${detail} as detail, ${list} as list from ${INVOICE_AND_LIST}
    where ${isOneOf('i.period', periods)} and ${list} <> ${detail}
    order by i.number`;
}

/** All months that list these months' invoices, if several do; by invoice, the earliest listing first. */
export function readListedTwice(db: LedgerReader, periods: readonly string[]) {
  // `counts_here`: 1 for the one month in which the invoice counts.
  return rowsOf<NumberInMonth & { counts_here: 0 | 1 }>(db)`
    select l.invoice_number as number, l.period, l.counts_here
    from invoice_listed l
    where l.vanished_at is null and l.invoice_number in (
      select here.invoice_number from invoice_listed here
      join invoice_listed there on there.invoice_number = here.invoice_number and there.period <> here.period
      where ${isOneOf('here.period', periods)} and here.vanished_at is null and there.vanished_at is null
    )
    order by l.invoice_number, l.first_evidence_id, l.period`;
}

/**
 * These months' invoices with a status that the API's documentation lacks, by number: the detail's if that is unknown,
 * else the list's. An invoice whose detail was never read has only the list's.
 */
export function readUnknownStatuses(db: LedgerReader, periods: readonly string[]) {
  const isUnknown = (column: string): RawBuilder<boolean> =>
    sql<boolean>`${sql.ref(column)} not in ${listOf(INVOICE_STATUSES)}`;
  return rowsOf<NumberInMonth & { status: string }>(db)`
    select i.number, i.period, case when ${isUnknown('i.status')} then i.status else l.status end as status
    from invoice i left join invoice_listed l on l.invoice_number = i.number and l.period = i.period
    where ${isOneOf('i.period', periods)} and (${isUnknown('i.status')} or ${isUnknown('l.status')})
    union all
    select l.invoice_number, l.period, l.status from invoice_listed l
    where ${isOneOf('l.period', periods)} and l.vanished_at is null and ${isUnknown('l.status')}
      and not exists (select 1 from invoice i where i.number = l.invoice_number)
    order by 1`;
}

/** The invoices in a courier's last monthly list that has any, by number and currency; nets in ledger units as text. */
export function readLastListed(db: LedgerReader) {
  return rowsOf<NumberInMonth & Pick<InvoiceListedTable, 'issued_at'> & Record<'currency' | 'net', string>>(db)`
    select l.period, l.invoice_number as number, l.issued_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from invoice_listed l join invoice_listed_amount a on a.period = l.period and a.invoice_number = l.invoice_number
    where l.vanished_at is null and l.period = (select max(period) from invoice_listed where vanished_at is null)
    order by l.invoice_number, a.currency`;
}

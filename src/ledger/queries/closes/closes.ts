/** The close log: which months are closed, and what was frozen with them. */
import { sql } from 'kysely';
import type { AccountingSettings } from '../../../base/accounting-settings.ts';
import { courierOf, wholeLedger } from '../../courier.ts';
import { readBody } from '../../evidence/bodies.ts';
import type {
  PeriodCloseDocumentTable,
  PeriodCloseFigureTable,
  PeriodCloseItemTable,
  PeriodCloseTable,
  PeriodReopenTable,
} from '../../schema.ts';
import { leftTogether, monthOf } from '../../sql.ts';
import type { AtClose } from '../balances/movements.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A close of the log, and the reopening that ended it; null while it is in force. */
export interface LoggedClose extends PeriodCloseTable {
  readonly reopened: PeriodReopenTable | null;
}

/** Every close of a month, or of all months, in the order in which they were made. */
export async function readCloseLog(db: LedgerReader, period?: string): Promise<LoggedClose[]> {
  let query = db.selectFrom('period_close').selectAll().orderBy('id');
  if (period !== undefined) query = query.where('period', '=', period);
  const closes = await query.execute();
  const reopened = await db.selectFrom('period_reopen').selectAll().execute();
  const of = new Map(reopened.map((row) => [row.close_id, row]));
  return closes.map((close) => ({ ...close, reopened: of.get(close.id) ?? null }));
}

/** The closes in force, by month: at most one a month. */
export async function readClosesInForce(db: LedgerReader): Promise<PeriodCloseTable[]> {
  const closes = await db.selectFrom('period_close').selectAll().orderBy('period').execute();
  if (closes.length === 0) return closes;
  const reopened = new Set(
    (await db.selectFrom('period_reopen').select('close_id').execute()).map((row) => row.close_id),
  );
  return closes.filter(({ id }) => !reopened.has(id));
}

/** The close of a month that is in force; null where the month is open. */
export async function readCloseOf(db: LedgerReader, period: string): Promise<PeriodCloseTable | null> {
  return (await readClosesInForce(db)).find((close) => close.period === period) ?? null;
}

/** What a close froze, by section, currency and figure. */
export function readClosedFigures(db: LedgerReader, close: number): Promise<PeriodCloseFigureTable[]> {
  return db
    .selectFrom('period_close_figure')
    .selectAll()
    .where('close_id', '=', close)
    .orderBy('section')
    .orderBy('currency')
    .orderBy('figure')
    .execute();
}

export function readClosedDocuments(db: LedgerReader, close: number): Promise<PeriodCloseDocumentTable[]> {
  return db
    .selectFrom('period_close_document')
    .selectAll()
    .where('close_id', '=', close)
    .orderBy('kind')
    .orderBy('evidence_id')
    .orderBy('subject')
    .execute();
}

/** An invoice as it was when a month was closed: the month whose list held it, and its date. */
interface InvoicePlace {
  readonly period: string;
  readonly issued_at: string;
}

export async function readInvoicePlaces(db: LedgerReader, { id }: AtClose): Promise<Map<number, InvoicePlace>> {
  const { rows } = await sql<{ number: number; period: string; issued_at: string }>`
    select v.invoice_number as number, c.period, v.issued_at
    from period_close_document d
    join period_close c on c.id = d.close_id
    join invoice_version v on cast(v.invoice_number as text) = d.subject
    where d.kind = 'invoice' and d.close_id = ${id} and v.evidence_id < ${id}
    order by v.version`.execute(db);
  return new Map(rows.map(({ number, ...place }) => [number, place]));
}

/** When the invoices were issued, as their last details before a close said. */
export async function readIssuedDays(db: LedgerReader, { id }: AtClose): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('invoice_version')
    .select(['invoice_number', 'issued_at'])
    .where('evidence_id', '<', id)
    .orderBy('version')
    .execute();
  return new Map(rows.map(({ invoice_number, issued_at }) => [invoice_number, issued_at]));
}

/**
 * The month in which each invoice counted before a close: the rule of place-invoices.ts, applied to the lists as they were. A listing
 * that was lost and found again is known only if the invoice was in no list at all meanwhile.
 *
 * @param issued see {@link readIssuedDays}
 */
export async function readListedMonths(
  db: LedgerReader,
  { id, at }: AtClose,
  issued: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('invoice_listed')
    .select(['invoice_number', 'period', 'vanished_at', 'vanished_run'])
    .where('first_evidence_id', '<', id)
    .orderBy('first_evidence_id')
    .orderBy('period')
    .execute();
  const presences = await db
    .selectFrom('invoice_presence')
    .select(['invoice_number', 'present'])
    .where('evidence_id', '<', id)
    .orderBy('evidence_id')
    .execute();
  const present = new Map(presences.map((row) => [row.invoice_number, row.present === 1]));
  const listings = new Map<number, typeof rows>();
  for (const row of rows) listings.set(row.invoice_number, [...(listings.get(row.invoice_number) ?? []), row]);
  return new Map(
    [...listings].map(([number, own]) => {
      const isLost = ({ vanished_at }: (typeof own)[number]) => vanished_at !== null && vanished_at <= at;
      const [lost, live] = [own.filter(isLost), own.filter((listing) => !isLost(listing))];
      const isThere = (present.get(number) ?? true) && live.length > 0;
      const counted = isThere || lost.length === 0 ? live : leftTogether(lost);
      return [number, monthOf(counted, issued.get(number) ?? '')];
    }),
  );
}

/** What a close froze of the courier, as its evidence keeps it. @throws LedgerError when the ledger does not hold it whole */
export async function readClosedRecord(db: LedgerReader, close: number): Promise<unknown> {
  const { sha256 } = await db.selectFrom('evidence').select('sha256').where('id', '=', close).executeTakeFirstOrThrow();
  return JSON.parse((await readBody(db, sha256!)).toString('utf8')).couriers[courierOf(db) ?? ''];
}

/** The couriers of which a close froze anything, by key, one that had nothing by then among them. */
export async function readCouriersOfClose(db: LedgerReader, id: number): Promise<string[]> {
  const whole = wholeLedger(db).selectFrom('period_close').select('courier').where('id', '=', id);
  return (await whole.orderBy('courier').execute()).map(({ courier }) => courier);
}

/** The settings of a close that say whose a receipt is, what settles an invoice, and on which day: the month stays by them. */
export interface ClosedSettings {
  readonly matchDays: number;
  readonly remittanceLagDays: number;
  /** What its days are days of. */
  readonly timeZone: string;
  readonly receipts: { readonly payers: readonly string[]; readonly accounts: readonly string[] };
  /** How the journal was kept. */
  readonly accounting: AccountingSettings;
  /** The other couriers of the books, where there were any, and what this one was called. */
  readonly others?: readonly {
    readonly key: string;
    readonly name: string;
    readonly receipts: ClosedSettings['receipts'];
  }[];
  readonly name?: string;
}

export async function readClosedSettings(db: LedgerReader, close: number): Promise<ClosedSettings> {
  return ((await readClosedRecord(db, close)) as { settings: ClosedSettings }).settings;
}

export async function readMonthsRestingOn(db: LedgerReader, importId: number): Promise<string[]> {
  const closes = new Map((await readClosesInForce(db)).map(({ id, period }) => [id, period]));
  const rows = await db
    .selectFrom('period_close_document')
    .select('close_id')
    .distinct()
    // A settlement sheet is behind a close as its invoices.
    .where('evidence_id', '=', importId)
    .execute();
  return rows.flatMap(({ close_id }) => closes.get(close_id) ?? []).sort();
}

/** The numbers of the invoices whose amounts or rows were restated after a piece of evidence, such as a close. */
export async function readRestatedSince(db: LedgerReader, evidenceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('invoice_version')
    .select('invoice_number')
    .distinct()
    .where('evidence_id', '>', evidenceId)
    .where('version', '>', 1)
    .execute();
  return rows.map(({ invoice_number }) => String(invoice_number));
}

export type FrozenItem = Omit<PeriodCloseItemTable, 'close_id'>;

/** The items that were open when a month was closed, the oldest first. */
export function readFrozenItems(db: LedgerReader, close: number): Promise<FrozenItem[]> {
  return db
    .selectFrom('period_close_item')
    .select(['kind', 'subject', 'currency', 'issued_on', 'net_due_to_merchant', 'received', 'differences', 'open'])
    .where('close_id', '=', close)
    .orderBy('issued_on')
    .orderBy('kind')
    .orderBy('subject')
    .orderBy('currency')
    .execute();
}

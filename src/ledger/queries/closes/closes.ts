/**
 * The close log of the courier to which the handle is narrowed: which months are closed, and the figures, documents and
 * open items that each close froze.
 */
import type { AccountingSettings } from '../../../base/settings.ts';
import { courierOf, wholeLedger } from '../../courier.ts';
import { readBody } from '../../evidence/bodies.ts';
import type {
  PeriodCloseDocumentTable,
  PeriodCloseFigureTable,
  PeriodCloseItemTable,
  PeriodCloseTable,
  PeriodReopenTable,
} from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A close of the log, and the reopening that ended it; null while it is in force. */
export interface LoggedClose extends PeriodCloseTable {
  readonly reopened: PeriodReopenTable | null;
}

/** Every close of a month, or of all months, oldest first. */
export async function readCloseLog(db: LedgerReader, period?: string): Promise<LoggedClose[]> {
  let query = db.selectFrom('period_close').selectAll().orderBy('id');
  if (period !== undefined) query = query.where('period', '=', period);
  const closes = await query.execute();
  const reopenings = await db.selectFrom('period_reopen').selectAll().execute();
  const reopeningByClose = new Map(reopenings.map((reopening) => [reopening.close_id, reopening]));
  return closes.map((close) => ({ ...close, reopened: reopeningByClose.get(close.id) ?? null }));
}

/** The closes in force, by month: at most one a month. */
export async function readClosesInForce(db: LedgerReader): Promise<PeriodCloseTable[]> {
  const closes = await db.selectFrom('period_close').selectAll().orderBy('period').execute();
  if (closes.length === 0) return closes;
  const reopenings = await db.selectFrom('period_reopen').select('close_id').execute();
  const reopenedIds = new Set(reopenings.map(({ close_id }) => close_id));
  return closes.filter(({ id }) => !reopenedIds.has(id));
}

/** The close of a month that is in force; null if the month is open. */
export async function readCloseOf(db: LedgerReader, period: string): Promise<PeriodCloseTable | null> {
  return (await readClosesInForce(db)).find((close) => close.period === period) ?? null;
}

/** The figures that a close froze, by section, currency and figure. */
export function readClosedFigures(db: LedgerReader, closeId: number): Promise<PeriodCloseFigureTable[]> {
  const figures = db.selectFrom('period_close_figure').selectAll().where('close_id', '=', closeId).orderBy('section');
  return figures.orderBy('currency').orderBy('figure').execute();
}

export function readClosedDocuments(db: LedgerReader, closeId: number): Promise<PeriodCloseDocumentTable[]> {
  const documents = db.selectFrom('period_close_document').selectAll().where('close_id', '=', closeId).orderBy('kind');
  return documents.orderBy('evidence_id').orderBy('subject').execute();
}

/** The record of one courier in a close's evidence. @throws LedgerError when the evidence is missing or damaged */
export async function readClosedRecord(courierDb: LedgerReader, closeId: number): Promise<unknown> {
  const evidence = courierDb.selectFrom('evidence').select('sha256').where('id', '=', closeId);
  const { sha256 } = await evidence.executeTakeFirstOrThrow();
  const { couriers } = JSON.parse((await readBody(courierDb, sha256!)).toString('utf8'));
  return couriers[courierOf(courierDb) ?? ''];
}

/** The keys of all couriers of a close, even of one without documents then. @param db any handle: it is read whole */
export async function readCouriersOfClose(db: LedgerReader, closeId: number): Promise<string[]> {
  const closes = wholeLedger(db).selectFrom('period_close').select('courier').where('id', '=', closeId);
  return (await closes.orderBy('courier').execute()).map(({ courier }) => courier);
}

/** A close's settings: they decide for good whose a receipt of the month is, what settles an invoice, and when. */
export interface ClosedSettings {
  readonly matchDays: number;
  readonly remittanceLagDays: number;
  readonly timeZone: string;
  readonly receipts: { readonly payers: readonly string[]; readonly accounts: readonly string[] };
  readonly accounting: AccountingSettings;
  /** The other couriers of the books, if there were any, and this one's name. */
  readonly others?: readonly {
    readonly key: string;
    readonly name: string;
    readonly receipts: ClosedSettings['receipts'];
  }[];
  readonly name?: string;
}

export async function readClosedSettings(courierDb: LedgerReader, closeId: number): Promise<ClosedSettings> {
  const record = (await readClosedRecord(courierDb, closeId)) as { settings: ClosedSettings };
  return record.settings;
}

/** The closed months with this import among the documents that their closes froze, the earliest first. */
export async function readMonthsRestingOn(db: LedgerReader, importId: number): Promise<string[]> {
  const monthByClose = new Map((await readClosesInForce(db)).map(({ id, period }) => [id, period]));
  const rows = await db
    .selectFrom('period_close_document')
    .select('close_id')
    .distinct()
    // This finds a settlement sheet too: it is the evidence of the invoices that it brought.
    .where('evidence_id', '=', importId)
    .execute();
  return rows.flatMap(({ close_id }) => monthByClose.get(close_id) ?? []).sort();
}

export type FrozenItem = Omit<PeriodCloseItemTable, 'close_id'>;

/** The items that were open when a month was closed, the oldest first. */
export function readFrozenItems(db: LedgerReader, closeId: number): Promise<FrozenItem[]> {
  return db
    .selectFrom('period_close_item')
    .select(['kind', 'subject', 'currency', 'issued_on', 'net_due_to_merchant', 'received', 'differences', 'open'])
    .where('close_id', '=', closeId)
    .orderBy('issued_on')
    .orderBy('kind')
    .orderBy('subject')
    .orderBy('currency')
    .execute();
}

/**
 * Imported files, the rate card, the exchange rates and the orders of your own book. They belong to the whole books:
 * the handle of any courier shows them all. Only a settlement sheet is of one courier: its import has the key.
 */
import { type RawBuilder, sql } from 'kysely';
import { eachField, PRICE_FIGURES, type PriceFigure } from '../../money/fields.ts';
import { inChunks } from '../chunks.ts';
import { courierOf } from '../courier.ts';
import type { ImportedKind, ImportedTable, OwnOrderTable, TariffLineTable } from '../schema.ts';
import { isOneOf, unitsText } from '../sql.ts';
import { readCourierNames } from './couriers.ts';
import { type LedgerReader, rowsOf } from './snapshot.ts';

/** Every import, undone ones too, in the order in which they came. */
export function readImports(db: LedgerReader): Promise<ImportedTable[]> {
  return db.selectFrom('imported').selectAll().orderBy('id').execute();
}

export function readImport(db: LedgerReader, id: number): Promise<ImportedTable | undefined> {
  return db.selectFrom('imported').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The latest import in force of exactly this file; of settlement sheets only those of the handle's courier. */
export function findImported(courierDb: LedgerReader, kind: ImportedKind, sha256: string) {
  const courier = kind === 'settlement' ? courierOf(courierDb) : null;
  return courierDb
    .selectFrom('imported')
    .selectAll()
    .where('sha256', '=', sha256)
    .where('kind', '=', kind)
    .where('courier', courier === null ? 'is' : '=', courier)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The kinds of your own files that have an import in force; settlement sheets are the courier's, and left out. */
export async function readImportedKinds(db: LedgerReader): Promise<Set<string>> {
  const inForce = db.selectFrom('imported').select('kind').distinct().where('undone_at', 'is', null);
  const rows = await inForce.where('kind', '<>', 'settlement').execute();
  return new Set(rows.map(({ kind }) => kind));
}

/** Whether a settlement sheet of the courier was ever imported, even if that was undone since. */
export async function hadSheets(courierDb: LedgerReader): Promise<boolean> {
  const sheets = courierDb.selectFrom('imported').select('id').where('kind', '=', 'settlement');
  return (await sheets.where('courier', '=', courierOf(courierDb)).limit(1).executeTakeFirst()) !== undefined;
}

/** A line of the rate card, with its file. A condition that is null fits everything. */
export interface TariffRow
  extends Omit<TariffLineTable, 'fee' | 'charge' | PriceFigure>,
    Readonly<Record<PriceFigure, bigint | null>> {
  readonly source: string;
  readonly fee: bigint;
  readonly charge: string;
}

/** The rate card of all imports together, of every courier. */
export async function readTariffRows(db: LedgerReader): Promise<TariffRow[]> {
  const rows = await db
    .selectFrom('tariff_line as t')
    .innerJoin('imported as i', 'i.id', 't.evidence_id')
    .select(['t.evidence_id', 'i.source', 't.line', 't.of_courier', 't.workflow', 't.district', 't.area'])
    .select(['t.merchant_location', 't.from_day', 't.to_day', 't.currency', 't.charge'])
    .select(unitsText('t.fee').as('fee'))
    .select(PRICE_FIGURES.map((figure) => unitsText(`t.${figure}`).as(figure)))
    .orderBy('t.evidence_id')
    .orderBy('t.line')
    .execute();
  return rows.map(({ fee, charge, ...row }) => ({
    ...row,
    // Null only until the upgrade from 1.0.0 has derived the rows again.
    charge: charge!,
    fee: BigInt(fee),
    // A cast of null is null, whatever its type says.
    ...eachField(PRICE_FIGURES, (figure) => ((row[figure] as string | null) === null ? null : BigInt(row[figure]))),
  }));
}

/**
 * Makes a function that filters the rate card for the handle's courier: it keeps the lines that name the courier, or if
 * none does, those that name no courier.
 */
export async function readTariffScope(
  courierDb: LedgerReader,
): Promise<<R extends Pick<TariffRow, 'of_courier' | 'evidence_id'>>(lines: readonly R[]) => R[]> {
  const key = courierOf(courierDb);
  // A card names a courier as it was called when the card was imported (`evidence_id`).
  const courierNamed = await readCourierNames(courierDb);
  return (lines) => {
    const courierLines = lines.filter(
      ({ of_courier, evidence_id }) => of_courier !== null && courierNamed(of_courier, evidence_id) === key,
    );
    return courierLines.length > 0 ? courierLines : lines.filter(({ of_courier }) => of_courier === null);
  };
}

/** The lines of the rate card that hold for the handle's courier. */
export async function readCouriersTariff(courierDb: LedgerReader): Promise<TariffRow[]> {
  return (await readTariffScope(courierDb))(await readTariffRows(courierDb));
}

/** The exchange rates of all imports together, each with its file. */
export function readRateRows(db: LedgerReader) {
  return db
    .selectFrom('rate_line as r')
    .innerJoin('imported as i', 'i.id', 'r.evidence_id')
    .select(['r.evidence_id', 'i.source', 'r.line', 'r.date', 'r.from_currency', 'r.to_currency', 'r.rate'])
    .orderBy('r.evidence_id')
    .orderBy('r.line')
    .execute();
}

export type OwnOrder = Pick<OwnOrderTable, 'reference' | 'status' | 'ordered_on' | 'district'>;

export function readOwnOrders(db: LedgerReader) {
  return rowsOf<OwnOrder>(db)`
    select reference, status, ordered_on, district from own_order order by reference`;
}

/** An order of your own book, with the import that last changed it; null if the book lacks it. */
export async function readOwnOrder(db: LedgerReader, reference: string) {
  const order = await db.selectFrom('own_order').selectAll().where('reference', '=', reference).executeTakeFirst();
  return order ?? null;
}

/** The month of the first order in your own book; null if none has a date. */
export async function readOwnBookStart(db: LedgerReader): Promise<string | null> {
  const rows = await rowsOf<{ first: string | null }>(db)`select min(ordered_on) as first from own_order`;
  return rows[0]?.first?.slice(0, 7) ?? null;
}

/** The COD of one order in one currency, in ledger units as text; `key` is your reference, or the courier's order id. */
export type CodLine = Readonly<Record<'key' | 'currency' | 'cod', string>>;

/** The COD of the orders in your own book. @param references only those of these orders; all when absent */
export async function readOwnCods(db: LedgerReader, references?: readonly string[]): Promise<CodLine[]> {
  if (references === undefined) return readCods(db, sql``);
  return inChunks(references, (page) => readCods(db, sql`where ${isOneOf('reference', page)}`));
}

function readCods(db: LedgerReader, which: RawBuilder<unknown>) {
  return rowsOf<CodLine>(db)`
    select reference as key, currency, ${unitsText('cod')} as cod from own_order_amount ${which}
    order by reference, currency`;
}

/** Imported files, the rate card and the exchange rates. */
import { eachField, PRICE_FIGURES, type PriceFigure } from '../../money/fields.ts';
import { courierOf } from '../courier.ts';
import type { ImportedKind, ImportedTable, TariffLineTable } from '../schema.ts';
import { unitsText } from '../sql.ts';
import { readCourierNames } from './couriers.ts';
import type { LedgerReader } from './snapshot.ts';

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

/** The kinds of your own files, without settlement sheets, of which any import is in force. */
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

import type { OrdersFile } from '../imports/formats/orders.ts';
import type { RatesFile, TariffFile } from '../imports/formats/prices.ts';
import type { FileOf } from '../imports/formats/read-bytes.ts';
import type { ReceiptLine } from '../imports/formats/receipts-file.ts';
import type { Table } from '../imports/formats/table.ts';
import type { ColumnMap, ImportKind } from '../imports/maps/column-map.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { courierOf, type LedgerTransaction, readBody } from '../ledger/index.ts';
import { readCourierNames } from '../ledger/queries/couriers.ts';
import { readEvidenceData } from '../ledger/queries/evidence/chain.ts';
import { readRateRows, readTariffRows, type TariffRow } from '../ledger/queries/imports.ts';
import {
  clearPrices,
  markUndone,
  readImportedKind,
  readImportsInForce,
  readLastReceipt,
  writeImportedCounts,
} from '../ledger/write/imported.ts';
import { insertRows, type Row } from '../ledger/write/insert.ts';
import { type Counts, clearOwnOrders, writeOwnOrders } from '../ledger/write/own-orders.ts';
import { eachField, PRICE_FIGURES } from '../money/fields.ts';
import { parseUnits } from '../money/units.ts';
import type { Derive } from './derivation.ts';
import { applyReceipts, undoReceipts } from './receipts.ts';
import { applySettlements, countOrders, withoutSettlement } from './settlements.ts';

/** The `data` of an import's evidence. Its subject is the kind of file, its source the file's name. */
export interface ImportData {
  /** The whole column map that was used, so that a replay reads the file the same way; null if the file needs none. */
  readonly map: ColumnMap | null;
  /** The user accepted a statement that does not add up. */
  readonly allow_gap: boolean;
  /** The account that a person gave for lines that name none. */
  readonly account: string | null;
  /** For receipts: bank id, day, amount and currency identify a line. Absent, as in remit 1.0: the bank id alone. */
  readonly ids?: 'by-day';
  /** For a PDF: the table that was read from it, so that a replay needs neither its password nor a reader of PDFs. */
  readonly table?: Table;
}

/** An imported file as it was read, with its kind. */
export type ReadFile = { [K in ImportKind]: { readonly kind: K; readonly file: FileOf[K] } }[ImportKind];

/** How many rows of a file were new, changed or in the ledger already. */
export interface Applied extends Counts {
  /** For receipts: how many lines the ledger had already, by how they were recognised. */
  readonly known?: { readonly id: number; readonly text: number; readonly amount: number };
  /** For receipts: the new lines with an id that the bank gave to another movement before. */
  readonly usedAgain?: readonly ReceiptLine[];
  /** For receipts: the ids of receipts that have another bank id in this file than in an earlier one. */
  readonly renamed?: readonly number[];
}

/** Writes an import and the rows of its file. Call it inside the transaction that keeps the evidence. */
export async function applyImport(
  trx: LedgerTransaction,
  evidence: Pick<EvidenceRow, 'id' | 'at' | 'actor' | 'run_id' | 'source' | 'sha256' | 'data'>,
  read: ReadFile,
): Promise<Applied> {
  const { id, at, actor, run_id, source, sha256, data } = evidence;
  const { allow_gap, map, account, ids = null } = JSON.parse(data!) as ImportData;
  const row: Row<'imported'> = {
    id,
    at,
    actor: actor!,
    kind: read.kind,
    format: read.file.format,
    source: source!,
    sha256: sha256!,
    map: read.file.map,
    column_map: map === null ? null : JSON.stringify(map),
    allow_gap: allow_gap ? 1 : 0,
    account,
    ids,
    courier: read.kind === 'settlement' ? courierOf(trx) : null,
    run_id,
    rows: countEntries(read),
    // They are counted below.
    new: 0,
    changed: 0,
    unchanged: 0,
    skipped: read.file.skipped.length,
    // The highest id of a receipt before this import. If it brings receipts, it is raised below.
    last_receipt: await readLastReceipt(trx),
    undone_at: null,
    undone_by: null,
    undone_why: null,
  };
  await insertRows(trx, 'imported', [row]);
  const applied = await applyRows(trx, evidence, read, ids === null);
  const { new: added, changed, unchanged, last_receipt } = applied;
  const counts = { new: added, changed, unchanged };
  await writeImportedCounts(trx, id, last_receipt === undefined ? counts : { ...counts, last_receipt });
  return applied;
}

/** What an import of receipts also counts: the highest id of a receipt after it. */
type AppliedRows = Applied & { readonly last_receipt?: number };

/**
 * Writes the rows alone, for an import that is written already.
 *
 * @param idsAlone for receipts, as in remit 1.0: the bank's id alone identifies a line
 */
function applyRows(
  trx: LedgerTransaction,
  evidence: Pick<EvidenceRow, 'id' | 'at' | 'run_id' | 'sha256'>,
  read: ReadFile,
  idsAlone = false,
): Promise<AppliedRows> {
  const { id } = evidence;
  if (read.kind === 'settlement') return applySettlements(trx, evidence, read.file);
  if (read.kind === 'orders') return applyOwnOrders(trx, id, read.file);
  if (read.kind === 'receipts') return applyReceipts(trx, id, read.file, idsAlone);
  return read.kind === 'tariff' ? applyTariff(trx, id, read.file) : applyRates(trx, id, read.file);
}

/** The number of orders, lines or prices in a file. */
export function countEntries(read: ReadFile): number {
  if (read.kind === 'settlement') return countOrders(read.file);
  if (read.kind === 'orders') return read.file.orders.length;
  if (read.kind === 'receipts') return read.file.statements.reduce((sum, { lines }) => sum + lines.length, 0);
  return read.file.rows.length;
}

/** Reads a stored file again, with the settings with which it was first read. */
export async function readAgain(
  kind: ImportKind,
  bytes: Buffer,
  source: string,
  settings: { readonly map: ColumnMap | null; readonly account?: string | null; readonly table?: Table | undefined },
): Promise<ReadFile> {
  // Loaded on first use, because a sync reads no files.
  const { readBytes } = await import('../imports/formats/read-bytes.ts');
  const { map, table } = settings;
  return withAccount({ kind, file: readBytes(kind, bytes, source, { map, table }) } as ReadFile, settings);
}

/** Gives an account to statements and lines that name none: the one that a person gave, or else the column map's. */
export function withAccount(
  read: ReadFile,
  { map, account = null }: { readonly map: ColumnMap | null; readonly account?: string | null },
): ReadFile {
  const fallback = account ?? map?.account ?? null;
  if (read.kind !== 'receipts' || fallback === null) return read;
  const statements = read.file.statements.map((statement) => ({
    ...statement,
    account: statement.account ?? fallback,
    lines: statement.lines.map((line) => ({ ...line, account: line.account ?? statement.account ?? fallback })),
  }));
  return { kind: read.kind, file: { ...read.file, statements } };
}

export const deriveImport: Derive = async ({ trx, evidence, body }) => {
  const data = JSON.parse(evidence.data!) as ImportData;
  const read = await readAgain(evidence.subject as ImportKind, await body(), evidence.source!, data);
  await applyImport(trx, evidence, read);
};

/** The `data` of an undone import's evidence. Its subject is the id of the import. */
export type UndoneData = { readonly why: string };

/** Removes the rows that all imports of a kind brought. */
const CLEAR_ROWS = {
  orders: clearOwnOrders,
  tariff: (trx: LedgerTransaction) => clearPrices(trx, 'tariff_line'),
  rates: (trx: LedgerTransaction) => clearPrices(trx, 'rate_line'),
};

/**
 * Undoes an import: the rows become what the other imports of its kind give without it. But for receipts, the rows
 * of the kind are cleared, and the other imports are applied again.
 */
export const deriveImportUndone: Derive = async ({ trx, evidence, source }) => {
  const id = Number(evidence.subject);
  const { why } = JSON.parse(evidence.data!) as UndoneData;
  const { kind, run_id } = (await readImportedKind(trx, id))!;
  const undone = { at: evidence.at, by: evidence.actor! };
  if (kind === 'receipts') {
    // `undoReceipts` needs the import among those in force: it is marked only afterwards.
    await undoReceipts(trx, id, undone);
    await markUndone(trx, id, { ...undone, why });
    return;
  }
  await markUndone(trx, id, { ...undone, why });
  const applyOthers = () => applyInForce(trx, kind, source);
  if (kind === 'settlement') await withoutSettlement(trx, { id, run: run_id!, ...undone }, applyOthers);
  else {
    await CLEAR_ROWS[kind](trx);
    await applyOthers();
  }
};

/** Writes the rows of all imports of a kind again, in their order, but not of those that are marked as undone. */
async function applyInForce(trx: LedgerTransaction, kind: ImportKind, source: LedgerTransaction): Promise<void> {
  for (const earlier of await readImportsInForce(trx, kind)) {
    const map = earlier.column_map === null ? null : (JSON.parse(earlier.column_map) as ColumnMap);
    const { table } = JSON.parse(await readEvidenceData(source, earlier.id)) as ImportData;
    const bytes = await readBody(source, earlier.sha256);
    const read = await readAgain(kind, bytes, earlier.source, { map, table });
    await applyRows(trx, earlier, read);
  }
}

/** Writes orders of the shop's own book. The orders of a later file replace those of earlier ones; others stay. */
function applyOwnOrders(trx: LedgerTransaction, evidenceId: number, file: OrdersFile): Promise<Counts> {
  const orders = file.orders.map(({ reference, ordered_on, status, district, note, amounts }) => {
    const cod = new Map(amounts.map((amount) => [amount.currency, parseUnits(amount.cod)]));
    return { reference, ordered_on, status, district, note, cod };
  });
  return writeOwnOrders(trx, orders, evidenceId);
}

/**
 * Writes the lines of a rate card, except those that an earlier file has too. A courier that was renamed between two
 * files is one courier: each file's name of it is looked up as it was when the file was imported.
 */
async function applyTariff(trx: LedgerTransaction, evidenceId: number, file: TariffFile): Promise<Counts> {
  const courierNamed = await readCourierNames(trx);
  const contentOf = (line: PriceContent, importId: number) =>
    contentText({ ...line, of_courier: line.of_courier && courierNamed(line.of_courier, importId) });
  const heldLines = new Set((await readTariffRows(trx)).map((line) => contentOf(line, line.evidence_id)));
  const lines = file.rows.map(({ courier, from, to, ...row }) => {
    const figures = eachField(PRICE_FIGURES, (figure) => (row[figure] === null ? null : parseUnits(row[figure])));
    return {
      evidence_id: evidenceId,
      of_courier: courier,
      ...row,
      from_day: from,
      to_day: to,
      fee: parseUnits(row.fee),
      ...figures,
    };
  });
  const added = lines.filter((line) => !heldLines.has(contentOf(line, evidenceId)));
  await insertRows(trx, 'tariff_line', added);
  return { new: added.length, changed: 0, unchanged: lines.length - added.length };
}

type PriceContent = Omit<TariffRow, 'evidence_id' | 'line' | 'source'>;

function contentText(line: PriceContent): string {
  const { of_courier, workflow, district, area, merchant_location, from_day, to_day, currency, charge, fee } = line;
  const conditions = [of_courier, workflow, district, area, merchant_location, from_day, to_day, currency, charge];
  const figures = PRICE_FIGURES.map((figure) => line[figure]);
  const amounts = [fee, ...figures].map((units) => (units === null ? null : String(units)));
  return JSON.stringify([...conditions, ...amounts]);
}

/** Writes rates of exchange, except for days and currencies that an earlier file has. */
async function applyRates(trx: LedgerTransaction, evidenceId: number, file: RatesFile): Promise<Counts> {
  const key = (day: string, from: string, to: string) => `${day} ${from} ${to}`;
  const held = new Set((await readRateRows(trx)).map((row) => key(row.date, row.from_currency, row.to_currency)));
  const added = file.rows.filter(({ date, from, to }) => !held.has(key(date, from, to)));
  await insertRows(
    trx,
    'rate_line',
    added.map(({ line, date, from, to, rate }) => {
      return { evidence_id: evidenceId, line, date, from_currency: from, to_currency: to, rate };
    }),
  );
  return { new: added.length, changed: 0, unchanged: file.rows.length - added.length };
}

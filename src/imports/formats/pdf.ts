import { because } from '../../words/errors/pdf.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { FileFault } from './fault.ts';
import { proveReceipts, proveSettlement } from './pdf-proof.ts';
import { mapOfTable, type PdfKind, type PdfReading, readingsOf, sampleOf } from './pdf-table.ts';
import type { PdfPage } from './pdf-text.ts';
import { readReceiptsTable } from './receipts-table.ts';
import { readSettlement } from './settlement.ts';
import type { Table } from './table.ts';

/** @throws FileFault for the kinds of files in which nothing proves that a PDF was read rightly */
function requireProvable(kind: ImportKind): PdfKind {
  if (kind === 'receipts' || kind === 'settlement') return kind;
  throw new FileFault(because({ id: 'pdf-kind', kind }));
}

/**
 * Reads the lines of a bank's or a courier's PDF. A PDF has texts at places and no table, so each way in which they may
 * be a table is tried. One is taken if its balances or totals prove it, and all that are proved must agree on each day,
 * number and amount.
 *
 * @throws FileFault that names the figure that does not prove
 */
export function readPdf(kind: ImportKind, pages: readonly PdfPage[], userMap: ColumnMap | null) {
  const provable = requireProvable(kind);
  let why: FileFault | null = null;
  const proven: Proven[] = [];
  for (const reading of readingsOf(provable, pages, userMap)) {
    try {
      const file = read(reading);
      if ('statements' in file) proveReceipts(reading, file);
      else proveSettlement(reading, file);
      const content = contentOf(file);
      if (proven.every((earlier) => earlier.content !== content))
        proven.push({ file, content, isPlain: reading.isAllNamed || isPlain(file) });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // A figure that proves wrong says more than a cell that cannot be read.
      if (why === null || (isOfProof(error) && !isOfProof(why))) why = error;
    }
  }
  const plain = proven.filter((reading) => reading.isPlain);
  const [only, ...others] = plain;
  if (others.length > 0) throw new FileFault(because({ id: 'pdf-two-readings' }));
  if (only) return only.file;
  if (proven.length > 0) throw new FileFault(because({ id: 'pdf-numbers-run-on' }));
  throw why ?? new FileFault(because({ id: 'pdf-no-table' }));
}

/** A reading that is proved, with the `content` in which all readings must agree. */
interface Proven {
  readonly file: ReturnType<typeof read>;
  readonly content: string;
  readonly isPlain: boolean;
}

/** Each number of an order or payout is one word, so that no cell beside it ran into it. */
function isPlain(file: ReturnType<typeof read>): boolean {
  if ('statements' in file) return true;
  const numbers = file.settlements.flatMap(({ invoice, rows }) => [
    invoice,
    ...rows.flatMap(({ order, reference }) => [order, reference]),
  ]);
  return numbers.every((number) => number === null || !/\s/.test(number));
}

function isOfProof({ explanation }: FileFault): boolean {
  return explanation.sentence.id.startsWith('pdf/');
}

function read({ table, map }: Pick<PdfReading, 'table' | 'map'>) {
  if (map.kind === 'settlement') return { ...readSettlement(table, map, 'pdf'), table };
  return { ...readReceiptsTable(table, map, 'pdf'), map: map.name, table };
}

/** Reads a PDF again from the table that was kept of it, which was proved then. @throws FileFault */
export function readPdfAgain(kind: ImportKind, table: Table, userMap: ColumnMap | null) {
  return read({ table, map: mapOfTable(requireProvable(kind), table.headers, userMap) });
}

/** All of a file but its texts and line numbers: it must be the same in all readings that are proved. */
function contentOf(file: ReturnType<typeof read>): string {
  if ('statements' in file) {
    return JSON.stringify(
      file.statements.map(({ account, currency, lines }) => [
        account,
        currency,
        lines.map(({ date, amount }) => [date, amount]),
      ]),
    );
  }
  return JSON.stringify(
    file.settlements.map(({ rows, totals, ...payout }) => [
      payout,
      rows.map(({ line: _, ...row }) => row),
      totals.map(({ line: _, ...total }) => total),
    ]),
  );
}

/** The headers and first rows, which a person sees before saying what the columns are. @throws FileFault */
export function samplePdf(kind: ImportKind, pages: readonly PdfPage[], userMap: ColumnMap | null) {
  return sampleOf(requireProvable(kind), pages, userMap);
}

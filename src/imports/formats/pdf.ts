import { because } from '../../words/errors/pdf.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { FileFault } from './fault.ts';
import { proveReceipts, proveSettlement } from './pdf-proof.ts';
import { mapOfTable, type PdfKind, type PdfReading, readingsOf, sampleOf } from './pdf-table.ts';
import type { PdfPage } from './pdf-text.ts';
import { readReceiptsTable } from './receipts-table.ts';
import { readSettlement } from './settlement.ts';
import type { Table } from './table.ts';

/** @throws FileFault for the kinds of files that nothing in a PDF would prove */
function requireProvable(kind: ImportKind): PdfKind {
  if (kind === 'receipts' || kind === 'settlement') return kind;
  throw new FileFault(because({ id: 'pdf-kind', kind }));
}

/**
 * Reads the lines of a bank's or a courier's PDF, of which each way in which its table may be meant is tried. It is taken where it proves
 * itself, and the ways that do agree on each day, number and amount.
 *
 * @throws FileFault that names what does not prove
 */
export function readPdf(kind: ImportKind, pages: readonly PdfPage[], named: ColumnMap | null) {
  const provable = requireProvable(kind);
  let why: FileFault | null = null;
  const proven: Proven[] = [];
  for (const reading of readingsOf(provable, pages, named)) {
    try {
      const file = read(reading);
      if ('statements' in file) proveReceipts(reading, file);
      else proveSettlement(reading, file);
      const content = contentOf(file);
      if (proven.every((one) => one.content !== content))
        proven.push({ file, content, isPlain: reading.isAllNamed || isPlain(file) });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // That a figure does not prove says more than that a cell cannot be read.
      if (why === null || (isOfProof(error) && !isOfProof(why))) why = error;
    }
  }
  const plain = proven.filter((one) => one.isPlain);
  const [only, ...others] = plain;
  if (others.length > 0) throw new FileFault(because({ id: 'pdf-two-readings' }));
  if (only) return only.file;
  if (proven.length > 0) throw new FileFault(because({ id: 'pdf-numbers-run-on' }));
  throw why ?? new FileFault(because({ id: 'pdf-no-table' }));
}

/** A reading that proves itself, with all of it that must not depend on how the table is read. */
interface Proven {
  readonly file: ReturnType<typeof read>;
  readonly content: string;
  readonly isPlain: boolean;
}

/** Each number of an order or payout is one word, which no cell beside it ran into. */
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

/** Reads the table that was read from a PDF before, which proved itself then. @throws FileFault */
export function readPdfAgain(kind: ImportKind, table: Table, named: ColumnMap | null) {
  return read({ table, map: mapOfTable(requireProvable(kind), table.headers, named) });
}

/** What of a file must be the same however its table is read: all but its texts. */
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

/** The headers and rows that are shown before a person says what the columns are. @throws FileFault */
export function samplePdf(kind: ImportKind, pages: readonly PdfPage[], named: ColumnMap | null) {
  return sampleOf(requireProvable(kind), pages, named);
}

import { pdfError } from '../../words/errors/pdf.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { FileFault } from './fault.ts';
import { proveReceipts, proveSettlement, UnprovenFault } from './pdf-proof.ts';
import { mapOfTable, type PdfKind, type PdfReading, readingsOf, sampleOf } from './pdf-table.ts';
import type { PdfPage } from './pdf-text.ts';
import { readReceiptsTable } from './receipts-table.ts';
import { readSettlement } from './settlement.ts';
import type { Table } from './table.ts';

/** @throws FileFault for the kinds of files in which nothing proves that a PDF was read rightly */
function requireProvable(kind: ImportKind): PdfKind {
  if (kind === 'receipts' || kind === 'settlement') return kind;
  throw new FileFault(pdfError({ id: 'pdf-kind', kind }));
}

/** What is read of a PDF (`statements` of a bank, or `settlements`), with the table that is kept of it. */
type PdfFile = ReturnType<typeof readTable>;

/** A reading that its balances or totals prove. */
interface Proven {
  readonly file: PdfFile;
  /** What all readings that count must agree on. */
  readonly content: string;
  /** No text ran into the number of an order or payout; else it does not count. */
  readonly hasCleanNumbers: boolean;
}

/**
 * Reads the lines of a bank's or a courier's PDF. A PDF has texts at places and no table, so each way in which they may
 * be a table is tried. A reading counts if its balances or totals prove it, and if each number of an order or payout is
 * one word or every column is named. All that count must agree on what {@link contentOf} keeps.
 *
 * @throws FileFault if none counts, or two do not agree
 */
export function readPdf(kind: ImportKind, pages: readonly PdfPage[], userMap: ColumnMap | null): PdfFile {
  const provable = requireProvable(kind);
  let bestFault: FileFault | null = null;
  const proven: Proven[] = [];
  for (const reading of readingsOf(provable, pages, userMap)) {
    try {
      const file = readTable(reading);
      if ('statements' in file) proveReceipts(reading, file);
      else proveSettlement(reading, file);
      const content = contentOf(file);
      if (proven.some((earlier) => earlier.content === content)) continue;
      proven.push({ file, content, hasCleanNumbers: reading.isAllNamed || hasCleanNumbers(file) });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // A figure that proves wrong says more than a cell that cannot be read.
      const saysMore = error instanceof UnprovenFault && !(bestFault instanceof UnprovenFault);
      if (bestFault === null || saysMore) bestFault = error;
    }
  }
  const [only, ...others] = proven.filter((reading) => reading.hasCleanNumbers);
  if (others.length > 0) throw new FileFault(pdfError({ id: 'pdf-two-readings' }));
  if (only) return only.file;
  if (proven.length > 0) throw new FileFault(pdfError({ id: 'pdf-numbers-run-on' }));
  throw bestFault ?? new FileFault(pdfError({ id: 'pdf-no-table' }));
}

/** Each number of an order or payout is one word: then no text of the next cell ran into it. */
function hasCleanNumbers(file: PdfFile): boolean {
  if ('statements' in file) return true;
  const numbers = file.settlements.flatMap(({ invoice, rows }) => {
    return [invoice, ...rows.flatMap(({ order, reference }) => [order, reference])];
  });
  return numbers.every((number) => number === null || !/\s/.test(number));
}

function readTable({ table, map }: Pick<PdfReading, 'table' | 'map'>) {
  if (map.kind === 'settlement') return { ...readSettlement(table, map, 'pdf'), table };
  return { ...readReceiptsTable(table, map, 'pdf'), map: map.name, table };
}

/** Reads a PDF again from the table that was kept of it, which was proved then. @throws FileFault */
export function readPdfAgain(kind: ImportKind, table: Table, userMap: ColumnMap | null): PdfFile {
  return readTable({ table, map: mapOfTable(requireProvable(kind), table.headers, userMap) });
}

/** What two readings of a file must agree on: all but its texts and line numbers. A reference may name an invoice. */
function contentOf(file: PdfFile): string {
  if ('statements' in file) {
    const statements = file.statements.map(({ account, currency, lines }) => {
      return [account, currency, lines.map(({ date, amount, id, reference }) => [date, amount, id, reference])];
    });
    return JSON.stringify(statements);
  }
  const withoutLines = (rows: readonly { readonly line: number }[]) => rows.map(({ line: _, ...row }) => row);
  const payouts = file.settlements.map(({ rows, totals, ...payout }) => {
    return [payout, withoutLines(rows), withoutLines(totals)];
  });
  return JSON.stringify(payouts);
}

/** The headers and first rows, which a person sees before saying what the columns are. @throws FileFault */
export function samplePdf(kind: ImportKind, pages: readonly PdfPage[], userMap: ColumnMap | null) {
  return sampleOf(requireProvable(kind), pages, userMap);
}

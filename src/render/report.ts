import type { Writable } from 'node:stream';
import { type ListName, listReport } from '../../reports/lists.ts';
import type { Report, Row } from '../../reports/model.ts';
import { textsInPlaceOfNumbers } from '../../reports/payout-numbers.ts';
import { mapRows } from '../../reports/rows.ts';
import { inZone } from '../base/day.ts';
import type { LanguageCode } from '../words/index.ts';
import { csvText } from './csv.ts';
import type { PageOptions } from './html/page.tsx';
import { inCodes, inWords } from './in-words.ts';
import { jsonText } from './json.ts';
import { batched, type Pieces, writeDocument, writePieces } from './output.ts';

export type ReportFormat = 'table' | 'csv' | 'json' | 'xlsx' | 'html';

/** `generatedAt` is when the document was made, as it states; the other {@link PageOptions} are for HTML alone. */
export interface RenderOptions extends PageOptions {
  /** Table: whether the terminal wants colours. */
  readonly color?: boolean;
  /** Table: the terminal's width in columns; null or absent to cut nothing. */
  readonly width?: number | null;
  /** XLSX: the language of its words; English if absent. */
  readonly language?: LanguageCode;
  /** CSV: whether it starts with a byte order mark, for Excel. */
  readonly bom?: boolean;
}

/** The document, piece by piece. Its renderer is loaded here, so that the command line starts quickly. */
async function piecesOf(report: Report, format: ReportFormat, options: RenderOptions): Promise<Pieces> {
  const isData = format === 'json' || format === 'csv';
  // JSON has both the ledger's number of a payout and the courier's; all others have the courier's alone.
  const numbered = format === 'json' ? report : textsInPlaceOfNumbers(report);
  const shownColumns = numbered.columns.filter((column) => !column.isOfOnlyCourier);
  const shown = isData ? numbered : inItsZone({ ...numbered, columns: shownColumns });
  // A workbook puts the report into words itself.
  if (format === 'xlsx') {
    const { reportWorkbook } = await import('./report-sheet.ts');
    return reportWorkbook(shown, options.generatedAt, options.language);
  }
  const worded = isData ? inCodes(shown) : inWords(shown);
  switch (format) {
    case 'json':
      return jsonText(worded, options.generatedAt);
    case 'csv':
      return csvText(worded, options.bom ?? false);
    case 'html': {
      const { htmlText } = await import('./html/report-page.tsx');
      return htmlText(worded, options);
    }
    case 'table': {
      const { tableText } = await import('./terminal-table.ts');
      return tableText(worded, { color: options.color ?? false, width: options.width ?? null });
    }
  }
}

/** The report with its date-times in its time zone; as it is if it has none. */
function inItsZone(report: Report): Report {
  const { timeZone, rows } = report;
  const names = report.columns.flatMap(({ name, type }) => (type === 'datetime' ? [name] : []));
  if (timeZone === undefined || names.length === 0) return report;
  const rowInZone = (row: Row): Row => {
    const times = names.map((name) => [name, typeof row[name] === 'string' ? inZone(row[name], timeZone) : row[name]]);
    return { ...row, ...Object.fromEntries(times) };
  };
  return { ...report, rows: mapRows(rows, rowInZone) };
}

/** Writes a report to a stream while its rows are read, and leaves the stream open. A broken pipe ends it silently. */
export async function renderReport(
  report: Report,
  format: ReportFormat,
  out: Writable,
  options: RenderOptions,
): Promise<void> {
  await writePieces(out, await piecesOf(report, format, options));
}

/** Writes a list as a table. @param timeZone the time zone in which its instants are shown */
export function renderList(
  name: ListName,
  records: readonly object[],
  out: Writable,
  { timeZone, ...options }: RenderOptions & { readonly timeZone?: string | undefined },
): Promise<void> {
  return renderReport(listReport(name, records, timeZone), 'table', out, options);
}

/** Writes rows as a table without a heading, totals or notes. */
export function renderRows(
  { columns, rows }: Pick<Report, 'columns' | 'rows'>,
  out: Writable,
  options: RenderOptions,
): Promise<void> {
  const report: Report = { report: '', title: '', period: '', columns, rows, totals: () => [], notes: () => [] };
  return renderReport(report, 'table', out, options);
}

/**
 * Writes a report to a file, which appears whole or not at all.
 *
 * @param commit called when all is written, before the file appears; if it throws, no file appears
 * @throws FileError when the file is open elsewhere, its folder is missing or read-only, or the disk is full
 */
export async function renderReportToFile(
  report: Report,
  format: ReportFormat,
  file: string,
  options: RenderOptions,
  commit?: () => Promise<void>,
): Promise<void> {
  await writeDocument(file, () => piecesOf(report, format, options), commit);
}

export async function reportBytes(report: Report, format: ReportFormat, options: RenderOptions): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of batched(await piecesOf(report, format, options))) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

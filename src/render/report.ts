import type { Writable } from 'node:stream';
import type { Report } from '../../reports/model.ts';
import type { LanguageCode } from '../workbook-words.ts';
import { csvText } from './csv.ts';
import { writeDocument } from './file.ts';
import { jsonText } from './json.ts';
import { type Pieces, writePieces } from './output.ts';

export type Format = 'table' | 'csv' | 'json' | 'xlsx' | 'html';

export interface RenderOptions {
  /** The time that the document says it was made at. */
  readonly generatedAt: Date;
  /** HTML: the head of the ledger's chain, for the footer. */
  readonly chainHead?: string | null | undefined;
  /** Table: colours, on a terminal that wants them. */
  readonly color?: boolean;
  /** Table: columns of the terminal; null or absent where nothing is to be cut. */
  readonly width?: number | null;
  /** XLSX: the language of its words; English where absent. */
  readonly language?: LanguageCode;
  /** CSV: start with a byte order mark, for Excel. */
  readonly bom?: boolean;
}

/** The document, piece by piece. What draws tables and workbooks is loaded when it is used, to keep the command line quick. */
async function pieces(report: Report, format: Format, options: RenderOptions): Promise<Pieces> {
  switch (format) {
    case 'json':
      return jsonText(report, options.generatedAt);
    case 'csv':
      return csvText(report, options.bom ?? false);
    case 'html': {
      const { htmlText } = await import('./html/index.ts');
      return htmlText(report, options);
    }
    case 'table': {
      const { tableText } = await import('./table.ts');
      return tableText(report, { color: options.color ?? false, width: options.width ?? null });
    }
    case 'xlsx': {
      const { reportWorkbook } = await import('./xlsx.ts');
      return reportWorkbook(report, options.generatedAt, options.language);
    }
  }
}

/** Writes a report to a stream, row by row as they are read; the stream is not ended. A broken pipe ends it silently. */
export async function renderReport(
  report: Report,
  format: Format,
  out: Writable,
  options: RenderOptions,
): Promise<void> {
  await writePieces(out, await pieces(report, format, options));
}

/**
 * Writes a report to a file, which appears whole or not at all.
 *
 * @param commit called when all is written and before it appears: where it throws, nothing does
 * @throws FileError when the file is open elsewhere, its folder is missing or read-only, or the disk is full
 */
export async function renderReportToFile(
  report: Report,
  format: Format,
  file: string,
  options: RenderOptions,
  commit?: () => Promise<void>,
): Promise<void> {
  await writeDocument(file, () => pieces(report, format, options), commit);
}

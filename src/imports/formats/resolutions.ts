import { ImportFileError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { CellDigest, parseMark, type WorkbookMark, type WorkbookWords } from '../../base/workbook-mark.ts';
import { readingError } from '../../words/errors/reading.ts';
import { recordsError } from '../../words/errors/records.ts';
import { FileFault } from './fault.ts';
import { recognise } from './recognise.ts';
import { type FileCell, textOf } from './table.ts';
import { headerKey } from './text-forms.ts';
import { type OpenedWorkbook, openWorkbook } from './xlsx.ts';
import type { SheetRow } from './xlsx-sheet.ts';

const STATUSES = ['open', 'acknowledged', 'resolved'] as const;

/** A row of the Mismatches sheet, with what a person typed there. */
export interface ResolutionRow {
  readonly line: number;
  readonly id: string;
  /** Null if the cell was emptied. */
  readonly status: (typeof STATUSES)[number] | null;
  /** Empty if there is none. */
  readonly note: string;
  /** Why a typed cell cannot be taken, such as a formula without its result; null if both can. */
  readonly fault: string | null;
}

/** A statement's workbook that came back, with what people typed into its Mismatches sheet. */
export interface ResolutionsFile {
  readonly format: 'xlsx';
  /** The mark with which remit wrote it; null if it was removed. */
  readonly mark: WorkbookMark | null;
  /** The digest of its fixed cells: it differs from the mark's if somebody typed outside `status` and `note`. */
  readonly cells: string;
  readonly rows: readonly ResolutionRow[];
}

type Columns = Readonly<Record<'id' | 'status' | 'note', number>>;

/**
 * Reads what a person typed into a statement's workbook, whichever program saved it, sorted or not.
 *
 * @param words the sheet's words in every language in which a statement is written
 * @throws ImportFileError when it is no workbook with a Mismatches sheet, or a status is not known
 */
export function readResolutions(bytes: Uint8Array, fileName: string, words: readonly WorkbookWords[]): ResolutionsFile {
  try {
    if (recognise(bytes, fileName) !== 'xlsx') throw new FileFault(recordsError({ id: 'no-workbook' }));
    return readWorkbook(openWorkbook(bytes), words);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const file = cleanText(fileName, 200);
    const { line, column, explanation: fault } = error;
    const why = readingError({ id: 'at-place', file, line, column: null, fault, map: null });
    throw new ImportFileError(why, { file, line, column, cause: error });
  }
}

function readWorkbook(workbook: OpenedWorkbook, words: readonly WorkbookWords[]): ResolutionsFile {
  const sheets = words.map(({ sheet }) => headerKey(sheet));
  const digest = new CellDigest();
  const rows = new Map<string, ResolutionRow>();
  let mark: WorkbookMark | null = null;
  let columns: Columns | null = null;
  for (const sheet of workbook.sheets) {
    const hasMismatches = sheets.includes(headerKey(sheet.name));
    workbook.eachRow(sheet, (row) => {
      mark ??= findMark(row);
      if (hasMismatches) columns ??= findColumns(row, words);
      const found = hasMismatches && columns ? resolutionOf(row, columns, words) : null;
      if (found) keep(rows, found);
      addFixed(digest, row, found && columns ? [columns.status, columns.note] : []);
    });
  }
  if (columns === null) throw new FileFault(recordsError({ id: 'no-mismatches-sheet' }));
  return { format: 'xlsx', mark, cells: digest.text(), rows: [...rows.values()] };
}

function findMark({ cells }: SheetRow): WorkbookMark | null {
  const [mark = null] = cells.flatMap((cell) => parseMark(textOf(cell)) ?? []);
  return mark;
}

function findColumns({ cells }: SheetRow, words: readonly WorkbookWords[]): Columns | null {
  const heads = cells.map((cell) => headerKey(textOf(cell)));
  const columnOf = (name: keyof Columns) => {
    const headings = words.map(({ columns }) => headerKey(columns[name]));
    return heads.findIndex((head) => headings.includes(head));
  };
  const [id, status, note] = [columnOf('id'), columnOf('status'), columnOf('note')];
  return id === -1 || status === -1 || note === -1 ? null : { id, status, note };
}

/** Null for a row without an id: a heading, a total, or a person's remark. */
function resolutionOf(row: SheetRow, columns: Columns, words: readonly WorkbookWords[]): ResolutionRow | null {
  const { line, cells } = row;
  const id = textOf(cells[columns.id]).trim();
  if (!/^[0-9a-f]{16}$/.test(id)) return null;
  const fault = faultOf('status', cells[columns.status]) ?? faultOf('note', cells[columns.note]);
  if (fault !== null) return { line, id, status: null, note: '', fault };
  const typed = textOf(cells[columns.status]).trim().toLowerCase();
  const status = STATUSES.find((name) => words.some(({ statuses }) => statuses[name] === typed)) ?? null;
  if (status === null && typed !== '') {
    const why = recordsError({ id: 'no-status', status: typed, statuses: STATUSES });
    throw new FileFault(why, { line, column: 'Status' });
  }
  return { line, id, status, note: textOf(cells[columns.note]).replace(/\r\n?/g, '\n').trim(), fault: null };
}

function faultOf(name: string, cell: FileCell | undefined): string | null {
  return typeof cell === 'object' && cell.kind === 'fault' ? `its ${name} ${cell.text}` : null;
}

/** @throws FileFault for an id that comes twice with different words */
function keep(rows: Map<string, ResolutionRow>, row: ResolutionRow): void {
  const before = rows.get(row.id);
  if (before && (before.status !== row.status || before.note !== row.note || before.fault !== row.fault)) {
    const why = recordsError({ id: 'mismatch-twice', mismatch: row.id, line: before.line });
    throw new FileFault(why, { line: row.line });
  }
  if (!before) rows.set(row.id, row);
}

/** Adds the cells that nobody may change: those that are no formula, and not of the `typed` columns. */
function addFixed(digest: CellDigest, { cells, formulas }: SheetRow, typed: readonly number[]): void {
  cells.forEach((cell, column) => {
    if (typed.includes(column) || formulas.includes(column)) return;
    if (typeof cell !== 'string' && cell.kind === 'number') digest.addNumber(Number(cell.text));
    else digest.add(textOf(cell));
  });
}

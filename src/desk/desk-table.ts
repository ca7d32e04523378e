import type { Report, Row } from '../../reports/model.ts';
import { textsInPlaceOfNumbers } from '../../reports/payout-numbers.ts';
import type { Sentence } from '../base/sentence.ts';
import { inCodes, inWords, type SaidRow } from '../render/in-words.ts';
import { jsonHead, jsonRow } from '../render/json.ts';
import type { LanguageCode } from '../words/index.ts';
import { deskLanguage } from './languages.ts';

/** The rows of a report that a page shows, as plain data, which a thread can send. */
export interface DeskTable extends Pick<Report, 'report' | 'title' | 'period' | 'columns'> {
  /** As programs read them: statuses as the courier has them, sentences not yet in words. */
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly notes: readonly Sentence[];
  readonly generatedAt: Date;
  /** The address of the next rows; null if these are the last. */
  readonly next: string | null;
}

/** A report as a table. @param rows its rows, which have been read */
export function tableOf(model: Report, rows: readonly Row[], generatedAt: Date): DeskTable {
  const { report, title, period, columns, totals, notes } = model;
  return { report, title, period, columns, rows, totals: totals(), notes: notes(), generatedAt, next: null };
}

export function isTable(part: unknown): part is DeskTable {
  return typeof part === 'object' && part !== null && 'generatedAt' in part && 'columns' in part;
}

export function reportOf(table: DeskTable): Report {
  return { ...table, totals: () => table.totals, notes: () => table.notes };
}

/** A table in the language of its reader. */
export function tableInWords(table: DeskTable, language: LanguageCode) {
  const said = inWords(textsInPlaceOfNumbers(reportOf(table)), deskLanguage(language));
  // An array was given, so an array comes back.
  return { ...said, rows: said.rows as readonly SaidRow[], totals: said.totals(), notes: said.notes() };
}

/** What `report NAME --json` prints, and where the next rows are. */
export function tableJson(table: DeskTable): object {
  const said = inCodes(reportOf(table));
  return {
    ...jsonHead(said, table.generatedAt),
    rows: (said.rows as readonly SaidRow[]).map((row) => jsonRow(said, row)),
    totals: said.totals(),
    notes: said.notes(),
    next: table.next,
  };
}

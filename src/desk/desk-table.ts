import { textsInPlaceOfNumbers } from '../../reports/invoice-numbers.ts';
import type { Column, Report, Row } from '../../reports/model.ts';
import type { Sentence } from '../base/sentence.ts';
import { inCodes, inWords, type SaidColumn, type SaidRow } from '../render/in-words.ts';
import { jsonColumns } from '../render/json.ts';
import type { LanguageCode } from '../words/index.ts';
import { deskLanguage } from './languages.ts';

export interface SaidTable {
  readonly title: string;
  readonly columns: readonly SaidColumn[];
  readonly rows: readonly SaidRow[];
  readonly totals: readonly SaidRow[];
  readonly notes: readonly string[];
}

interface TableContent {
  readonly report: string;
  readonly title: string;
  readonly period: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly notes: readonly Sentence[];
}

/** The rows of a report that a page shows. As JSON it is what `report NAME --json` prints, and `next`. */
export class DeskTable implements TableContent {
  readonly report: string;
  readonly title: string;
  readonly period: string;
  readonly columns: readonly Column[];
  /** As programs read them: statuses as the courier has them, sentences not yet in words. */
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly notes: readonly Sentence[];
  readonly generatedAt: Date;
  /** The address of the next rows; null if these are the last. */
  readonly next: string | null;

  constructor(content: TableContent, generatedAt: Date, next: string | null = null) {
    this.report = content.report;
    this.title = content.title;
    this.period = content.period;
    this.columns = content.columns;
    this.rows = content.rows;
    this.totals = content.totals;
    this.notes = content.notes;
    this.generatedAt = generatedAt;
    this.next = next;
  }

  /** A table from its plain data, which is all that comes out of a thread. */
  static of(plain: TableContent & { readonly generatedAt: Date; readonly next: string | null }): DeskTable {
    return new DeskTable(plain, plain.generatedAt, plain.next);
  }

  /** The table's parts, to make a table of some of its rows. */
  content(): TableContent {
    const { report, title, period, columns, rows, totals, notes } = this;
    return { report, title, period, columns, rows, totals, notes };
  }

  asReport(): Report {
    const { report, title, period, columns, rows, totals, notes } = this;
    return { report, title, period, columns, rows, totals: () => totals, notes: () => notes };
  }

  /** The table in the language of its reader. */
  inWords(language: LanguageCode): SaidTable {
    const { title, columns, rows, totals, notes } = inWords(
      textsInPlaceOfNumbers(this.asReport()),
      deskLanguage(language),
    );
    // An array was given, so an array comes back.
    return { title, columns, rows: rows as readonly SaidRow[], totals: totals(), notes: notes() };
  }

  /** What `report NAME --json` prints, and where the next rows are. */
  toJSON(): object {
    const { report, title, period, columns, rows, totals, notes } = inCodes(this.asReport());
    const names = columns.map(({ name }) => name);
    const cells = (row: SaidRow) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
    return {
      report,
      title,
      period,
      generated_at: this.generatedAt.toISOString(),
      columns: jsonColumns(columns),
      rows: (rows as readonly SaidRow[]).map(cells),
      totals: totals(),
      notes: notes(),
      next: this.next,
    };
  }
}

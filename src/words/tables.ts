/** What tables are made of in a language; a word that is not in it stays as the report has it, in English. */
export interface TableWords {
  /** By report. */
  readonly titles: Readonly<Record<string, string>>;
  /** By column; by `report.column` where a report calls one otherwise. */
  readonly headings: Readonly<Record<string, string>>;
  /** By column and word. Of columns whose words remit chose: what the courier and people wrote is in none. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

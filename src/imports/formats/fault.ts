import type { Explanation } from '../../base/errors.ts';
import type { ColumnMap } from '../maps/column-map.ts';

/** A place in a file: a line or a sheet's row, counted from 1, and a column's header, a cell (`B7`) or a field. */
export interface Place {
  readonly line?: number | null | undefined;
  readonly column?: string | null | undefined;
}

/**
 * Says why a file cannot be read. The pure readers throw it; they do not know the file's name, so that {@link readBytes} makes an
 * `ImportFileError` of it. Its message is a clause (`"12,5x" is not an amount`).
 */
export class FileFault extends Error {
  readonly explanation: Explanation;
  readonly line: number | null;
  readonly column: string | null;
  /** Settings of a column map that would decide it; values are examples. Null where no map helps. */
  readonly settings: Readonly<Record<string, string>> | null;
  /** The map that {@link settings} are of, where the reader proposes one. */
  readonly proposal: ColumnMap | null;

  constructor(
    explanation: Explanation,
    place: Place = {},
    settings: Record<string, string> | null = null,
    proposal: ColumnMap | null = null,
  ) {
    super(explanation.message);
    this.name = 'FileFault';
    this.explanation = explanation;
    this.line = place.line ?? null;
    this.column = place.column ?? null;
    this.settings = settings;
    this.proposal = proposal;
  }

  /** A fault of a whole table's columns. @param proposal the map that may read it */
  static ofColumns(explanation: Explanation, proposal: ColumnMap, settings: Record<string, string> = {}): FileFault {
    return new FileFault(explanation, {}, settings, proposal);
  }
}

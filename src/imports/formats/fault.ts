import type { Explanation } from '../../base/errors.ts';
import type { ColumnMap } from '../maps/column-map.ts';

/** A place in a file: a line or a sheet's row, from 1, and a column's header, a cell (`B7`) or a field (`:61:`). */
export interface PlaceInFile {
  readonly line?: number | null | undefined;
  readonly column?: string | null | undefined;
}

/** A text of a file, with its place for messages. */
export interface TextInFile extends PlaceInFile {
  readonly text: string;
}

/**
 * The reason why a file cannot be read. The readers, which do not know the file's name, throw it, and {@link readBytes}
 * makes an `ImportFileError` of it. Its message is a clause (`"12,5x" is not an amount`).
 */
export class FileFault extends Error {
  readonly explanation: Explanation;
  readonly line: number | null;
  readonly column: string | null;
  /** Settings of a column map with which the file could be read, with example values; null if no map helps. */
  readonly settings: Readonly<Record<string, string>> | null;
  /** The map to which {@link settings} belong; null if it is the one in use. */
  readonly proposal: ColumnMap | null;

  constructor(
    explanation: Explanation,
    place: PlaceInFile = {},
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

  /** A fault of a table's columns. @param proposal the map that may read them */
  static ofColumns(explanation: Explanation, proposal: ColumnMap, settings: Record<string, string> = {}): FileFault {
    return new FileFault(explanation, {}, settings, proposal);
  }
}

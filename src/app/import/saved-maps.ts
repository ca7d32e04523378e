import { type Explanation, ImportFileError, UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { type FileSource, sampleSafely } from '../../imports/formats/read-safely.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { because } from '../../words/errors/importing.ts';
import type { Books } from '../books.ts';

/** The maps in the settings whose columns a file has. */
export async function fittingMaps({ config, signal }: Books, file: FileSource): Promise<ColumnMap[]> {
  const fitting: ColumnMap[] = [];
  for (const [name, settings] of Object.entries(config.maps)) {
    const read = parseColumnMap(name, settings);
    // A map with faults fits nothing, nor does one that names no column.
    if (!('map' in read) || Object.keys(read.map.columns).length === 0) continue;
    try {
      if ((await sampleSafely(read.map.kind, file, { map: read.map, signal })).map !== null) fitting.push(read.map);
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error;
    }
  }
  return fitting;
}

/** The only map in the settings for a file of a kind; null if none fits it. @throws UsageError if several do */
export async function savedMapOf(books: Books, kind: ImportedKind, file: FileSource): Promise<ColumnMap | null> {
  const fitting = (await fittingMaps(books, file)).filter((map) => map.kind === kind);
  if (fitting.length > 1) throw severalMaps(file, fitting);
  return fitting[0] ?? null;
}

/** Whether a map can say what the file does not: what its columns are, how to read them, or its encoding. */
export function mayFitSavedMap(error: unknown): boolean {
  if (!(error instanceof ImportFileError)) return false;
  const { fault } = error.explanation.sentence as { readonly fault?: Explanation };
  // The reader proposes a map (`error.map`) where it cannot tell what the columns are.
  return error.map !== null || fault?.sentence.id === 'workbooks/encoding-unsaid';
}

export function severalMaps(file: FileSource, maps: readonly ColumnMap[]): UsageError {
  const name = cleanText(typeof file === 'string' ? file : file.name, 200);
  return new UsageError(because({ id: 'several-maps', file: name, maps: maps.map((map) => map.name) })).at('map');
}

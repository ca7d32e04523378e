import { ImportFileError, UsageError } from '../../base/errors.ts';
import { type FileSource, readSafely } from '../../imports/formats/read-safely.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { Books } from '../books.ts';
import { fittingMaps, severalMaps } from './saved-maps.ts';
import { sheetSettings } from './settlement-sheet.ts';

/** In the order in which they are tried: a bank's file is the easiest to recognise. */
const KINDS = ['receipts', 'orders', 'rates', 'tariff', 'settlement'] as const satisfies readonly ImportedKind[];

/**
 * Finds the kind of a file: the first kind whose reader can read it, else that of the saved maps whose columns it has.
 *
 * @param map the name of the map by which it is read; null if none is named
 * @throws UsageError where maps of several kinds fit; the error of the first reader, that of receipts, where no reader
 * and no map can read it
 */
export async function recogniseKind(books: Books, file: FileSource, map: string | null): Promise<ImportedKind> {
  const kindOfMap = map === null ? undefined : (books.config.maps[map] as { readonly kind?: string } | undefined)?.kind;
  const namedKind = KINDS.find((kind) => kind === kindOfMap);
  if (namedKind !== undefined) return namedKind;
  let firstError: unknown;
  let sheetMap: string | null = null;
  for (const kind of KINDS) {
    try {
      if (kind === 'settlement') sheetMap = (await sheetSettings(books)).map;
      // The loop ends at `settlement`: whether it is a sheet by that map is decided below, after the saved maps.
      if (sheetMap !== null) break;
      await readSafely(kind, file, { map: null, signal: books.signal });
      return kind;
    } catch (error) {
      if (!(error instanceof ImportFileError || error instanceof UsageError)) throw error;
      firstError ??= error;
    }
  }
  const maps = await fittingMaps(books, file);
  const kinds = new Set(maps.map(({ kind }) => kind));
  // If the courier's settings name a map for its sheets, a file that nothing else can read is a sheet.
  if (sheetMap !== null && (kinds.size === 0 || maps.some(({ name }) => name === sheetMap))) return 'settlement';
  if (kinds.size > 1) throw severalMaps(file, maps);
  const [onlyKind] = kinds;
  if (onlyKind !== undefined) return onlyKind;
  throw firstError;
}

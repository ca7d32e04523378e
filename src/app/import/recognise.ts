import { ImportFileError, UsageError } from '../../base/errors.ts';
import { type FileSource, readSafely } from '../../imports/formats/read-safely.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { Books } from '../books.ts';
import { sheetSettings } from './settlement-sheet.ts';

/** In the order in which they are tried: a bank's file is the easiest to recognise. */
const KINDS = ['receipts', 'orders', 'rates', 'tariff', 'settlement'] as const satisfies readonly ImportedKind[];

/**
 * Finds the kind of a file: the first kind whose reader can read it.
 *
 * @param map the name of the map by which it is read; null for none
 * @throws the error of the first reader, that of receipts, where no reader can read it
 */
export async function recogniseKind(books: Books, file: FileSource, map: string | null): Promise<ImportedKind> {
  const kindOfMap = map === null ? undefined : (books.config.maps[map] as { readonly kind?: string } | undefined)?.kind;
  const namedKind = KINDS.find((kind) => kind === kindOfMap);
  if (namedKind !== undefined) return namedKind;
  let firstError: unknown;
  for (const kind of KINDS) {
    try {
      const sheetRules = kind === 'settlement' ? await sheetSettings(books) : null;
      // If the courier's settings name a map for its sheets, a file that no earlier reader could read is a sheet.
      if (sheetRules?.map != null) return kind;
      await readSafely(kind, file, { map: null, signal: books.signal });
      return kind;
    } catch (error) {
      if (!(error instanceof ImportFileError || error instanceof UsageError)) throw error;
      firstError ??= error;
    }
  }
  throw firstError;
}

import { ImportFileError, UsageError } from '../../base/errors.ts';
import { type FileSource, readSafely } from '../../imports/formats/read-safely.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { Books } from '../books.ts';
import { sheetSettings } from './settlement-sheet.ts';

/** In the order in which they are tried: a bank's file says most clearly what it is. */
const KINDS = ['receipts', 'orders', 'rates', 'tariff', 'settlement'] as const satisfies readonly ImportedKind[];

/**
 * What a file holds, by what can read it.
 *
 * @param map the map by which it is read; null where the file itself says it
 * @throws ImportFileError as for receipts, where nothing can
 */
export async function recognise(books: Books, file: FileSource, map: string | null): Promise<ImportedKind> {
  const named = map === null ? undefined : (books.config.maps[map] as { readonly kind?: string } | undefined)?.kind;
  const known = KINDS.find((kind) => kind === named);
  if (known !== undefined) return known;
  let why: unknown;
  for (const kind of KINDS) {
    try {
      const sheetRules = kind === 'settlement' ? await sheetSettings(books) : null;
      // The courier's settings name a map for its sheets: what no kind before could read is one.
      if (sheetRules?.map != null) return kind;
      await readSafely(kind, file, { map: null, signal: books.signal });
      return kind;
    } catch (error) {
      if (!(error instanceof ImportFileError || error instanceof UsageError)) throw error;
      why ??= error;
    }
  }
  throw why;
}

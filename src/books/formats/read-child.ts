/** The process in which a file from outside is read: it has limits of memory and time, no settings, no key, and no ledger. */
import { ImportFileError } from '../../errors.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type FileOf, readBytes, sampleBytes } from './read-bytes.ts';
import { type ResolutionsFile, readResolutions } from './resolutions.ts';

/** What a file of each kind gives: the files of banks and shops, and a statement that came back. */
export interface SafeFileOf extends FileOf {
  readonly resolutions: ResolutionsFile;
}
export type SafeKind = keyof SafeFileOf;

/** What the child is asked. */
export interface Request {
  /** The whole file, or its headers and first rows. */
  readonly want: 'file' | 'sample';
  readonly kind: SafeKind;
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly map: ColumnMap | null;
}

/** What the child answers. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly message: string;
      readonly hint: string;
      readonly line: number | null;
      readonly column: string | null;
      readonly map: string | null;
    };

process.once('message', (request: Request) => {
  process.send?.(answer(request), () => process.disconnect());
});

function answer({ want, kind, bytes, fileName, map }: Request): Answer {
  try {
    if (kind === 'resolutions') return { ok: true, result: readResolutions(bytes, fileName) };
    const reader = want === 'file' ? readBytes : sampleBytes;
    return { ok: true, result: reader(kind, bytes, fileName, { map }) };
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    const { message, hint, line, column, map: proposal } = error;
    return { ok: false, message, hint, line, column, map: proposal };
  }
}

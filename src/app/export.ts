import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError } from '../base/errors.ts';
import { explainWriteFault } from '../base/files/read.ts';
import { renameOver } from '../base/files/replace.ts';
import { makeFolderBeside } from '../base/files/temporary.ts';
import { exportTables } from '../ledger/dump.ts';
import { writeParquet } from '../render/parquet.ts';
import { booksError } from '../words/errors/books.ts';
import { type Books, readBooks } from './books.ts';

export interface Exported {
  /** Absolute. */
  readonly folder: string;
  readonly tables: readonly { readonly table: string; readonly file: string; readonly rows: number }[];
}

/**
 * Writes the ledger's tables as Parquet files with exact decimals, all of the same moment. If one cannot be made, none
 * is put in its place.
 *
 * @param folder absolute; made where it is missing
 * @param options `force`: write into a folder that holds something, over files of the same names
 * @throws FileError where it cannot be written; MoneyError for an amount of more than 18 digits
 */
export async function exportBooks(books: Books, folder: string, options: { force: boolean }): Promise<Exported> {
  refuseFolder(folder, options.force);
  return readBooks(books, { allCouriers: true }, async (db) => {
    const temporary = makeTemporary(folder);
    try {
      const tables: Exported['tables'][number][] = [];
      for (const { name, columns, pages } of await exportTables(db)) {
        let rows = 0;
        const counted = async function* () {
          for await (const page of pages) {
            rows += page.length;
            yield page;
          }
        };
        await writeParquet(path.join(temporary, fileOf(name)), { name, columns, batches: counted() });
        tables.push({ table: name, file: path.join(folder, fileOf(name)), rows });
      }
      await moveInto(folder, temporary, tables);
      return { folder, tables };
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
}

const fileOf = (table: string) => `${table}.parquet`;

function refuseFolder(folder: string, force: boolean): void {
  const present = statSync(folder, { throwIfNoEntry: false });
  if (present && !present.isDirectory()) throw new FileError(booksError({ id: 'folder-is-file', folder }));
  if (present && !force && readdirSync(folder).length > 0) {
    throw new FileError(booksError({ id: 'folder-not-empty', folder }));
  }
  if (!existsSync(path.dirname(folder))) {
    throw new FileError(booksError({ id: 'no-folder', folder: path.dirname(folder) }));
  }
}

function makeTemporary(folder: string): string {
  try {
    return makeFolderBeside(folder);
  } catch (error) {
    throw explainWriteFault(error, path.dirname(folder), { noun: 'folder', flag: null });
  }
}

/** A new folder appears with all its files at once; a folder that exists gets them one after the other. */
async function moveInto(folder: string, temporary: string, tables: Exported['tables']): Promise<void> {
  if (!existsSync(folder)) return renameOver(temporary, folder);
  for (const { table, file } of tables) await renameOver(path.join(temporary, fileOf(table)), file);
}

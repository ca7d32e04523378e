import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scratchFolder } from './folder.ts';

const [LEDGER, REMIT_TOML] = ['test/fixtures/ledger/ledger.db.gz', 'test/fixtures/ledger/remit.toml'];

/**
 * Books that remit 1.0.0 made by the commands that people type, with rows in nearly every table: two couriers, one of them by settlement
 * sheets, four sides, two nights with restatements between them, and decisions of each kind. They never change, and every later version
 * must open them.
 */
export const FIRST_FILES: readonly string[] = [LEDGER, REMIT_TOML];

/** A copy of these books. @returns the folder */
export function firstBooks(): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'ledger.db'), gunzipSync(readFileSync(LEDGER)));
  writeFileSync(path.join(folder, 'remit.toml'), readFileSync(REMIT_TOML));
  return folder;
}

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scratchFolder } from './folder.ts';

const LEDGER = 'test/fixtures/ledger/ledger.db.gz';
const COLLECTED = 'test/fixtures/ledger/collected.db.gz';
const REMIT_TOML = 'test/fixtures/ledger/remit.toml';

/**
 * Books that remit 1.0.0 made by the commands that people type, with rows in nearly every table: two couriers, one of
 * them by settlement sheets, four sides, two nights with restatements between them, and decisions of each kind. They
 * never change, and every later version must open them.
 */
export const FIRST_FILES: readonly string[] = [LEDGER, REMIT_TOML, COLLECTED];

/** A copy of these books. @returns the folder */
export function firstBooks(): string {
  return unpacked(LEDGER, readFileSync(REMIT_TOML, 'utf8'));
}

/**
 * Other books of 1.0.0, of one courier and one month, synced and checked once. Two orders were collected at the
 * warehouse: B stands on invoice 501, C on none. A was delivered to the door, D awaits its return.
 */
export function collectedBooks(): string {
  return unpacked(COLLECTED, 'api_url = "http://127.0.0.1:4791/v1/external/"\ntime_zone = "UTC"\n');
}

function unpacked(ledger: string, settings: string): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'ledger.db'), gunzipSync(readFileSync(ledger)));
  writeFileSync(path.join(folder, 'remit.toml'), settings);
  return folder;
}

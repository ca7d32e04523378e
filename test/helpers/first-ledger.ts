import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { openDatabase } from '../../src/base/sqlite.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { remit } from './cli.ts';
import { scratchFolder } from './folder.ts';

/** Books as the first released schema holds them, with rows in nearly every table: what every later version must open. */
const FOLDER = path.resolve('test/fixtures/ledger');
const LEDGER = path.join(FOLDER, 'ledger.db.gz');
const SETTINGS = path.join(FOLDER, 'remit.toml');

/** A copy of these books. @returns the folder */
export function firstBooks(): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'ledger.db'), gunzipSync(readFileSync(LEDGER)));
  writeFileSync(path.join(folder, 'remit.toml'), readFileSync(SETTINGS));
  return folder;
}

const NOW = new Date('2026-11-20T10:00:00Z');

const SHEET = `Settlement,Settlement date,Tracking number,Merchant ref,Shipment type,Curr,Collected,Charges,Due
M-9,2026-10-27,MP-1,SO-9201,Delivery,EUR,120.00,4.00,116.00
M-9,2026-10-27,MP-2,SO-9202,Return,EUR,-20.00,2.00,-22.00
`;

const MED_POST = `
[couriers.med-post]
kind = "files"
map = "med-post"

[maps.med-post]
kind = "settlement"
columns = { invoice = "Settlement", issued_on = "Settlement date", order = "Tracking number", reference = "Merchant ref", workflow = "Shipment type", currency = "Curr", cod = "Collected", net = "Due" }
charges = { delivery = "Charges" }
`;

interface Seeded {
  readonly merchants: readonly { readonly key: string }[];
  readonly books: {
    readonly payer: string;
    readonly files: readonly { readonly kind: string; readonly file: string }[];
  };
}

/**
 * Makes the fixture anew by the commands that people type: two couriers, one of them by settlement sheets, four sides, two nights with
 * restatements between them, and decisions of each kind. Once a schema is released, its fixture never changes.
 */
export async function makeFirstLedger(): Promise<void> {
  const cwd = scratchFolder();
  const env: Record<string, string> = {};
  const run = async (argv: readonly string[], codes: readonly number[] = [0]) => {
    const outcome = await remit(argv, { cwd, env, now: NOW });
    expect(codes, `${argv.join(' ')}: ${outcome.stderr}`).toContain(outcome.code);
    return outcome.stdout;
  };
  const json = async <T>(argv: readonly string[]) => JSON.parse(await run([...argv, '--json'])) as T;

  const world = [
    '--data',
    'c.db',
    '--orders',
    '100',
    '--months',
    '2026-09..2026-10',
    '--plant',
    '--as-of',
    '2026-11-20',
  ];
  const { merchants, books } = await json<Seeded>(['sandbox', 'seed', ...world, '--books', 'own']);
  env.REMIT_API_KEY = merchants[0]!.key;
  const service = await startSandbox({ file: path.join(cwd, 'c.db'), port: 0, host: '127.0.0.1', results: 'flat' });
  const settings = `api_url = "${service.url}"\ntime_zone = "UTC"\n\n[receipts]\npayers = ["${books.payer}"]\n${MED_POST}`;
  writeFileSync(path.join(cwd, 'remit.toml'), settings);
  writeFileSync(path.join(cwd, 'sheet.csv'), SHEET);
  try {
    await run(['sync', '2026-09..2026-11', '--orders'], [0, 1]);
    for (const { kind, file } of books.files) await run(['import', kind, file]);
    await run(['import', 'settlement', 'sheet.csv', '--courier', 'med-post']);
    await run(['close', '2026-09', '--by', 'rana', '--first', '--with-open', 'asked the courier']);
    await run(['sandbox', 'seed', '--data', 'c.db', '--plant-drift']);
    await run(['sync', '--orders'], [0, 1]);
  } finally {
    await service.close();
  }
  await run(['check', '--fail-on', 'never'], [0, 1]);
  const found = await json<{ rows: { id: string; effect: string | null }[] }>(['report', 'mismatches']);
  const short = found.rows.filter(({ effect }) => effect?.startsWith('-')).map(({ id }) => id);
  await run(['dispute', ...short.slice(0, 3), '--by', 'rana', '--yes', '--include-possible', '--out', 'claim.txt']);
  await run(['mismatch', 'ack', short[3]!, '--by', 'rana', '--note', 'seen']);
  await run(['reopen', '2026-09', '--by', 'rana', '--reason', 'a late sheet']);
  await run(['check', '--fail-on', 'never'], [0, 1]);

  const file = path.join(cwd, 'ledger.db');
  const db = openDatabase(file, { fileMustExist: true });
  db.exec('vacuum');
  db.pragma('journal_mode = delete');
  db.close();
  writeFileSync(LEDGER, gzipSync(readFileSync(file), { level: 9 }));
  writeFileSync(SETTINGS, settings);
}

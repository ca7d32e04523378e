import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { statement } from '../../reports/statement/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { writeStatement } from '../../src/render/statement/index.ts';
import type { LanguageCode } from '../../src/words/index.ts';
import { check } from '../checks/options.ts';
import { DEFAULT_SETTINGS } from './check-settings.ts';

const SETTINGS = DEFAULT_SETTINGS;

/** The smallest PNG: one grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Gives a ledger its account, as a sync does; `logo` and `colour` are what the API said. */
export async function setAccount(
  { db }: Ledger,
  name: string,
  colour: string | null,
  logo: Buffer | null,
): Promise<void> {
  const hash = logo && createHash('sha256').update(logo).digest('hex');
  if (logo && hash) {
    await db
      .insertInto('evidence_body')
      .values({ sha256: hash, encoding: 'identity', size: logo.length, body: logo })
      .execute();
  }
  await db
    .insertInto('account')
    .values({
      id: 1,
      api_url: 'https://api.example.com/v1/external/',
      organisation_name: name,
      brand: null,
      logo_url: null,
      primary_color: colour,
      profile_sha256: 'a'.repeat(64),
      logo_sha256: hash,
    })
    .execute();
}

/** The bytes of a month's workbook, its checks having been run. */
export async function workbookOf(ledger: Ledger, month = '2026-10', language: LanguageCode = 'en'): Promise<Buffer> {
  const now = new Date('2026-11-05T08:00:00Z');
  const found = await check(ledger, { periods: [month], settings: SETTINGS, now });
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-statement-'));
  try {
    const file = path.join(folder, `${month}.xlsx`);
    await usingSnapshot(ledger, async (db) =>
      writeStatement(await statement({ db, month, settings: SETTINGS, ...found, ...found.reasons }), file, language),
    );
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import type { ClientBase } from 'pg';
import type { ServerPlace } from '../../../base/place.ts';
import { quoted } from './client.ts';

/** Makes the ledger's schema if it is missing, so that a user without that right can still use an existing one. */
export async function makeSchema(client: ClientBase, { schema }: ServerPlace): Promise<void> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length > 0) return;
  try {
    await client.query(`create schema if not exists ${quoted(schema)}`);
  } catch (error) {
    // Another process made it at the same moment.
    if ((error as { code?: string }).code !== '23505') throw error;
  }
}

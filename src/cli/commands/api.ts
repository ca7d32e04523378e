import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../../courier/index.ts';
import { runApi } from '../api/run.ts';
import { openClient, requireApiUrl } from '../client.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export interface ApiInput extends SettingInput {
  readonly operation: string | undefined;
  readonly pairs: readonly string[];
  readonly body?: string;
  readonly dryRun?: boolean;
}

/**
 * `remit api`, with the settings and the client that it needs: none to list the operations, no key to preview a request, and
 * never a ledger. What was typed is understood before any setting is asked for.
 */
export async function api(
  session: Session,
  { operation, pairs, body, dryRun, ...settings }: ApiInput,
): Promise<number> {
  const { stdout, stderr, cwd } = session.io;
  const config = () => session.config(settingFlags(settings), { needsLedger: false });
  let client: Client | undefined;
  try {
    return await runApi(
      { operation, pairs, body, dryRun: dryRun === true, json: session.json },
      {
        baseUrl: async () => requireApiUrl(await config()),
        client: async () => {
          client = await openClient(session, await config());
          return client;
        },
        stdout,
        stderr,
        readFile: (file) => readFile(path.resolve(cwd, file), 'utf8'),
      },
    );
  } finally {
    await client?.close();
  }
}

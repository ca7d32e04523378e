import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../../courier/index.ts';
import { openClient, requireApiUrl } from '../client.ts';
import { runApi } from '../commands/api.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export interface ApiInput extends SettingInput {
  readonly operation: string | undefined;
  readonly pairs: readonly string[];
  readonly body?: string;
  readonly dryRun?: boolean;
}

/** `remit api`, with the settings and the client that it needs: none to list the operations, no key to preview a request. */
export async function api(
  session: Session,
  { operation, pairs, body, dryRun, ...settings }: ApiInput,
): Promise<number> {
  const { stdout, stderr, cwd } = session.io;
  const config = operation === undefined ? null : await session.config(settingFlags(settings));
  let client: Client | undefined;
  try {
    return await runApi(
      { operation, pairs, body, dryRun: dryRun === true, json: session.json },
      {
        baseUrl: config ? requireApiUrl(config) : '',
        client: async () => {
          client = await openClient(session, config!);
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

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { faultOf } from '../../config/settings.ts';
import { SETTINGS_FILE } from '../../config.ts';
import { ConfigError, FileError, UsageError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';
import { usingAsker } from '../init/ask.ts';
import { settingsText } from '../init/template.ts';
import { makeFolder, writeNewFile } from '../new-file.ts';
import type { Session } from '../session.ts';

export interface InitInput {
  readonly dir: string | undefined;
  readonly apiUrl?: string;
  readonly apiKeyFile?: string;
  readonly apiKeyCommand?: string;
}

interface Answers {
  readonly apiUrl: string;
  /** Typed by hand; written to a file of its own. */
  readonly key: string;
}

const KEY_FILE = 'api-key';

/** `remit init [DIR]`: makes a books folder. Never overwrites anything. */
export async function init(session: Session, input: InitInput): Promise<number> {
  const { io } = session;
  const folder = path.resolve(io.cwd, input.dir ?? session.directory ?? '.');
  const file = path.join(folder, SETTINGS_FILE);
  const keyFile = path.join(folder, KEY_FILE);
  for (const present of [file, keyFile]) {
    if (existsSync(present))
      throw new FileError(`${present} exists already`, 'It is left as it is; edit it, or name another folder.');
  }
  if (input.apiKeyFile !== undefined && input.apiKeyCommand !== undefined) {
    throw new UsageError(
      'the key cannot come from both a file and a command',
      'Give --api-key-file or --api-key-command.',
    );
  }
  const answers = io.isTTY.stdin ? await interview(session, input) : withoutAsking(session, input);
  const fault = faultOf('api_url', answers.apiUrl);
  if (fault)
    throw new ConfigError(
      `the address of the API ${fault}`,
      'Copy it from the delivery company; it ends in /v1/external/.',
    );

  makeFolder(path.join(folder, 'statements'));
  if (answers.key !== '') await writeNewFile(keyFile, `${answers.key}\n`, 0o600);
  const settings = settingsText({
    apiUrl: answers.apiUrl,
    keyFile: answers.key === '' ? relativeTo(folder, io.cwd, input.apiKeyFile) : KEY_FILE,
    keyCommand: input.apiKeyCommand,
  });
  try {
    await writeNewFile(file, settings);
  } catch (error) {
    // Else the next try would find the key's file, and leave it as it is.
    if (answers.key !== '') await rm(keyFile, { force: true });
    throw error;
  }
  const hasKey = answers.key !== '' || input.apiKeyFile !== undefined || input.apiKeyCommand !== undefined;
  report(session, folder, file, hasKey);
  return 0;
}

function interview(session: Session, input: InitInput): Promise<Answers> {
  const { io } = session;
  return usingAsker(io, async ({ ask, askSecret }) => {
    const apiUrl = input.apiUrl ?? (await ask('Address of the API (ends in /v1/external/)', io.env.REMIT_API_URL));
    const keyKnown =
      input.apiKeyFile !== undefined || input.apiKeyCommand !== undefined || Boolean(io.env.REMIT_API_KEY);
    const key = keyKnown ? '' : await askSecret('API key (not shown; empty to set it later)');
    return { apiUrl, key };
  });
}

function withoutAsking({ io }: Session, input: InitInput): Answers {
  const apiUrl = input.apiUrl ?? io.env.REMIT_API_URL;
  if (apiUrl) return { apiUrl, key: '' };
  throw new UsageError('the address of the API is not known', 'Give --api-url, or set REMIT_API_URL.');
}

/** A key file named on the command line is relative to where it was typed; in remit.toml, to the books folder. */
function relativeTo(folder: string, cwd: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const absolute = path.resolve(cwd, file);
  return absolute.startsWith(`${folder}${path.sep}`) ? path.relative(folder, absolute) : absolute;
}

function report(session: Session, folder: string, file: string, hasKey: boolean): void {
  if (session.json) session.resultJson({ folder, settings: file });
  else session.result(session.quiet ? folder : `${folder} is ready: settings in ${file}`);
  const where = folder === session.io.cwd ? '' : ` -C ${shellWord(folder)}`;
  if (!hasKey && !session.io.env.REMIT_API_KEY)
    session.note('Set the API key: REMIT_API_KEY, or `api_key_file` in remit.toml.');
  const { program } = session.io;
  session.note(`Next: ${program}${where} doctor, then ${program}${where} sync`);
}

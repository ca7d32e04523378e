import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../../../base/errors.ts';
import { because } from '../../../words/errors/ledger.ts';

/** Whose password is looked for: what the driver made of the address and the environment. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
}

/**
 * The password of a login in PostgreSQL's own password file: `~/.pgpass`, or what PGPASSFILE names. Lines are
 * `host:port:database:user:password`; `*` fits everything, and a `\` takes away the meaning of what follows. The first that fits counts.
 *
 * @returns undefined where there is no such file, or nothing in it fits
 * @throws ConfigError when others may read the file
 */
export function passwordFromFile(
  login: Login,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const file = env.PGPASSFILE || defaultFile(env);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new ConfigError(because({ id: 'password-file-open', file }));
  }
  // A socket's folder goes by the name of this machine.
  const host = login.host.startsWith('/') ? 'localhost' : login.host;
  const wanted = [host, String(login.port), login.database ?? '', login.user ?? ''];
  for (const line of textOf(file).split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length < 5 || !wanted.every((each, at) => fields[at]!.raw === '*' || fields[at]!.text === each))
      continue;
    return fields[4]!.text;
  }
  return undefined;
}

function defaultFile(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32') return path.join(env.APPDATA ?? homedir(), 'postgresql', 'pgpass.conf');
  return path.join(env.HOME || homedir(), '.pgpass');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(because({ id: 'password-file-unreadable', file, code: String(code) }), {
      cause: error,
    });
  }
}

function fieldsOf(line: string): { readonly raw: string; readonly text: string }[] {
  return [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, raw = '']) => ({
    raw,
    text: raw.replace(/\\(.)/g, '$1'),
  }));
}

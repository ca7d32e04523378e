import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../../../base/errors.ts';
import { ledgerError } from '../../../words/errors/ledger.ts';

/** The login whose password is wanted, as the driver makes it from the address and the environment. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
}

/**
 * The password of a login in PostgreSQL's own password file: `~/.pgpass`, or the file that PGPASSFILE names. Lines are
 * `host:port:database:user:password`; `*` fits everything, and `\` escapes the next character. The first line that fits
 * counts; a line without a password is skipped.
 *
 * @returns undefined if there is no such file, or no line fits
 * @throws ConfigError when others may read the file
 */
export function passwordFromFile(login: Login, env: Readonly<Record<string, string | undefined>> = process.env) {
  const file = env.PGPASSFILE || defaultPasswordFile(env);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new ConfigError(ledgerError({ id: 'password-file-open', file }));
  }
  // The file calls a socket, whose host is its folder, `localhost`.
  const host = login.host.startsWith('/') ? 'localhost' : login.host;
  const loginFields = [host, String(login.port), login.database ?? '', login.user ?? ''];
  // `raw` tells the `*` that fits everything from an escaped one.
  for (const line of readPasswordFile(file).split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = passwordFieldsOf(line);
    if (!fields || !loginFields.every((each, at) => fields[at]!.raw === '*' || fields[at]!.text === each)) continue;
    return fields[4]!.text;
  }
  return undefined;
}

function defaultPasswordFile(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32') return path.join(env.APPDATA ?? homedir(), 'postgresql', 'pgpass.conf');
  return path.join(env.HOME || homedir(), '.pgpass');
}

function readPasswordFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(ledgerError({ id: 'password-file-unreadable', file, code: String(code) }), {
      cause: error,
    });
  }
}

const FIELD = /((?:\\.|[^\\:])*):/.source;
/** Four fields that each end at a colon, and the password up to a colon or the end. */
const LINE = new RegExp(`^${FIELD.repeat(4)}((?:\\\\.|[^:])*)`);

/** @returns null for a line that lacks a field */
function passwordFieldsOf(line: string): { readonly raw: string; readonly text: string }[] | null {
  const [, ...fields] = LINE.exec(line) ?? [];
  return fields.length === 0 ? null : fields.map((raw) => ({ raw, text: raw.replace(/\\(.)/g, '$1') }));
}

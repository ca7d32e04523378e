import { ConfigError } from '../base/errors.ts';
import { NotRegularError, readRegularFile } from '../base/files/read.ts';
import { shellWord } from '../base/text.ts';

/** A command, and the folder where it runs. */
interface Command {
  readonly command: string;
  readonly folder: string;
}

/** Where the API key, or the secret of a courier's webhooks, comes from; it is read only by commands that need it. */
export type KeySource = (
  | { readonly kind: 'environment' }
  | { readonly kind: 'file'; readonly file: string }
  | ({ readonly kind: 'command' } & Command)
  | { readonly kind: 'none' }
) & {
  /** Which secret it is; absent: the API key. */
  readonly of?: 'webhook-secret';
};

/** The secrets: their names in messages, and the beginning of their settings: `api_key_file`, `api_key_command`. */
const SECRETS = {
  'api-key': {
    name: 'API key',
    withArticle: 'an API key',
    short: 'key',
    setting: 'api_key',
    hintIfUnset:
      'Set REMIT_API_KEY, or name a key file in remit.toml: api_key_file = "api-key". The dashboard of the delivery company makes keys.',
  },
  'webhook-secret': {
    name: 'webhook secret',
    withArticle: 'a secret',
    short: 'secret',
    setting: 'webhook_secret',
    hintIfUnset:
      'Name its file in remit.toml: webhook_secret_file = "webhook-secret". The dashboard of the delivery company has it where webhooks are set up.',
  },
} as const;

/** The secrets for which a table of settings names both a file and a command. */
export function secretsNamedTwice(values: Readonly<Record<string, unknown>>) {
  return Object.values(SECRETS).filter(
    ({ setting }) => values[`${setting}_file`] !== undefined && values[`${setting}_command`] !== undefined,
  );
}

function secretOf({ of }: KeySource) {
  return SECRETS[of ?? 'api-key'];
}

const COMMAND_LIMIT_MS = 30_000;
const MAX_KEY_LENGTH = 1_024;
const MAX_KEY_FILE_BYTES = 64 * 1_024;
const runByHandHint = (source: KeySource) =>
  `Run it by hand: it must print the ${secretOf(source).short}, and nothing else, on its standard output. It runs without a shell.`;

/** A key source for people: ``the file that `api_key_file` names``. */
export function describeKeySource(source: KeySource): string {
  switch (source.kind) {
    case 'environment':
      return 'REMIT_API_KEY';
    case 'file':
      // Not by its path: somebody may have put the key itself there.
      return `the file that \`${secretOf(source).setting}_file\` names`;
    case 'command':
      return `\`${secretOf(source).setting}_command\` in remit.toml`;
    case 'none':
      return 'nowhere';
  }
}

/**
 * Reads the API key, or the secret of webhooks.
 *
 * @throws ConfigError when there is none, the file is readable by others, the command fails, or what came is no key;
 * the message never holds any part of it
 */
export async function readKey(source: KeySource, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const key = (await readSource(source, env)).trim();
  const from = describeKeySource(source);
  const { name, withArticle, short } = secretOf(source);
  if (key === '') {
    throw source.kind === 'command'
      ? new ConfigError(`${from} printed nothing`, runByHandHint(source))
      : new ConfigError(`the ${name} from ${from} is empty`, `Put the ${short} there, on one line.`);
  }
  const lines = key.split(/\r\n|\r|\n/).length;
  if (lines > 1) {
    throw new ConfigError(
      source.kind === 'command' ? `${from} printed ${lines} lines` : `what came from ${from} has ${lines} lines`,
      source.kind === 'command'
        ? runByHandHint(source)
        : `A ${short} is one line: leave the ${short} there, and nothing else.`,
    );
  }
  if (key.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError(
      `what came from ${from} is not ${withArticle}`,
      `A ${short} is one line of letters, digits and signs, without spaces; copy it again from the dashboard.`,
    );
  }
  return key;
}

async function readSource(source: KeySource, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  switch (source.kind) {
    case 'environment':
      return env.REMIT_API_KEY ?? '';
    case 'file':
      return readKeyFile(source.file, source);
    case 'command':
      return runCommand(`${secretOf(source).setting}_command`, source, runByHandHint(source));
    case 'none':
      throw new ConfigError(`no ${secretOf(source).name} is set`, secretOf(source).hintIfUnset);
  }
}

async function readKeyFile(file: string, source: KeySource): Promise<string> {
  const { short, setting } = secretOf(source);
  try {
    return await readRegularFile(file, {
      maxBytes: MAX_KEY_FILE_BYTES,
      check: ({ mode }) => {
        // Windows has no such bits: the access lists of the user's folder protect the file.
        if (process.platform === 'win32' || (mode & 0o077) === 0) return;
        throw new ConfigError(`the ${short} file ${file} can be read by others`, `Run: chmod 600 ${shellWord(file)}`);
      },
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof NotRegularError) {
      const hint =
        error.what === 'a folder'
          ? `Name the file in it that holds the ${short}.`
          : `Name a file that holds the ${short} alone.`;
      throw new ConfigError(`\`${setting}_file\` names ${file}, which is ${error.what}`, hint);
    }
    const { code } = error as NodeJS.ErrnoException;
    // Somebody may have put the key itself there: a name that names no file is not repeated.
    const isThere = code === 'EACCES' || code === 'EPERM';
    throw new ConfigError(
      isThere
        ? `the ${short} file ${file} cannot be read (${code})`
        : `\`${setting}_file\` names no file that can be read (${code})`,
      `Put the ${short} there, for you alone to read (chmod 600), or correct \`${setting}_file\` in remit.toml.`,
    );
  }
}

/**
 * Runs a command without a shell.
 *
 * @param setting the name of the setting that has the command
 * @returns what it printed
 * @throws ConfigError when it fails; the message holds nothing of what it printed
 */
async function runCommand(setting: string, { command, folder }: Command, hint: string): Promise<string> {
  const { execFile } = await import('node:child_process');
  const [program = '', ...args] = commandWords(command);
  const options = { cwd: folder, timeout: COMMAND_LIMIT_MS, maxBuffer: 64 * 1024, encoding: 'utf8' } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (!error) return resolve(stdout);
      // The error of execFile repeats the command line and output; neither is for a log.
      const { code } = error;
      let why = `ended with code ${code}`;
      if (error.killed) why = `did not end within ${COMMAND_LIMIT_MS / 1000} seconds`;
      else if (code === undefined || code === null) why = 'was stopped';
      else if (typeof code === 'string') why = `could not be run (${code})`;
      // Only the setting is named: somebody may have put the key itself in the place of the command.
      reject(new ConfigError(`\`${setting}\` ${why}`, hint));
    });
    child.stdin?.end();
  });
}

const PRINTS_PASSWORD =
  'Run it by hand: it must print the password on one line, and nothing else. It runs without a shell.';

/**
 * Reads a database's password from a command.
 *
 * @param setting the one that gives the command
 * @throws ConfigError when it fails or prints no password; the message holds nothing of what it printed
 */
export async function readPassword(setting: 'ledger_password_command' | 'database_password_command', command: Command) {
  const printed = await runCommand(setting, command, PRINTS_PASSWORD);
  const password = printed.replace(/\r?\n$/, '');
  if (password === '') throw new ConfigError(`\`${setting}\` printed nothing`, PRINTS_PASSWORD);
  if (/[\r\n\0]/.test(password)) throw new ConfigError(`\`${setting}\` printed more than one line`, PRINTS_PASSWORD);
  return password;
}

/**
 * Splits a command at spaces; quotes keep a word together: `pass show "my key"` is `pass`, `show`, `my key`. No shell
 * ever sees it.
 */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

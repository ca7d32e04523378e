import { spawn } from 'node:child_process';
import { VERSION } from '../../base/version.ts';
import type { Config } from '../../config/index.ts';
import { commandWords } from '../../config/key.ts';
import { type AttemptFailed, openConnections, send } from '../../courier/transport.ts';
import type { Night, SentSummary } from './model.ts';

/** How long a person's command, or their server, may take. */
const LIMIT_MS = 30_000;

type Env = Readonly<Record<string, string | undefined>>;

/** A night in words: a line for a mail's subject, and the whole. */
export interface NightWords {
  readonly subject: string;
  readonly text: string;
}

/**
 * Sends the night where the settings say: `notify_command` gets the summary on its standard input, `notify_url` gets it
 * as JSON. Neither gets the API key or the database's password. Never throws: what did not arrive is part of the
 * answer.
 */
export async function notify(
  { notifyCommand, notifyUrl }: Pick<Config, 'notifyCommand' | 'notifyUrl'>,
  night: Night,
  { subject, text }: NightWords,
  env: Env,
): Promise<SentSummary[]> {
  const deliveries: Promise<SentSummary>[] = [];
  if (notifyCommand) {
    const variables = { REMIT_NIGHT_SUBJECT: subject, REMIT_NIGHT_EXIT_CODE: String(night.exit_code) };
    const commandEnv = { ...withoutSecrets(env), ...variables };
    deliveries.push(delivery('command', runCommand(notifyCommand, `${text}\n`, commandEnv)));
  }
  if (notifyUrl !== null) deliveries.push(delivery('url', post(notifyUrl, JSON.stringify(night))));
  return Promise.all(deliveries);
}

async function delivery(to: SentSummary['to'], work: Promise<string | null>): Promise<SentSummary> {
  // Node refuses some command lines before anything runs, such as one with a NUL character.
  const why = await work.catch((error: Error) => `it could not be tried: ${error.message}`);
  return { to, ok: why === null, why };
}

/** A shorter secret is not looked for in other variables: it would be found in most of them. */
const SHORTEST_SECRET = 6;

/** The environment without API key, server address and passwords, and without variables that repeat one of them. */
function withoutSecrets(env: Env): Record<string, string> {
  const { REMIT_API_KEY: key = '', PGPASSWORD: password = '', REMIT_LEDGER: ledger = '' } = env;
  const isServer = /^postgres(ql)?:/i.test(ledger.trim());
  const secrets = [key.trim(), password, ...(isServer ? passwordsIn(ledger) : [])].filter(
    (secret) => secret.length >= SHORTEST_SECRET,
  );
  const secretNames = ['REMIT_API_KEY', 'PGPASSWORD', ...(isServer ? ['REMIT_LEDGER'] : [])];
  const kept = Object.entries(env).filter(
    ([name, value]) =>
      value !== undefined &&
      !secretNames.includes(name.toUpperCase()) &&
      !secrets.some((secret) => value.includes(secret)),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The password in a server's address, as it is written there and decoded. */
function passwordsIn(address: string): string[] {
  // Not by URL, which reads no address with several hosts. The password may hold an `@`: the last one ends it.
  const password = /^postgres(?:ql)?:\/\/[^:@/?#]*:([^/?#]*)@/i.exec(address.trim())?.[1];
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    // A `%` that escapes nothing: the password is what is written.
    return [password];
  }
}

/** @returns why the command failed; null when it took the summary */
function runCommand(
  { command, folder }: NonNullable<Config['notifyCommand']>,
  input: string,
  env: Record<string, string>,
): Promise<string | null> {
  const [program = '', ...args] = commandWords(command);
  const name = `\`notify_command\` (${program})`;
  return new Promise((resolve) => {
    // What it prints is not part of the night's result.
    const child = spawn(program, args, { cwd: folder, env, windowsHide: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Not spawn's own limit: its timer goes on for a command that could not be started, and keeps this process waiting.
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(limit);
      resolve(`${name} could not be run (${error.code})`);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve(null);
      else if (code !== null) resolve(`${name} ended with code ${code}`);
      else if (signal === 'SIGKILL') resolve(`${name} did not end within ${LIMIT_MS / 1_000} seconds`);
      else resolve(`${name} was stopped`);
    });
    // A command that reads nothing is not at fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * @returns why it did not arrive; null when it did. The address may hold a secret in its path, so only its host is
 * named.
 */
async function post(address: string, body: string): Promise<string | null> {
  const url = new URL(address);
  const name = `\`notify_url\` (${url.host})`;
  const connections = openConnections(url, 1);
  const headers = { 'content-type': 'application/json', 'user-agent': `remit/${VERSION}` };
  // A signal that never aborts: the time limit alone ends it.
  const limits = { timeoutMs: LIMIT_MS, stop: new AbortController().signal };
  try {
    const { status } = await send(connections, { method: 'POST', url: url.href, headers, body }, limits);
    if (status >= 200 && status < 300) return null;
    return `${name} answered HTTP ${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}`;
  } catch (error) {
    return `${name} gave no answer (${(error as AttemptFailed).code})`;
  } finally {
    await connections.destroy();
  }
}

import { spawn } from 'node:child_process';
import { commandWords } from '../../config/command-words.ts';
import type { Config } from '../../config.ts';
import { openConnections, send } from '../../courier/transport.ts';
import { VERSION } from '../../version.ts';
import type { Delivery, Night } from './model.ts';

/** How long a person's command, or their server, may take. */
const LIMIT_MS = 30_000;

type Env = Readonly<Record<string, string | undefined>>;

/** A night in words: a line for a mail's subject, and the whole. */
export interface Words {
  readonly subject: string;
  readonly text: string;
}

/**
 * Tells whom the settings name: `notify_command` gets the summary on its standard input, `notify_url` gets it as JSON. Neither gets the
 * API key. Never throws: what did not arrive is part of the answer.
 */
export async function notify(
  { notifyCommand, notifyUrl }: Pick<Config, 'notifyCommand' | 'notifyUrl'>,
  night: Night,
  { subject, text }: Words,
  env: Env,
): Promise<Delivery[]> {
  const told: Promise<Delivery>[] = [];
  if (notifyCommand) {
    const said = { REMIT_NIGHT_SUBJECT: subject, REMIT_NIGHT_EXIT_CODE: String(night.exit_code) };
    told.push(delivery('command', run(notifyCommand, `${text}\n`, { ...withoutKey(env), ...said })));
  }
  if (notifyUrl !== null) told.push(delivery('url', post(notifyUrl, JSON.stringify(night))));
  return Promise.all(told);
}

async function delivery(to: Delivery['to'], work: Promise<string | null>): Promise<Delivery> {
  // A command line that no program can be started with is refused before anything runs.
  const why = await work.catch((error: Error) => `it could not be tried: ${error.message}`);
  return { to, ok: why === null, why };
}

/** Everything but the key, under whatever name a copy of it has. */
function withoutKey(env: Env): Record<string, string> {
  const key = env.REMIT_API_KEY?.trim() ?? '';
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && name !== 'REMIT_API_KEY' && (key === '' || !value.includes(key)),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

/** @returns why the command did not take it; null when it did */
function run(
  { command, folder }: NonNullable<Config['notifyCommand']>,
  input: string,
  env: Record<string, string>,
): Promise<string | null> {
  const [program = '', ...args] = commandWords(command);
  const name = `\`notify_command\` (${program})`;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env,
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
      // What it prints is its own affair, and no part of the night's result.
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', (error: NodeJS.ErrnoException) => resolve(`${name} could not be run (${error.code})`));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(null);
      else if (code !== null) resolve(`${name} ended with code ${code}`);
      else
        resolve(
          signal === 'SIGKILL' ? `${name} did not end within ${LIMIT_MS / 1_000} seconds` : `${name} was stopped`,
        );
    });
    // A command that reads nothing is not at fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** @returns why it did not arrive; null when it did. The address may hold a secret in its path, so only its host is named. */
async function post(address: string, body: string): Promise<string | null> {
  const url = new URL(address);
  const name = `\`notify_url\` (${url.host})`;
  const connections = openConnections(url, 1);
  const headers = { 'content-type': 'application/json', 'user-agent': `remit/${VERSION}` };
  const limits = { timeoutMs: LIMIT_MS, stop: new AbortController().signal };
  try {
    const { status } = await send(connections, { method: 'POST', url: url.href, headers, body }, limits);
    if (status >= 200 && status < 300) return null;
    return `${name} answered HTTP ${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}`;
  } catch (error) {
    return `${name} gave no answer (${(error as { code?: string }).code ?? 'UNKNOWN'})`;
  } finally {
    await connections.destroy();
  }
}

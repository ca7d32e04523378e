import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import { machineZone } from '../../../base/day.ts';
import { UsageError } from '../../../base/errors.ts';
import { PRIVATE_FILE } from '../../../base/private.ts';
import type { DeskOptions, RunningDesk, SetupListener } from '../../../desk/server.ts';
import type { SetupOptions } from '../../../desk/setup.ts';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { stopped } from '../../io.ts';
import { type Flags, type PersonInput, type Session, settingFlags } from '../../session.ts';
import { openInbox } from '../listen.ts';
import type { TeamInput } from './team.ts';
import { declareToken } from './token.ts';

export const declare = (start: Start) =>
  new Command('serve')
    .summary('the web desk: month end in a browser')
    .description(
      'Serves the web desk on this machine until it is stopped with Ctrl-C: look, trace, decide, match, close and download in a browser. Prints a link that lets its first visitor in, and opens it where there is a browser.',
    )
    .option('--port <n>', 'the port; 0 chooses a free one', wholeNumber(0), 0)
    .option('--read-only', 'change nothing: refuse every decision')
    .option('--by <name>', 'who decides at this desk (default: the user of this machine)')
    .option('--webhooks', 'receive the webhooks of couriers too, at /hooks/COURIER')
    .option('--no-open', 'open no browser')
    .option(
      '--public-origin <origin>',
      'for a team: where its own proxy serves the desk, such as https://desk.example.com',
    )
    .option(
      '--auth-header <name>',
      'the header in which that proxy names the user; [desk] in remit.toml lists the users',
    )
    .option('--socket <path>', 'listen on a Unix socket that only the proxy reaches')
    .option('--proxy-secret-file <file>', 'a file with what the proxy sends to show that it is the proxy')
    .addOption(ledgerOption())
    .addHelpText(
      ...example(
        'remit serve',
        'remit serve --read-only --port 8321',
        'remit serve --public-origin https://desk.example.com --auth-header X-User --socket /run/remit/desk.sock',
      ),
    )
    .addCommand(declareToken(start))
    .action((options) => start('serve', options, serveDesk));

interface ServeInput extends PersonInput, TeamInput, Flags<'readOnly' | 'webhooks'> {
  readonly port: number;
  readonly open: boolean;
}

export async function serveDesk(session: Session, input: ServeInput): Promise<number> {
  const { io } = session;
  const user = await session.person(input.by);
  const sources = { env: io.env, cwd: io.cwd, directory: session.directory, flags: settingFlags(input) };
  const { findBooks } = await import('../../../config/index.ts');
  const { folder, ...found } = findBooks(sources);
  if (input.webhooks && input.readOnly) {
    const remedy = 'Leave out --read-only or --webhooks; `remit listen` receives them beside a desk.';
    throw new UsageError('a desk that changes nothing cannot keep webhooks', remedy);
  }
  const received = input.webhooks ? await openInbox(session, await session.books(input)) : null;
  const onFailure = (error: unknown) =>
    session.warn(`a page failed: ${error instanceof Error ? error.message : String(error)}`);
  const options = { sources, user, onFailure, webhooks: received?.webhooks ?? null };
  const open = (setupListener?: SetupListener) => openDesk(session, input, folder, options, setupListener);
  // *Set up* never receives webhooks: only the desk can fail with an inbox open.
  const desk = (await needsSetup(session, input, found))
    ? await openSetup(session, { folder, user, port: input.port, onFailure, open })
    : await open().catch(async (error) => {
        await received?.inbox.close();
        throw error;
      });
  try {
    await showUntilStopped(session, desk, { opensBrowser: input.open, folder });
  } finally {
    await desk.close();
    await received?.inbox.close();
  }
  return 0;
}

/**
 * Whether the desk first shows *Set up*: where the folder has no books, unless the desk is only to look at, receives
 * webhooks, is a team's, or has a ledger elsewhere.
 *
 * @param found whether books are in the folder, and whether a flag or a variable names a ledger elsewhere
 */
async function needsSetup(
  session: Session,
  input: ServeInput,
  { isThere, isElsewhere }: { readonly isThere: boolean; readonly isElsewhere: boolean },
): Promise<boolean> {
  if (isThere || input.readOnly || input.webhooks || input.publicOrigin !== undefined) return false;
  if (!isElsewhere) return true;
  const { ledgerIsMade } = await import('../../../app/books.ts');
  return !(await ledgerIsMade(await session.books(input)));
}

/** Opens the desk of the books. @param setupListener what listened while there were no books */
async function openDesk(
  session: Session,
  input: ServeInput,
  folder: string,
  options: Pick<DeskOptions, 'sources' | 'user' | 'onFailure' | 'webhooks'>,
  setupListener?: SetupListener,
): Promise<RunningDesk> {
  const { startDesk } = await import('../../../desk/server.ts');
  const { teamOf } = await import('./team.ts');
  const books = await session.books(input);
  return startDesk({
    ...options,
    books,
    port: input.port,
    readOnly: input.readOnly === true,
    team: await teamOf(session, input, books.config.desk),
    beforeSync: () => serveDemo(folder, books.config.apiUrl),
    ...(setupListener && { setupListener }),
  });
}

/** Opens *Set up*, which opens the desk of the books that it makes. */
async function openSetup(
  session: Session,
  options: Pick<SetupOptions, 'folder' | 'user' | 'port' | 'onFailure' | 'open'>,
): Promise<RunningDesk> {
  const { startSetup } = await import('../../../desk/setup.ts');
  const { env, now } = session.io;
  const demo = async () => {
    const { makeDemo } = await import('../../make-demo.ts');
    await makeDemo(session, options.folder);
  };
  return startSetup({ ...options, now, timeZone: machineZone(env) ?? 'UTC', demo });
}

/** Says where the desk is, opens it in a browser where there is one, and waits for Ctrl-C. */
async function showUntilStopped(
  session: Session,
  desk: RunningDesk,
  { opensBrowser, folder }: { readonly opensBrowser: boolean; readonly folder: string },
): Promise<void> {
  let removeLinkFile = () => {};
  try {
    sayWhere(session, desk);
    if (opensBrowser && !session.json && desk.openUrl !== null && session.io.isTTY.stdout) {
      removeLinkFile = openBrowser(desk.openUrl, folder);
      void desk.entered.then(() => removeLinkFile());
    }
    await stopped(session.io.signal);
  } finally {
    removeLinkFile();
  }
}

function sayWhere(session: Session, { url, openUrl, listens }: Pick<RunningDesk, 'url' | 'openUrl' | 'listens'>): void {
  if (session.json) {
    session.resultJson({ url, open_url: openUrl, listens });
    return;
  }
  session.result(openUrl ?? url);
  session.note(
    openUrl === null
      ? `The desk listens on ${listens}. Stop it with Ctrl-C.`
      : 'The link lets one visitor in, once. Stop the desk with Ctrl-C.',
  );
}

/** Serves the demo's delivery company, whose file is courier.db, while the demo's desk syncs; null for other books. */
async function serveDemo(folder: string, apiUrl: string | null) {
  if (!existsSync(path.join(folder, 'courier.db'))) return null;
  const { serveDemoOf } = await import('../../../app/demo/world.ts');
  return serveDemoOf(folder, apiUrl);
}

const LINK_FILE = 'open-desk.html';

/**
 * Opens an address in the person's browser, if there is one, without a shell. Every user of a machine sees the
 * arguments of processes: so the browser gets a file instead, which only its owner can read and which leads to the
 * address.
 *
 * @param folder for the file: a browser in a sandbox can read a person's folders, but not the temporary ones
 * @returns removes the file
 */
function openBrowser(url: string, folder: string): () => void {
  const file = path.join(folder, LINK_FILE);
  const remove = () => rmSync(file, { force: true });
  try {
    remove();
    writeFileSync(file, pageTo(url), { mode: PRIVATE_FILE, flag: 'wx' });
  } catch {
    return remove;
  }
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program!, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', remove);
  child.unref();
  return remove;
}

function pageTo(url: string): string {
  return `<!DOCTYPE html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>remit</title>
`;
}

/** What opens a file in the browser; on every other platform `xdg-open`. */
const OPENERS: { readonly [Platform in NodeJS.Platform]?: readonly [program: string, ...args: string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

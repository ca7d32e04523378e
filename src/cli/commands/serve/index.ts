import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import { machineZone } from '../../../base/day.ts';
import { UsageError } from '../../../base/errors.ts';
import { PRIVATE_FILE } from '../../../base/private.ts';
import type { RunningDesk, SetupListener } from '../../../desk/server.ts';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { type PersonInput, type Session, settingFlags } from '../../session.ts';
import { openInbox, stopped } from '../../stopped.ts';
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
      'after',
      example(
        'remit serve',
        'remit serve --read-only --port 8321',
        'remit serve --public-origin https://desk.example.com --auth-header X-User --socket /run/remit/desk.sock',
      ),
    )
    .addCommand(declareToken(start))
    .action((options) => start('serve', options, serveDesk));

interface ServeInput extends PersonInput, TeamInput {
  readonly port: number;
  readonly readOnly?: true | undefined;
  readonly open: boolean;
  readonly webhooks?: true | undefined;
}

export async function serveDesk(
  session: Session,
  { port, readOnly, open: opensBrowser, webhooks: hasWebhooks, ...input }: ServeInput,
): Promise<number> {
  const [{ startDesk }, { ledgerIsMade }, { teamOf }] = await Promise.all([
    import('../../../desk/server.ts'),
    import('../../../app/books.ts'),
    import('./team.ts'),
  ]);
  const { io } = session;
  const flags = settingFlags(input);
  const user = await session.person(input.by);
  const sources = { env: io.env, cwd: io.cwd, directory: session.directory, flags };
  const onFailure = (error: unknown) =>
    session.warn(`a page failed: ${error instanceof Error ? error.message : String(error)}`);
  const { findBooks } = await import('../../../config/index.ts');
  const { folder, isThere, isElsewhere } = findBooks(sources);
  if (hasWebhooks && readOnly) {
    throw new UsageError(
      'a desk that changes nothing cannot keep webhooks',
      'Leave out --read-only or --webhooks; `remit listen` receives them beside a desk.',
    );
  }
  const received = hasWebhooks ? await openInbox(session, await session.books(input)) : null;
  const openDesk = async (setupListener?: SetupListener) => {
    const books = await session.books(input);
    const team = await teamOf(session, input, books.config.desk);
    const options = {
      user,
      port,
      readOnly: readOnly === true,
      team,
      onFailure,
      ...(setupListener && { setupListener }),
    };
    const webhooks = received?.webhooks ?? null;
    const beforeSync = () => serveDemo(folder, books.config.apiUrl);
    return startDesk({ books, sources, ...options, webhooks, beforeSync });
  };
  // A folder without books shows *Set up*, unless its desk only shows, receives or is a team's, or its ledger is
  // elsewhere.
  const maySetUp = !isThere && received === null && readOnly !== true && input.publicOrigin === undefined;
  const needsSetup = maySetUp && !(isElsewhere && (await ledgerIsMade(await session.books(input))));
  const desk = needsSetup
    ? await (await import('../../../desk/setup.ts')).startSetup({
        folder,
        user,
        now: io.now,
        port,
        onFailure,
        open: openDesk,
        timeZone: machineZone(io.env) ?? 'UTC',
        demo: () => makeDemoIn(session, folder),
      })
    : await openDesk().catch(async (error) => {
        await received?.inbox.close();
        throw error;
      });
  let removeLinkFile = () => {};
  try {
    sayWhere(session, desk);
    if (opensBrowser && !session.json && desk.openUrl !== null && io.isTTY.stdout) {
      removeLinkFile = openBrowser(desk.openUrl, folder);
      void desk.entered.then(() => removeLinkFile());
    }
    await stopped(io.signal);
  } finally {
    removeLinkFile();
    await desk.close();
    await received?.inbox.close();
  }
  return 0;
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

/** Serves the demo's delivery company while the demo's desk syncs; null for other books. */
async function serveDemo(folder: string, apiUrl: string | null) {
  if (!existsSync(path.join(folder, 'courier.db'))) return null;
  const { serveDemoOf } = await import('../../../app/demo/world.ts');
  return serveDemoOf(folder, apiUrl);
}

/** Makes the demo in the folder of books that are not set up yet. */
async function makeDemoIn(session: Session, folder: string): Promise<void> {
  const { makeDemo } = await import('../../make-demo.ts');
  await makeDemo(session, folder);
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
  const [program, ...args] = opener(process.platform);
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

function opener(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

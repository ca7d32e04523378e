import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { FailOn } from '../../app/check-result.ts';
import type { Demo } from '../../app/demo/index.ts';
import { example, failOnOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start) =>
  new Command('demo')
    .summary('see it work, without an account')
    .description(
      "Starts the delivery company's service on this machine with a made-up world, syncs it, imports the shop's own book, its bank's statements and its rate card, closes last month, checks all against all, writes last month's statement, and says what to try next.",
    )
    .argument('[dir]', 'a folder for the demo', './remit-demo')
    .addOption(failOnOption().default('never' as const))
    .option('--serve', 'open its web desk afterwards, until Ctrl-C')
    .addHelpText(...example('remit demo', 'remit demo --serve'))
    .action((dir, options) => start('demo', { dir, ...options }, demo));

interface DemoInput {
  readonly dir: string;
  readonly failOn: FailOn;
  readonly serve?: true | undefined;
}

async function demo(session: Session, { dir, failOn, serve }: DemoInput): Promise<number> {
  const { isFailure } = await import('../../app/check-result.ts');
  const { makeDemo } = await import('../make-demo.ts');
  const folder = path.resolve(session.io.cwd, dir);
  const { demo, demoSession } = await makeDemo(session, folder);
  await print(demoSession, demo);
  warnOfEnvironment(session);
  if (serve) {
    const { serveDesk } = await import('./serve/index.ts');
    await serveDesk(demoSession, { port: 0, open: true });
  }
  return isFailure(demo.result, failOn) ? 3 : 0;
}

async function print(session: Session, demo: Demo): Promise<void> {
  if (!session.json) {
    const { storyLines } = await import('../lines/demo-story.ts');
    session.result(storyLines(session, demo).join('\n'));
    return;
  }
  const { isFound } = await import('../../app/demo/index.ts');
  const { folder, url, statement, syncs, imports, sheets, result, planted, close } = demo;
  session.resultJson({
    folder,
    url,
    statement,
    syncs,
    imports: imports.map(({ summary }) => summary),
    sheets: sheets.map(({ courier, summary }) => ({ courier, ...summary })),
    open: result.open,
    close: close && {
      status: close.status,
      period: close.period,
      ...(close.status === 'closed'
        ? { figures_sha256: close.couriers[0]?.figures_sha256, chain_head: close.chain_head }
        : { reasons: close.reasons }),
    },
    planted: planted?.map((plant) => ({ ...plant, found: isFound(plant, result.mismatches) })) ?? null,
    mismatches: result.mismatches.map(({ note: _note, ...mismatch }) => mismatch),
  });
}

/** The environment overrules the demo's settings: with it, the commands that the demo prints would not work on it. */
function warnOfEnvironment(session: Session): void {
  const names = ['REMIT_API_URL', 'REMIT_API_KEY', 'REMIT_LEDGER', 'REMIT_HOME'].filter((name) => session.io.env[name]);
  if (names.length > 0)
    session.note(`\nFirst unset ${names.join(', ')}: the environment comes before the demo's settings.`);
}

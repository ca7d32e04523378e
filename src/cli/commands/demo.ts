import path from 'node:path';
import { runChecks } from '../../checks/run.ts';
import type { Config } from '../../config.ts';
import { ConfigError } from '../../errors.ts';
import { usingLedger } from '../../ledger/index.ts';
import { addMonths, monthOf } from '../../period.ts';
import type { Planted } from '../../sandbox/world/plant.ts';
import { runSync, type SyncSummary } from '../../sync/index.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { type DemoFolder, openDemoFolder, writeDemoSettings } from '../demo/folder.ts';
import { type Demo, isFound, storyLines } from '../demo/story.ts';
import { driftDemo, seedDemo, serveDemoAgain, serveNewDemo } from '../demo/world.ts';
import { writeMonth } from '../month-statement.ts';
import { allMonths } from '../months.ts';
import { openSession, type Session } from '../session.ts';
import { openSyncOptions } from '../sync-options.ts';
import { checkExitCode, type FailOn } from './check.ts';

export interface DemoInput {
  readonly dir: string;
  readonly failOn: FailOn;
}

/** `remit demo [DIR]`: everything once, against the service on this machine. */
export async function demo(session: Session, input: DemoInput): Promise<number> {
  const folder = openDemoFolder(path.resolve(session.io.cwd, input.dir));
  // An account of the user's own must not get into the demo's ledger.
  const own = openSession(
    { ...session.io, env: { NO_COLOR: session.io.env.NO_COLOR } },
    { json: session.json, quiet: session.quiet, verbose: session.verbose, directory: folder.folder },
  );
  const told = folder.isThere ? await runAgain(own, folder) : await runNew(own, folder);
  print(session, told);
  warnOfEnvironment(session);
  return checkExitCode(told.result, input.failOn);
}

async function runNew(session: Session, folder: DemoFolder): Promise<Demo> {
  session.note('Making a world: shops, orders, invoices, and one fault of every kind ...');
  const { world } = seedDemo(folder.service, session.io.now());
  const service = await serveNewDemo(folder.service);
  try {
    await writeDemoSettings(folder, service.url, world.merchants[0]?.key ?? '');
    const config = await session.config();
    const first = await syncAll(session, config, demoMonths(session));
    const drift = driftDemo(folder.service);
    const second = await syncAll(session, config, null);
    return await conclude(session, config, [first, second], [...world.planted, ...drift]);
  } finally {
    await service.close();
  }
}

async function runAgain(session: Session, folder: DemoFolder): Promise<Demo> {
  session.note(`${folder.folder} holds an earlier demo; its world is used again.`);
  const config = await session.config();
  const service = await serveDemoAgain(folder.service, requireApiUrl(config));
  try {
    return await conclude(session, config, [await syncAll(session, config, null)], null);
  } finally {
    await service.close();
  }
}

/** The world's months: the last two, and this one. */
function demoMonths(session: Session): string[] {
  const thisMonth = monthOf(session.io.now());
  return [addMonths(thisMonth, -2), addMonths(thisMonth, -1), thisMonth];
}

async function syncAll(session: Session, config: Config, periods: readonly string[] | null): Promise<SyncSummary> {
  const optionsOf = await openSyncOptions(session, config, { periods, orders: true, full: false });
  return usingClient(session, config, (client) =>
    usingLedger(config.ledger, { create: true, exclusive: true }, (ledger) => runSync(optionsOf(client, ledger))),
  );
}

async function conclude(
  session: Session,
  config: Config,
  syncs: readonly SyncSummary[],
  planted: readonly Planted[] | null,
): Promise<Demo> {
  const now = session.io.now();
  const { folder, statements } = config;
  if (folder === null) throw new ConfigError('the demo has no books folder', 'Name another folder.');
  return usingLedger(config.ledger, {}, async (ledger) => {
    const { periods } = await allMonths(ledger);
    const result = await runChecks(ledger, { periods, settings: config, now });
    const month = addMonths(monthOf(now), -1);
    const statement = path.join(statements, `${month}.xlsx`);
    await writeMonth(ledger, { month, file: statement, config, now });
    return { folder, url: requireApiUrl(config), statement, planted, syncs, result };
  });
}

function print(session: Session, told: Demo): void {
  if (!session.json) {
    session.result(storyLines(session, told).join('\n'));
    return;
  }
  const { folder, url, statement, syncs, result, planted } = told;
  session.resultJson({
    folder,
    url,
    statement,
    syncs,
    open: result.open,
    planted: planted?.map((plant) => ({ ...plant, found: isFound(plant, result) })) ?? null,
    mismatches: result.mismatches.map(({ note: _note, ...mismatch }) => mismatch),
  });
}

/** The environment comes before the demo's settings: with it, the commands that the story names would do something else. */
function warnOfEnvironment(session: Session): void {
  const names = ['REMIT_API_URL', 'REMIT_API_KEY', 'REMIT_LEDGER', 'REMIT_HOME'].filter((name) => session.io.env[name]);
  if (names.length > 0)
    session.note(`\nFirst unset ${names.join(', ')}: the environment comes before the demo's settings.`);
}

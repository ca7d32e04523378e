import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Ledger, usingLedger } from '../../ledger/index.ts';
import { parsePeriod } from '../../period.ts';
import { planSync, runSync, type SyncOptions } from '../../sync/index.ts';
import { usingClient } from '../client.ts';
import { printFailure } from '../failure.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';
import { planLines, summaryLines } from '../sync-lines.ts';
import { openSyncOptions } from '../sync-options.ts';

export interface SyncInput extends SettingInput {
  readonly period: string | undefined;
  readonly orders?: boolean;
  readonly full?: boolean;
  readonly dryRun?: boolean;
  readonly acceptAccount?: boolean;
}

/** `remit sync`: exit 0 when everything was brought, 1 when something could not be. */
export async function sync(session: Session, input: SyncInput): Promise<number> {
  const periods = input.period === undefined ? null : parsePeriod(input.period, session.io.now());
  const config = await session.config(settingFlags(input));
  const optionsOf = await openSyncOptions(session, config, {
    periods,
    orders: input.orders === true,
    full: input.full === true,
    acceptAccount: input.acceptAccount === true,
  });
  return usingClient(session, config, async (client) => {
    if (input.dryRun) {
      return usingLedgerOrNone(config.ledger, async (ledger) => printPlan(session, optionsOf(client, ledger)));
    }
    return usingLedger(config.ledger, { create: true, exclusive: true }, async (ledger) =>
      syncAndPrint(session, optionsOf(client, ledger)),
    );
  });
}

async function syncAndPrint(session: Session, options: SyncOptions): Promise<number> {
  const summary = await runSync(options);
  if (session.json) session.resultJson(summary);
  else if (!session.quiet) session.result(summaryLines(summary).join('\n'));
  if (summary.status === 'complete') return 0;
  printFailure(session, {
    code: 'partial',
    message: 'not everything could be brought; the warnings above say what and why, and what was brought is kept',
    hint: 'Run the sync again; what still cannot be read then, the delivery company has to correct.',
    exitCode: 1,
  });
  return 1;
}

async function printPlan(session: Session, options: SyncOptions): Promise<number> {
  const plans = (await planSync(options)).map(({ period, listed, fetch }) => ({
    period,
    listed: listed.size,
    fetch: fetch.map((planned) => ({ number: planned.listed.number, why: planned.why })),
  }));
  if (session.json) session.resultJson({ dry_run: true, orders: options.orders, periods: plans });
  else session.result(planLines(plans, options.orders).join('\n'));
  return 0;
}

/** A dry run leaves nothing behind: where there is no ledger yet, an empty one is made elsewhere and removed. */
async function usingLedgerOrNone<T>(file: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  if (existsSync(file)) return usingLedger(file, {}, use);
  const folder = await mkdtemp(path.join(tmpdir(), 'remit-plan-'));
  try {
    return await usingLedger(path.join(folder, 'ledger.db'), { create: true }, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { FleetProgram } from '../../app/fleet/fleet.ts';
import type { MerchantStatus } from '../../app/fleet/status.ts';
import { counted } from '../../base/counted.ts';
import { ConfigError, UsageError } from '../../base/errors.ts';
import { cleanText, shellWord } from '../../base/text.ts';
import { example, printAnswer, type Start, wholeNumber } from '../command.ts';
import { shortOrAhead } from '../lines/labels.ts';
import { ageText } from '../lines/night.ts';
import { userOf } from '../person.ts';
import type { Session, Texts } from '../session.ts';

// A fleet is a folder with the books of many merchants. Their ledgers are on cells: a cell is a folder of SQLite files
// or a database. The lake has the rows of all their reports, as Parquet files.

/** What the fleet's use cases need. The folder is `-C`, or the current one. @throws ConfigError if there is none */
function fleetProgram({ io, directory, note }: Session): FleetProgram {
  const { env, now, signal } = io;
  const folder = path.resolve(io.cwd, directory ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const remedy = `Make it with: remit fleet init ${shellWord(folder)}`;
    throw new ConfigError(`-C names ${folder}, which is not a folder`, remedy);
  }
  return { folder, env, now, signal, note, by: userOf(io) };
}

export const declareInit = (start: Start) =>
  new Command('init')
    .summary("make a fleet's folder")
    .description('Makes a folder with a fleet.toml of one cell, a folder of SQLite files. Never overwrites.')
    .argument('<dir>', 'the folder to make')
    .addHelpText(...example('remit fleet init fleet'))
    .action((dir) => start('fleet init', { dir }, initFleet));

export async function initFleet(session: Session, { dir }: { dir: string }): Promise<number> {
  const { makeFleet } = await import('../../app/fleet/merchants.ts');
  const made = await makeFleet(path.resolve(session.io.cwd, dir));
  await printAnswer(session, made, () =>
    session.quiet ? made.folder : `${made.folder} is ready: settings in ${made.settings}`,
  );
  session.note(`Next: ${session.io.program} -C ${shellWord(dir)} fleet add MERCHANT`);
  return 0;
}

export const declareAdd = (start: Start) =>
  new Command('add')
    .summary('add a merchant: its books folder, its ledger on a cell')
    .description(
      'Makes the books folder of a merchant with its remit.toml, its ledger on a cell with the roles there, and its table in fleet.toml.',
    )
    .argument('<merchant>', 'its name, such as m001: letters, digits, hyphens and underscores')
    .option('--cell <cell>', 'the cell of its ledger (default: the first with room)')
    .option('--settings <file>', 'the remit.toml to begin with; its ledger is the one on the cell')
    .addHelpText(...example('remit -C fleet fleet add m001 --settings template.toml'))
    .action((merchant, options) => start('fleet add', { merchant, ...options }, addToFleet));

export type AddInput = Texts<'cell' | 'settings'> & { readonly merchant: string };

export async function addToFleet(session: Session, { merchant, cell, settings }: AddInput): Promise<number> {
  const { addMerchant } = await import('../../app/fleet/merchants.ts');
  const request = { merchant, cell: cell ?? null, settings: session.file(settings) };
  const added = await addMerchant(fleetProgram(session), request);
  const text = `${added.merchant} is on the cell ${added.cell}: settings in ${added.settings}`;
  return printAnswer(session, added, () => (session.quiet ? added.books : text));
}

export const declareNight = (start: Start) =>
  new Command('night')
    .summary('the night of every merchant, with its order book')
    .description(
      "Runs `remit night --orders` for every merchant, each in a process of its own. With a `database` in fleet.toml any number of workers on any number of machines share the nights. A night that failed is tried again three times. Exits with the code of the worst merchant's, and with 0 where mismatches alone were found.",
    )
    .option('--jobs <n>', 'how many nights at a time (default: one a processor)', wholeNumber(1))
    .option('--limit <seconds>', 'after which a night is asked to stop; 30 seconds later it is killed', SECONDS, 1_800)
    .addHelpText(...example('remit -C fleet fleet night --jobs 8 --limit 900'))
    .action((options) => start('fleet night', options, fleetNight));

const SECONDS = wholeNumber(1);

export interface FleetNightInput {
  readonly jobs?: number | undefined;
  readonly limit: number;
}

export async function fleetNight(session: Session, { jobs = availableParallelism(), limit }: FleetNightInput) {
  const { runFleetNight } = await import('../../app/fleet/night.ts');
  const done = await runFleetNight(fleetProgram(session), {
    jobs,
    limit,
    ended: ({ merchant, attempt, exit_code, reason, is_done }) => {
      const end = is_done ? `done, exit code ${exit_code}` : `failed at attempt ${attempt}`;
      const sentence = `${merchant}: ${end}${reason === null ? '' : `: ${reason}`}`;
      session.event('night', { merchant, attempt, exit_code, reason }, sentence);
    },
  });
  await printAnswer(session, done, () => [
    `${counted(done.done, 'merchant')} had their night, ${done.failed.length} had none`,
    ...done.failed.map(({ merchant, reason }) => `${merchant}: ${reason}`),
  ]);
  return done.exit_code;
}

export const declareStatus = (start: Start) =>
  new Command('status')
    .summary('a line a merchant: its last good sync, its exit code and why, what is open')
    .description('Shows how each merchant is, by what its last night said; the worst first.')
    .addHelpText(...example('remit -C fleet fleet status', 'remit -C fleet fleet status --json'))
    .action(() => start('fleet status', {}, status));

export async function status(session: Session): Promise<number> {
  const { fleetStatus } = await import('../../app/fleet/status.ts');
  const merchants = await fleetStatus(fleetProgram(session));
  const now = session.io.now();
  if (session.json) session.resultJson({ merchants });
  else for (const merchant of merchants) session.result(statusLine(merchant, now));
  return 0;
}

function statusLine(status: MerchantStatus, now: Date): string {
  const { merchant, cell, exit_code, reason, short, not_compared, open_errors, last_good_sync, oldest_open_month } =
    status;
  const secondsSince = (at: string) => Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1_000));
  const parts = [
    `exit code ${exit_code ?? 'none'}`,
    last_good_sync === null ? 'no good sync yet' : `synced ${ageText(secondsSince(last_good_sync))} ago`,
    `${open_errors} open errors`,
    ...short.map(({ currency, amount }) => shortOrAhead(amount, currency)),
    ...(oldest_open_month === null ? [] : [`open since ${oldest_open_month}`]),
    ...(not_compared.length === 0 ? [] : [`${not_compared.length} not compared`]),
    ...(reason === null ? [] : [reason]),
  ];
  return cleanText(`${merchant} (${cell}): ${parts.join('; ')}`, 2_000);
}

export const declareLake = (start: Start) =>
  new Command('lake')
    .summary('the figures of all merchants as Parquet files')
    .description(
      'Writes the rows of the reports of each merchant whose books changed as Parquet, by view, merchant and month: dates are DATE and TIMESTAMP, amounts DECIMAL. A part is replaced whole or not at all.',
    )
    .option('--since <run>', 'list what changed since this run of it (default: the last one)', wholeNumber(0))
    .addHelpText(...example('remit -C fleet fleet lake'))
    .action((options) => start('fleet lake', options, lake));

export async function lake(session: Session, { since }: { since?: number | undefined }): Promise<number> {
  const { writeLake } = await import('../../app/fleet/lake.ts');
  const written = (merchant: string) => session.event('lake', { merchant }, `${merchant}: written`);
  const done = await writeLake(fleetProgram(session), { since: since ?? null, written });
  await printAnswer(session, done, () => [
    `${done.lake}: run ${done.run}, ${counted(done.changed.length, 'merchant')} changed, ${done.unchanged} as they were`,
    ...done.removed.map((merchant) => `${merchant}: removed, for it is no longer in the fleet`),
    ...done.failed.map(({ merchant, reason }) => `${merchant}: FAILED, as it was: ${reason}`),
  ]);
  return done.failed.length > 0 ? 1 : 0;
}

export const declareQuery = (start: Start) =>
  new Command('query')
    .summary('ask the lake: totals, mismatches, owed, ageing, custody, or SQL')
    .description(
      'Asks the lake by DuckDB, with exact decimals. A question with a name gives the rows of the reports of every merchant; anything else is SQL over totals, invoices, orders, mismatches, receipts, balances, custody and ageing.',
    )
    .argument('<question>', 'totals, mismatches, owed, ageing, custody, or SQL')
    .addHelpText(
      ...example(
        'remit -C fleet fleet query owed',
        'remit -C fleet fleet query "select currency, sum(net_due_to_merchant) from totals group by all"',
      ),
    )
    .action((question) => start('fleet query', { question }, query));

export async function query(session: Session, { question }: { question: string }): Promise<number> {
  const { queryFleet } = await import('../../app/fleet/lake.ts');
  const { columns, rows } = await queryFleet(fleetProgram(session), question);
  if (session.json) session.resultJson({ rows });
  else {
    const { renderRows } = await import('../../render/report.ts');
    await renderRows({ columns, rows }, session.io.stdout, { ...session.tableOptions, generatedAt: session.io.now() });
  }
  return 0;
}

export const declareMove = (start: Start) =>
  new Command('move')
    .summary("move a merchant's ledger to another cell")
    .description(
      'Copies the ledger of a merchant to another cell, proves that both are equal, and switches the settings. The old ledger stays until `remit fleet drop`.',
    )
    .argument('<merchant>', 'its name in fleet.toml')
    .requiredOption('--to <cell>', 'the cell to move to')
    .addHelpText(...example('remit -C fleet fleet move m001 --to b', 'remit -C fleet fleet drop m001 --cell a --yes'))
    .action((merchant, { to }) => start('fleet move', { merchant, to }, move));

export async function move(session: Session, { merchant, to }: { merchant: string; to: string }): Promise<number> {
  const { moveMerchant } = await import('../../app/fleet/merchants.ts');
  const moved = await moveMerchant(fleetProgram(session), merchant, to);
  const copied = moved.rows === 0 ? '' : `, ${counted(moved.rows, 'row')}, equal to ${moved.from}`;
  const text = `${merchant} is on the cell ${to}: ${moved.to}${copied}`;
  return printAnswer(session, moved, () => (session.quiet ? moved.to : text));
}

export const declareDrop = (start: Start) =>
  new Command('drop')
    .summary('remove the ledger that a move left on a cell')
    .description(
      'Removes the ledger of a merchant from a cell where it is no longer in use. It refuses where that ledger holds what the one in use does not.',
    )
    .argument('<merchant>', 'its name')
    .requiredOption('--cell <cell>', 'the cell that it was moved from')
    .option('--yes', 'remove it')
    .addHelpText(...example('remit -C fleet fleet drop m001 --cell a --yes'))
    .action((merchant, options) => start('fleet drop', { merchant, ...options }, drop));

export interface DropInput {
  readonly merchant: string;
  readonly cell: string;
  readonly yes?: true | undefined;
}

export async function drop(session: Session, { merchant, cell, yes }: DropInput): Promise<number> {
  if (!yes)
    throw new UsageError(`this would remove the ledger of ${merchant} on the cell ${cell}`, 'Add --yes to remove it.');
  const { dropMerchant } = await import('../../app/fleet/merchants.ts');
  const dropped = await dropMerchant(fleetProgram(session), merchant, cell);
  return printAnswer(session, dropped, () => `${dropped.ledger}${session.quiet ? '' : ' is removed'}`);
}

export const declare = (start: Start) =>
  new Command('fleet')
    .summary('many merchants: their nights, how each is, all figures as one lake')
    .description(
      'Keeps the books of many merchants, a folder each, whose ledgers are on the cells of fleet.toml. -C names the folder of the fleet.',
    )
    .addHelpText(...example('remit fleet init fleet', 'remit -C fleet fleet add m001', 'remit -C fleet fleet night'))
    .addCommand(declareInit(start))
    .addCommand(declareAdd(start))
    .addCommand(declareNight(start))
    .addCommand(declareStatus(start))
    .addCommand(declareLake(start))
    .addCommand(declareQuery(start))
    .addCommand(declareMove(start))
    .addCommand(declareDrop(start));

// A ledger's server, the way to it or its client fails in the middle of commands: what was acknowledged is there, and
// once.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { invoiceOf, KEY, startFakeCourier } from '../../test/helpers/courier.ts';
import { Dice } from '../../test/oracle/world/dice.ts';
import { type Link, lostLinks, readChain } from '../chain.ts';
import { Counts } from '../counts.ts';
import type { Outcome } from '../run-here.ts';
import { Bounced } from './bouncer.ts';
import { Cluster } from './cluster.ts';
import type { Stage } from './stage.ts';

const HELP = `usage: npm run soak:failover [-- --rounds N] [--seed S] [--pgbouncer]

Strikes the leader of a cluster of three PostgreSQL servers under Patroni N times (100 where you say nothing), each time in the middle
of a command, and proves after each that nothing is lost and nothing is there twice. Needs patroni and etcd 3.4. With --pgbouncer the
ledger is on one server, behind a PgBouncer that pools transactions, with a lease: it, the server's back ends and the command are struck.
`;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    pgbouncer: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const MONTH = '2026-10';
/** It changes no figure, whatever comes before or after it. */
const OTHER_WORK = ['sync', '2026-09'];
const MAIN = path.join(import.meta.dirname, '..', '..', 'bin', 'main.js');
/** No command takes longer, whatever happens to its server. */
const LONGEST_MS = 180_000;
/** After what a sync said of its months: one sentence, and what to do. */
const ONE_SENTENCE = /^(?:(?!remit: )[^\n]+\n)*remit: [^\n]+(?:\n {2}→ [^\n]+)*\n$/;
const FAILED_NIGHT = /^the (?:sync|check|match) failed: .+\n {2}→ .+$/m;
/** Another is at work: a server hears a little later that it is gone. */
const AT_WORK = 4;
/** No code is negative. */
const KILLED = -1;

const folder = mkdtempSync(path.join(tmpdir(), 'remit-soak-failover-'));
chmodSync(folder, 0o711);
const dice = new Dice(Number(values.seed));
const counts = new Counts();
const wrong: string[] = [];
const courier = await startFakeCourier({ invoices: [] });
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Every second invoice states a dollar too much. */
function issueInvoice(): void {
  const number = 10_001 + courier.world.invoices.length;
  const row = { order_id: `O${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] } as const;
  const more = number % 2 === 0 ? { cod: [['USD', '26.00']] as [string, string][] } : {};
  courier.world.invoices.push(invoiceOf(number, '2026-10-05T09:00:00Z', [structuredClone(row) as never], more));
}

/** Where the books would be if nothing had happened. */
const CALM = path.join(folder, 'calm.db');

function begin(ledger: string, argv: readonly string[]): { child: ChildProcess; ended: Promise<Outcome> } {
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, TZ: 'UTC', REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: ledger },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = child.kill('SIGKILL');
  }, LONGEST_MS);
  const ended = new Promise<Outcome>((resolve) =>
    child.on('close', (code) => {
      clearTimeout(limit);
      if ((stdout + stderr).includes(stage.secret)) wrong.push(`${argv.join(' ')} printed the password`);
      if (isLate) wrong.push(`${argv.join(' ')} did not end`);
      resolve({ code: code ?? KILLED, stdout, stderr });
    }),
  );
  return { child, ended };
}

const remit = (ledger: string, argv: readonly string[]) => begin(ledger, argv).ended;

/** The rows of a report, without the number of what they were read from: a run that was cut off took numbers. */
async function rowsOf(ledger: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await remit(ledger, [...argv, '--json']);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.stringify((JSON.parse(stdout) as { rows: unknown }).rows, (key, value) =>
    key === 'import' ? undefined : value,
  );
}

const stage: Stage = await (values.pgbouncer ? Bounced : Cluster).start(folder);
process.on('SIGINT', () => void stage.stop().finally(() => process.exit(130)));
writeFileSync(path.join(folder, 'remit.toml'), stage.settings);
const client = new pg.Client({ connectionString: (await stage.directUrl('postgres')).replace(/\?.*/, '') });
client.on('error', () => {});
await client.connect();
await client.query('create database books');
await client.end();
const ledger = stage.url('books');

for (let made = 0; made < 200; made += 1) issueInvoice();
for (const each of [ledger, CALM]) {
  for (const argv of [['sync', MONTH], OTHER_WORK, ['check']]) {
    const { code, stderr } = await remit(each, argv);
    if (![0, 3].includes(code)) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr}`);
  }
}

const REPORTS = ['totals', 'invoices', 'receipts', 'mismatches'];
/** What a round does, as of its number: several commands at once where they only read. */
const COMMANDS: readonly ((round: number) => Promise<string[][]>)[] = [
  async () => [['sync', MONTH, '--full']],
  async (round) => {
    writeFileSync(
      path.join(folder, `receipts-${round}.csv`),
      `date,amount,currency,text,invoice\n2026-10-10,${20 + round}.00,USD,payment ${round},\n`,
    );
    return [['import', 'receipts', `receipts-${round}.csv`, '--by', 'Rana']];
  },
  async (round) => {
    const { stdout } = await remit(CALM, ['report', 'mismatches', MONTH, '--json']);
    const open = (JSON.parse(stdout) as { rows: { id: string; status: string }[] }).rows.find(
      (row) => row.status === 'open',
    );
    if (open === undefined) return [['check']];
    return [['mismatch', 'ack', open.id, '--by', 'Rana', '--note', `asked in round ${round}`, '--yes']];
  },
  async () => [['night', '--quiet']],
  async (round) => [['close', MONTH, '--first', '--with-open', `round ${round}`, '--by', 'Omar']],
  async (round) => [['reopen', MONTH, '--reason', `round ${round}`, '--by', 'Omar']],
  async (round) => [['ledger', 'copy', stage.url('books', `copy_${round}`), '--ledger', 'calm.db']],
  async () => [['verify', '--deep']],
  async () => [...REPORTS, 'ageing', 'roll-forward', 'custody', 'lag'].map((report) => ['report', report]),
];

/** Runs a command until it has ended well; whoever was there before may still be taken for being at work. */
async function finish(argv: readonly string[], round: number): Promise<Outcome> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await remit(ledger, argv);
    if ([0, 3].includes(outcome.code) || tries === 30) return outcome;
    if (outcome.code !== AT_WORK) {
      // It was done, and only the answer was lost.
      if (/^(close|reopen|mismatch|ledger)$/.test(argv[0]!) && tries > 0) return outcome;
      say(`  round ${round}: again: ${outcome.stderr.trim()}`);
    }
    await sleep(1_000);
  }
}

/** Whether a command that a blow met ended as it should: well, or with one sentence. */
function endedWell({ code, stdout, stderr }: Outcome, [name]: readonly string[]): boolean {
  if ([0, 3, KILLED].includes(code)) return true;
  // A night says in its summary what of it failed, and why.
  return code === 1 && (ONE_SENTENCE.test(stderr) || (name === 'night' && FAILED_NIGHT.test(stdout)));
}

/** How long each command took where it ended well: a blow falls in the middle of it. */
const took = new Map<string, number>();

async function strikeIn(argvs: readonly (readonly string[])[], blow: string): Promise<Outcome[]> {
  const name = argvs[0]![0]!;
  const began = performance.now();
  const running = argvs.map((argv) => begin(ledger, argv));
  const ended = Promise.all(
    running.map((one) => one.ended.then((outcome) => ({ ...outcome, ms: performance.now() - began }))),
  );
  await sleep(dice.int(200, took.get(name) ?? 1_800));
  const struck = stage.strike(blow, {
    commands: running.map(({ child }) => child),
    async work() {
      const { code, stderr } = await remit(ledger, OTHER_WORK);
      counts.add(code === 0 ? 'syncs beside a frozen command' : 'syncs that a frozen command kept waiting');
      if (code !== 0) say(`  beside it: ${stderr.trim()}`);
    },
  });
  await sleep(1_500);
  const read = await remit(ledger, ['report', 'totals', MONTH, '--json']);
  if (read.code === 0) counts.add('reads meanwhile');
  else {
    counts.add('reads refused meanwhile');
    say(`  a reader: ${read.stderr.trim()}`);
  }
  const outcomes = await ended;
  await struck;
  const seconds = Math.max(...outcomes.map(({ ms }) => ms)) / 1_000;
  counts.add(seconds > 60 ? 'took over 60 s' : seconds > 30 ? 'took over 30 s' : 'took up to 30 s');
  if (outcomes.every(({ code }) => [0, 3].includes(code)) && seconds < 10) took.set(name, Math.round(seconds * 1_000));
  return outcomes;
}

let links: readonly Link[] = [];
for (let round = 1; round <= Number(values.rounds); round += 1) {
  // Each command meets each blow.
  const blow = stage.blows[round % stage.blows.length]!;
  const argvs = await COMMANDS[(round - 1) % COMMANDS.length]!(round);
  const argv = argvs[0]!;
  const before = wrong.length;
  try {
    for (let made = 0; made < 3; made += 1) issueInvoice();
    const outcomes = await strikeIn(argvs, blow);
    // A cluster hears a moment later that it is no longer whole.
    await sleep(3_000);
    await stage.untilWhole();
    const first = outcomes.find(({ code }) => ![0, 3].includes(code)) ?? outcomes[0]!;
    const isDone = [0, 3].includes(first.code);
    counts.add(isDone ? 'commands that ended well' : 'commands that were cut off');
    if (/was lost/.test(first.stdout + first.stderr)) counts.add('refused for the number of their lease');
    for (const [at, outcome] of outcomes.entries()) {
      if (endedWell(outcome, argv)) continue;
      wrong.push(
        `round ${round}: ${argvs[at]!.join(' ')} ended with ${outcome.code}: ${outcome.stdout}${outcome.stderr}`,
      );
    }
    const next = isDone ? first : await finish(argv, round);
    if (!isDone && ![0, 3].includes(next.code)) say(`  the next run: ${next.stderr.trim()}`);
    const calm = await remit(CALM, argv[0] === 'ledger' ? ['verify'] : argv);
    if (![0, 3].includes(calm.code)) wrong.push(`round ${round}: where nothing happened: ${calm.stderr}`);

    const verified = await remit(ledger, ['verify', '--deep', '--json']);
    if (verified.code !== 0) wrong.push(`round ${round}: verify: ${verified.stdout}${verified.stderr}`);
    const now = await readChain({ url: await stage.directUrl('books') });
    for (const fault of [...now.faults, ...lostLinks(links, now.links)]) wrong.push(`round ${round}: ${fault}`);
    links = now.links;
    for (const report of REPORTS) {
      const [here, there] = [await rowsOf(ledger, 'report', report), await rowsOf(CALM, 'report', report)];
      if (here !== there) wrong.push(`round ${round}: report ${report} is not what it would be:\n${here}\n${there}`);
    }
    if (argv[0] === 'ledger') {
      const copied = await remit(argv[2]!, ['verify', '--deep', '--json']);
      if (copied.code !== 0) wrong.push(`round ${round}: the copy: ${copied.stdout}${copied.stderr}`);
    }
  } catch (error) {
    wrong.push(`round ${round}: ${(error as Error).message}`);
    await stage.untilWhole();
  }
  counts.add(blow);
  say(`round ${round}: ${argv.slice(0, 2).join(' ')}, ${blow}: ${wrong.length === before ? 'nothing wrong' : 'WRONG'}`);
  for (const fault of wrong.slice(before)) say(`  WRONG: ${fault}`);
}
await stage.stop();
await courier.close();
rmSync(folder, { recursive: true, force: true });
say(`seed ${values.seed}: ${links.length} links of evidence, ${counts.text()}; ${wrong.length} wrong`);
process.exitCode = wrong.length > 0 ? 1 : 0;

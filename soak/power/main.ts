import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ofxOf } from '../../test/oracle/balances/documents.ts';
import { Dice } from '../../test/oracle/world/dice.ts';
import { applyNight, beginning, planOf } from '../../test/oracle/world/plan.ts';
import { API_KEY } from '../../test/oracle/world/server.ts';
import { type Link, lostLinks, readChain } from '../chain.ts';
import { releaseClock, stopChance } from '../clock.ts';
import { startCourier } from '../courier.ts';
import { FaultLayer } from '../faults.ts';
import { runHere } from '../run-here.ts';
import { loadSqlite } from '../sqlite.ts';
import { settings } from '../stage.ts';
import { canRecord, recorded } from './record.ts';
import { Disk, type DiskState } from './states.ts';

const HELP = `usage: npm run soak:power -- [--states N] [--seed S]

Writes down every write and sync that commands make to a ledger's files, draws N states in which a disk may be when the power goes at
any of these moments, and proves that each opens, verifies, and holds all that was acknowledged. Needs strace.
`;

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || !canRecord) {
  process.stdout.write(values.help ? HELP : 'strace is not installed here: nothing can be recorded\n');
  process.exit(values.help ? 0 : 2);
}
stopChance();
const dice = new Dice(Number(values.seed));
const plan = planOf(Number(values.seed) + 2, 3);
const state = beginning(plan);
const courier = await startCourier(state, plan.manner);
courier.behave({ faults: new FaultLayer(0, 0), meanwhile: () => {} });
process.env.http_proxy = courier.proxyUrl;
const root = mkdtempSync(path.join(tmpdir(), 'remit-power-'));
const books = path.join(root, 'books');
mkdirSync(books);
writeFileSync(
  path.join(books, 'remit.toml'),
  settings({ file: '' }, 'UTC', ['returns = "as-stated"', '[receipts]', 'payers = ["EXAMPLE COURIER"]']),
);
writeFileSync(
  path.join(books, 'usd.ofx'),
  ofxOf('USD', '2026-05-01', '2026-08-30', [
    { id: 'B1', date: '2026-07-02', currency: 'USD', amount: 1_000_000n, names: 10_001, imported: 0 },
  ]),
);
const env = { REMIT_API_KEY: API_KEY };
const [first, second] = plan.nights;
const COMMANDS: readonly (readonly string[])[] = [
  ['sync', '2026-05..2026-08', '--orders'],
  ['import', 'receipts', 'usd.ofx'],
  ['match'],
  ['check'],
  ['close', '2026-05', '--by', 'Rana', '--first', '--with-open', 'as it is'],
  ['reopen', '2026-05', '--by', 'Rana', '--reason', 'too early'],
  ['sync', '--orders', '--full'],
  ['check'],
];

interface Scene {
  readonly name: string;
  readonly before: DiskState;
  readonly ops: Awaited<ReturnType<typeof recorded>>['ops'];
  /** What was acknowledged before it, and when it has ended. */
  readonly acknowledged: readonly Link[];
  readonly after: readonly Link[];
}

const filesOf = (folder: string): DiskState =>
  new Map(
    readdirSync(folder)
      .filter((name) => /^ledger\.db(-wal)?$/.test(name))
      .map((name) => [name, readFileSync(path.join(folder, name))]),
  );

function readerOf(file: string): { close(): void } {
  const Database = loadSqlite();
  const reader = new Database(file, { readonly: true });
  reader.prepare('select count(*) from evidence').get();
  return reader;
}

/** Puts a state where it can be opened, and reads its chain. */
async function opened(files: DiskState, folder: string): Promise<Awaited<ReturnType<typeof readChain>> | null> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes);
  const isEmpty = (files.get('ledger.db')?.length ?? 0) === 0;
  return isEmpty && !files.has('ledger.db-wal') ? null : readChain({ file: path.join(folder, 'ledger.db') });
}

const wrong: string[] = [];
try {
  const scenes: Scene[] = [];
  let acknowledged: readonly Link[] = [];
  for (const [index, argv] of COMMANDS.entries()) {
    if (index === 6) applyNight(state, second!);
    const before = filesOf(books);
    const now = index < 6 ? first!.at : second!.at;
    // Somebody has the desk open: then what a command wrote stays in the write-ahead log when it ends, and only its
    // sync keeps it.
    const reader = index % 2 === 1 ? readerOf(path.join(books, 'ledger.db')) : null;
    const { code, ops } = await recorded({ argv, cwd: books, now, env });
    if (code === null || ![0, 1, 3].includes(code)) throw new Error(`remit ${argv.join(' ')} ended with ${code}`);
    const held = filesOf(books);
    reader?.close();
    const { links } = (await opened(held, path.join(root, 'copy')))!;
    const disk = new Disk(before);
    for (const op of ops) disk.do(op);
    for (const [name, bytes] of disk.whole())
      if (!bytes.equals(held.get(name) ?? Buffer.alloc(0)))
        throw new Error(`the record of ${argv[0]} is not what it did to ${name}`);
    scenes.push({ name: argv[0]!, before, ops, acknowledged, after: links });
    process.stdout.write(
      `${argv.join(' ')}: exit ${code}, ${ops.filter(({ kind }) => kind === 'write').length} writes, ${ops.filter(({ kind }) => kind === 'sync').length} syncs, ${links.length} links\n`,
    );
    acknowledged = links;
  }
  const most = Number(values.states);
  let [cuts, empty] = [0, 0];
  for (; cuts < most; cuts += 1) {
    const scene = scenes[cuts % scenes.length]!;
    // At its end everything was acknowledged: that moment counts as much as all others.
    const at = dice.chance(0.5) ? scene.ops.length : dice.int(0, scene.ops.length);
    const disk = new Disk(scene.before);
    for (const op of scene.ops.slice(0, at)) disk.do(op);
    const held = disk.draw(dice);
    // Ended: what it acknowledged is to be there too.
    const due = at === scene.ops.length ? scene.after : scene.acknowledged;
    const faults = await faultsOf(held, scene, due);
    if (faults === null) empty += 1;
    else wrong.push(...faults.map((fault) => `${scene.name}, cut after ${at} of ${scene.ops.length}: ${fault}`));
  }
  process.stdout.write(
    `${cuts} states of a disk, ${empty} of them without a ledger because none was acknowledged; ${wrong.length} wrong\n`,
  );
} finally {
  delete process.env.http_proxy;
  releaseClock();
  await courier.close();
  rmSync(root, { recursive: true, force: true });
}
for (const line of wrong.slice(0, 20)) process.stdout.write(`WRONG: ${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

/** What is wrong with a state; null where it holds no ledger, and need not. */
async function faultsOf(held: DiskState, { after }: Scene, due: readonly Link[]): Promise<string[] | null> {
  const folder = path.join(root, 'state');
  try {
    const read = await opened(held, folder);
    if (read === null) return due.length === 0 ? null : ['the ledger is gone'];
    const faults = [...read.faults, ...lostLinks(due, read.links), ...lostLinks(read.links, after)];
    const { code, stdout, stderr } = await runHere({
      argv: ['verify', '--deep', '--json', '--ledger', 'ledger.db'],
      cwd: folder,
      now: second!.at,
      env,
    });
    if (code !== 0 && read.links.length > 0) faults.push(`verify --deep ended with ${code}: ${stdout}${stderr}`);
    return faults;
  } catch (error) {
    return [(error as Error).message];
  }
}

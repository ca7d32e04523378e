import { parseArgs } from 'node:util';
import { releaseClock, stopChance } from './clock.ts';
import { Counts } from './counts.ts';
import { Log } from './log.ts';
import { startServer } from './server.ts';
import { inFile, type Stage } from './stage.ts';
import { playBalances } from './worlds/balances.ts';
import { playFindings } from './worlds/findings.ts';

const HELP = `usage: npm run soak -- [--minutes N] [--nights N] [--worlds N] [--seed S] [--database sqlite|postgres] [--world findings|balances]
         [--until-fault] [--quiet]

Plays months of nights against a courier, a disk and a clock that misbehave, and compares the books after each with an oracle.
Worlds go on from the seed, until the minutes or the nights are over. Exit 1 where anything was wrong.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    nights: { type: 'string' },
    worlds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
    world: { type: 'string' },
    'until-fault': { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
const minutes = Number(
  values.minutes ?? ((values.nights ?? values.worlds) === undefined ? 1 : Number.POSITIVE_INFINITY),
);
const most = Number(values.nights ?? Number.POSITIVE_INFINITY);
if (
  values.help ||
  !Number.isInteger(first) ||
  !(minutes > 0) ||
  !(most > 0) ||
  !/^(sqlite|postgres)$/.test(values.database)
) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

stopChance();
const began = performance.now();
const server = values.database === 'postgres' ? await startServer() : null;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void Promise.resolve(server?.stop()).finally(() => process.exit(130)));
const log = new Log(!values.quiet);
const counts = new Counts();
const mostWorlds = Number(values.worlds ?? Number.POSITIVE_INFINITY);
const isOver = () => performance.now() - began > minutes * 60_000 || counts.get('nights') >= most;
const stage: Stage = { log, counts, newPlace: server?.newPlace ?? inFile, hasNight: () => !isOver() };
const wrong: string[] = [];
let seed = first;
try {
  for (; !isOver() && counts.get('worlds') < mostWorlds && !(values['until-fault'] && wrong.length > 0); seed += 1) {
    const kind = seed % 2 === 0 ? 'balances' : 'findings';
    if (values.world !== undefined && values.world !== kind) continue;
    log.say(`world ${seed}: ${kind}`);
    counts.add('worlds');
    const before = counts.get('nights');
    const play = kind === 'balances' ? playBalances : playFindings;
    const { nights, faults } = await play(seed, stage).catch((error: Error) => ({
      nights: counts.get('nights') - before,
      faults: [error.message],
    }));
    for (const fault of faults) log.say(`  WRONG: ${fault}`);
    if (faults.length > 0) wrong.push(`seed ${seed}, night ${nights} (${before + nights} in all): ${faults[0]}`);
  }
} finally {
  releaseClock();
  await server?.stop();
}
log.say(`${values.database}, seeds ${first} to ${seed - 1}: ${counts.text()}; ${wrong.length} wrong`);
for (const line of wrong) log.say(line);
if (values.quiet) process.stdout.write(`${log.lines.slice(-1 - wrong.length).join('\n')}\n`);
process.stderr.write(`${Math.round((performance.now() - began) / 1_000)} s\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

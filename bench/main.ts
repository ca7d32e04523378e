import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { JOBS } from './jobs/index.ts';
import { lineText, markdown, Results } from './results.ts';

const HELP = `usage: npm run bench -- [--only NAME]... [--sizes 10000,100000] [--rounds 5] [--json] [--markdown FILE]

Jobs: ${Object.keys(JOBS).join(', ')}
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = values.only.filter((name) => !(name in JOBS));
const sizes = values.sizes.split(',').map(Number);
const rounds = Number(values.rounds);
if (values.help || unknown.length > 0 || !sizes.every((size) => size > 0) || !(rounds > 0)) {
  process.stdout.write(unknown.length > 0 ? `no such job: ${unknown.join(', ')}\n${HELP}` : HELP);
  process.exit(values.help ? 0 : 2);
}

const note = values.json ? process.stderr : process.stdout;
const machine = {
  node: process.version,
  processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  load_before: loadavg()[0]!,
  rounds,
};
note.write(
  `Node ${machine.node}, ${machine.processors}, ${machine.memory_gb} GB, load ${machine.load_before.toFixed(1)}\n` +
    `Whole processes, start-up included; medians of ${rounds}, one from 1,000,000 rows on; peaks of all.\n\n`,
);
const results = new Results((line) => note.write(`${lineText(line)}\n`));
const seconds: Record<string, number> = {};
for (const [name, job] of Object.entries(JOBS)) {
  if (values.only.length > 0 && !values.only.includes(name)) continue;
  const started = performance.now();
  await job(results, { sizes, rounds });
  seconds[name] = Math.round((performance.now() - started) / 1_000);
  note.write(`(${name}: ${seconds[name]} s)\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ ...machine, seconds, lines: results.lines }, null, 2)}\n`);
if (values.markdown) writeFileSync(values.markdown, markdown(results.lines));

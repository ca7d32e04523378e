import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { line, measure, median, serve } from './measure.ts';
import { startPostgres } from './postgres.ts';

const remit = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'main.js');
const ROWS_AN_INVOICE = 500;

/**
 * Sync and check of a month and its order book, in a file and in a database of the same machine.
 *
 * @param rows of the month's invoices
 */
export async function benchSharing(rows: number, rounds = 3): Promise<void> {
  const server = await startPostgres();
  if (server === null) {
    process.stdout.write('no PostgreSQL server is installed here: the ledger in a database is not measured\n');
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-bench-'));
  const invoices = Math.max(1, Math.round(rows / ROWS_AN_INVOICE));
  const courier = await serve('courier-server.js', ['2026-10', String(invoices), String(ROWS_AN_INVOICE), 'yes']);
  const places = [
    { name: 'SQLite', ledgerOf: (round: number) => path.join(folder, `ledger-${round}.db`) },
    { name: 'PostgreSQL', ledgerOf: (round: number) => server.ledger(`round_${round}`) },
  ];
  const took = new Map<string, { sync: number[]; check: number[] }>();
  try {
    // In turns, so that whatever else the machine does is shared alike.
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, ledgerOf } of places) {
        const env = { REMIT_API_URL: courier.line.url!, REMIT_API_KEY: 'bench', REMIT_LEDGER: ledgerOf(round) };
        const times = took.get(name) ?? { sync: [], check: [] };
        took.set(name, times);
        const run = (...args: string[]) => measure(remit, [...args, '--quiet'], { cwd: folder, env });
        times.sync.push((await run('sync', '2026-10', '--orders')).seconds);
        await run('check', '2026-10');
        times.check.push((await run('check', '2026-10')).seconds);
      }
    }
  } finally {
    courier.child.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const what of ['sync', 'check'] as const) {
    const [file, database] = places.map(({ name }) => median(took.get(name)![what]));
    const ratio = database! / file!;
    const figure = `${file!.toFixed(2)} s, ${database!.toFixed(2)} s = ${ratio.toFixed(2)} ×`;
    const count = (invoices * ROWS_AN_INVOICE).toLocaleString('en');
    if (what === 'check') line(`check of ${count} rows: SQLite, PostgreSQL`, figure, '≤ 2 × SQLite', ratio <= 2);
    else process.stdout.write(`${`sync of ${count} rows: SQLite, PostgreSQL`.padEnd(52)} ${figure}\n`);
  }
}

import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { measure, program, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
/** The orders of each courier that the goal is about. */
const ASKED = 100_000;

/** Fifty couriers, each of whose answers takes so long, and how many workers sync them at a time. */
const MANY = { couriers: 50, latency: 200, workers: 8 };

/**
 * The check of three couriers in one ledger beside that of one in a ledger of its own; and fifty couriers that workers
 * sync into one ledger.
 */
export const benchCouriers: Job = async (results, { sizes }) => {
  const rows = sizes.includes(ASKED) ? ASKED : Math.min(ASKED, ...sizes);
  await usingFolder(async (folder) => {
    const { line, child } = await serve('world/courier-server', [JSON.stringify(monthOf(rows, true))]);
    try {
      const env = environment(line.url!, ledgerIn(folder));
      await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd: folder, env });
    } finally {
      child.kill();
    }
    const three = path.join(folder, 'three.db');
    copyFileSync(ledgerIn(folder), three);
    await measure(program('world/couriers'), [three, 'north', 'swift'], { cwd: folder });
    const check = (ledger: string) =>
      measure(REMIT, ['check', MONTH, '--quiet'], { cwd: folder, env: environment('http://127.0.0.1:9/', ledger) });
    // The first run of each stores what it finds.
    const [one, all] = [ledgerIn(folder), three];
    await check(one);
    await check(all);
    const [ofOne, ofThree] = [await check(one), await check(all)];
    const ratio = ofThree.cpu / ofOne.cpu;
    const isAsked = rows === ASKED;
    results.figure(
      'check of 3 couriers',
      3 * rows,
      `${ratio.toFixed(1)} × one courier (${ofOne.cpu.toFixed(2)} s, ${ofThree.cpu.toFixed(2)} s)`,
      isAsked ? '≤ 3.2 ×' : null,
      isAsked ? ratio <= 3.2 : null,
    );
  });
  await usingFolder(syncMany);

  async function syncMany(folder: string): Promise<void> {
    const { couriers, latency, workers } = MANY;
    const world = { ...monthOf(20, false), invoicesAMonth: 20, rowsAnInvoice: 1, latency };
    const names = Array.from({ length: couriers }, (_, index) => `courier-${index + 1}`);
    const servers = await Promise.all(names.map(() => serve('world/courier-server', [JSON.stringify(world)])));
    try {
      const tables = names.map((name, index) => `[couriers.${name}]\napi_url = "${servers[index]!.line.url}"\n`);
      writeFileSync(path.join(folder, 'remit.toml'), `time_zone = "UTC"\n${tables.join('')}`);
      const sync = (...args: string[]) =>
        measure(REMIT, ['sync', MONTH, '--full', '--quiet', ...args], {
          cwd: folder,
          env: { REMIT_API_KEY: 'bench' },
        });
      await sync();
      const alone = await sync();
      const began = performance.now();
      const left = [...names];
      await Promise.all(
        Array.from({ length: workers }, async () => {
          for (let name = left.shift(); name !== undefined; name = left.shift()) await sync('--courier', name);
        }),
      );
      const together = (performance.now() - began) / 1_000;
      const figure = `one after the other ${alone.wall.toFixed(0)} s, ${workers} workers ${together.toFixed(0)} s`;
      results.figure(`${couriers} couriers at ${latency} ms, in one ledger`, couriers * 20, figure, null, null);
    } finally {
      for (const { child } of servers) child.kill();
    }
  }
};

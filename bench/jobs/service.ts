import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { Pool } from 'undici';
import { median, REMIT, serve, usingFolder } from '../measure.ts';
import type { Job } from './job.ts';

const CONNECTIONS = 20;
const REQUESTS = 3_000;

interface Read {
  readonly what: string;
  readonly url: string;
}

/** Counts the requests that no cache may know: each has a parameter of its own, which the service ignores. */
let fresh = 0;

/**
 * Requests a second from one server, over a bounded number of requests on a bounded number of connections.
 *
 * @param uncached asks for something new each time
 */
async function rate(url: string, key: string, uncached = false): Promise<number> {
  const target = new URL(url);
  const mark = target.search === '' ? '?' : '&';
  const pool = new Pool(target.origin, { connections: CONNECTIONS });
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await pool.request({
        path: target.pathname + target.search + (uncached ? `${mark}fresh=${fresh++}` : ''),
        method: 'GET',
        headers: { 'x-api-key': key },
      });
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - started) / 1_000;
  await pool.close();
  return REQUESTS / seconds;
}

async function get(url: string, key: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  return Buffer.from(await answer.arrayBuffer());
}

/** The service's reads beside a server of Node's own that answers a constant of the same size, in turns. */
export const benchService: Job = async (results, { rounds }) => {
  await usingFolder(async (folder) => {
    const data = path.join(folder, 'courier.db');
    const seeding = ['sandbox', 'seed', '--data', data, '--months', '2026-09', '--orders', '2600', '--json'];
    const seeded = JSON.parse(execFileSync(process.execPath, [REMIT, ...seeding], { encoding: 'utf8' }));
    const key: string = seeded.merchants[0].key;
    const child = spawn(process.execPath, [REMIT, 'sandbox', 'serve', '--data', data, '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const { url } = JSON.parse(String(await new Promise((resolve) => child.stdout.once('data', resolve))));
      const invoices = JSON.parse(String(await get(`${url}invoices/?page_size=100`, key))).results;
      const invoice = invoices.reduce((best: { order_count: number }, next: { order_count: number }) =>
        Math.abs(next.order_count - 500) < Math.abs(best.order_count - 500) ? next : best,
      );
      const reads: Read[] = [
        { what: 'invoice list', url: `${url}invoices/?year=2026&month=9` },
        { what: `invoice of ${invoice.order_count} orders`, url: `${url}invoices/${invoice.number}/` },
        { what: 'order list', url: `${url}orders/` },
      ];
      for (const read of reads) await compare(read, key);
    } finally {
      child.kill();
    }
  });

  async function compare({ what, url }: Read, key: string): Promise<void> {
    const size = (await get(url, key)).length;
    const { line: ready, child } = await serve('world/constant-server', [String(size)]);
    try {
      await rate(ready.url!, key);
      await rate(url, key);
      const constants: number[] = [];
      const services: number[] = [];
      const reads: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        constants.push(await rate(ready.url!, key));
        services.push(await rate(url, key));
        reads.push(await rate(url, key, true));
      }
      const job = `service: ${what} (${(size / 1_000).toFixed(0)} kB)`;
      const slower = (than: readonly number[]) => median(constants.map((constant, index) => constant / than[index]!));
      const [cached, uncached] = [slower(services), slower(reads)];
      const figure = (rates: number[], ratio: number) =>
        `${median(rates).toFixed(0)}/s, a constant ${ratio.toFixed(1)} ×`;
      results.figure(job, null, figure(services, cached), '≤ 2 ×', cached <= 2);
      results.figure(`${job}, uncached`, null, figure(reads, uncached), '≤ 5 ×', uncached <= 5);
    } finally {
      child.kill();
    }
  }
};

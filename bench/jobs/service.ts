import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { Pool } from 'undici';
import { median, REMIT, usingFolder } from '../measure.ts';
import type { Job } from './job.ts';

const CONNECTIONS = 20;
const REQUESTS = 300;
/** The service stands in for a courier: a sync must not have to wait for it. */
const LEAST = 50;

interface Read {
  readonly what: string;
  readonly url: string;
}

/** Requests a second from the service, over a bounded number of requests on a bounded number of connections. */
async function rate(url: string, key: string): Promise<number> {
  const target = new URL(url);
  const pool = new Pool(target.origin, { connections: CONNECTIONS });
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await pool.request({
        path: target.pathname + target.search,
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

/** How many reads a second the service answers. */
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
      for (const read of reads) await measure(read, key);
    } finally {
      child.kill();
    }
  });

  async function measure({ what, url }: Read, key: string): Promise<void> {
    const size = (await get(url, key)).length;
    await rate(url, key);
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) rates.push(await rate(url, key));
    const reads = median(rates);
    const job = `service: ${what} (${(size / 1_000).toFixed(0)} kB)`;
    results.figure(job, null, `${reads.toFixed(0)}/s`, `≥ ${LEAST}/s`, reads >= LEAST);
  }
};

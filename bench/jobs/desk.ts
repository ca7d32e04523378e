import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { measure, median, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
const ROWS = 100_000;
/** What a page may cost its server until its first byte, in milliseconds of the thread that answers. */
const MOST = 50;

/** Each with another answer at each view, so that none is kept: `AT` becomes the number of the view. */
const PAGES = [
  ...[
    '/?text=AT',
    `/months/${MONTH}?first=AT`,
    '/mismatches?text=AT',
    '/rows?limit=100&sort=-cod&text=AT',
    '/receipts?text=AT',
  ],
  ...[
    '/reports/ageing?text=AT',
    '/search?q=10000AT',
    '/decisions?text=AT',
    '/invoices/100005',
    '/orders/ORD000050000',
    '/runs',
  ],
];
const DEPTHS = [0, 0.1, 0.5, 0.99];

/** What pages cost at 100,000 rows while the checks are looked at in the desk's thread. */
export const benchDesk: Job = async (results, { rounds }) => {
  if (process.platform !== 'linux')
    return results.skip('pages of the desk', 'the time of one thread is known on Linux alone');
  await usingFolder(async (folder) => {
    const world = { ...monthOf(ROWS, true), faulty: 10, waiting: 10 };
    const { line, child: courier } = await serve('world/courier-server', [JSON.stringify(world)]);
    const env = environment(line.url!, ledgerIn(folder));
    try {
      await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd: folder, env });
    } finally {
      courier.kill();
    }
    await measure(REMIT, ['check', MONTH, '--quiet'], { cwd: folder, env });
    const desk = spawn(process.execPath, [REMIT, 'serve', '--no-open', '--json'], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const printed = await new Promise<string>((resolve) => {
        desk.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)));
      });
      const { url, open_url: open } = JSON.parse(printed) as Record<'url' | 'open_url', string>;
      const [cookie = ''] = ((await fetch(open)).headers.get('set-cookie') ?? '').split(';');
      const look = async (address: string, accept: string) => {
        const answer = await fetch(new URL(address, url), { headers: { cookie, accept } });
        if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
        return answer.text();
      };
      const keys = await Promise.all(
        DEPTHS.map(async (depth) => {
          const number = 100_000 + Math.floor((depth * ROWS) / 500);
          const { next } = JSON.parse(await look(`/rows?invoice=${number}&limit=50`, 'application/json')) as {
            next: string;
          };
          return new URLSearchParams(next.split('?')[1]).get('after')!;
        }),
      );
      const addresses = [...PAGES, ...keys.map((key) => `/rows?after=${encodeURIComponent(key)}`)];
      let views = 0;
      let worst = { address: '', milliseconds: 0 };
      for (const address of addresses) {
        const took: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          views += 1;
          const proving = look(`/months/${MONTH}?first=p${views}`, 'text/html');
          const before = mainThread(desk.pid!);
          await look(address.replace('AT', String(views)), 'text/html');
          took.push(mainThread(desk.pid!) - before);
          await proving;
        }
        const milliseconds = median(took);
        if (milliseconds > worst.milliseconds) worst = { address, milliseconds };
      }
      const figure = `${worst.milliseconds.toFixed(0)} ms of ${worst.address}`;
      results.figure('the dearest page of the desk', ROWS, figure, `≤ ${MOST} ms`, worst.milliseconds <= MOST);
    } finally {
      desk.kill();
    }
  });
};

/** Processor time of a process's main thread, in milliseconds. */
function mainThread(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

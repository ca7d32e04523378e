import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { measure, median, REMIT, serve, usingFolder } from '../measure.ts';
import type { Results } from '../results.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
const ROWS = 100_000;
/** What a page may cost its server until its first byte, in milliseconds of the thread that answers. */
const MOST = 50;

/** Every kind of page, with another answer at each view, so that none is kept: `AT` becomes the number of the view. */
const PAGES = [
  ...['/?text=AT', `/months/${MONTH}?first=AT`, '/mismatches?text=AT', '/rows', '/rows?sort=-cod&text=AT'],
  ...[
    '/rows?limit=1000',
    '/rows?month=2026-10&currency=USD',
    '/receipts?text=AT',
    '/search?q=10000AT',
    '/decisions?text=AT',
  ],
  ...['/claims?text=AT', '/invoices/100005', '/orders/ORD000050000', '/runs', '/runs/1', '/imports', '/closes'],
  ...['/settlements', '/approvals', '/views', '/reports', '/reports/ageing?text=AT', '/reports/totals?text=AT'],
];
const DEPTHS = [0, 0.1, 0.5, 0.99];
/** How each is asked for: as a page, as JSON, and as a file of what the page shows. */
const SHAPES = ['page', 'json', 'csv'] as const;

/** What pages cost at 100,000 rows while the checks are looked at in the desk's thread. */
export const benchDesk: Job = async (results, { rounds }) => {
  if (process.platform !== 'linux')
    return results.skip('pages of the desk', 'the time of one thread is known on Linux alone');
  await usingFolder(async (folder) => {
    const world = { ...monthOf(ROWS, true), faulty: 10, waiting: 10 };
    const { line, child: courier } = await serve('world/courier-server', [JSON.stringify(world)]);
    const env = environment(line.url!, ledgerIn(folder));
    await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd: folder, env });
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
      /**
       * @returns the processor time of the thread that answers until the first byte of the whole page, and the time by
       * the clock until any answer
       */
      const look = async (address: string, shape: (typeof SHAPES)[number] = 'page') => {
        const asked = new URL(address, url);
        if (shape !== 'page') asked.searchParams.set('format', shape);
        if (shape === 'csv') asked.searchParams.set('limit', '100');
        for (let answered: number | null = null; ; await delay(20)) {
          const [used, started] = [mainThread(desk.pid!), performance.now()];
          const answer = await fetch(asked, { headers: { cookie, accept: 'text/html' } });
          const cpu = mainThread(desk.pid!) - used;
          answered ??= performance.now() - started;
          const text = await answer.text();
          if (!answer.ok) throw new Error(`${asked}: ${answer.status}`);
          // A page that is still being computed asks again.
          if (answer.headers.get('refresh') !== '1') return { cpu, wall: answered, text };
        }
      };
      const keys = await Promise.all(
        DEPTHS.map(async (depth) => {
          const number = 100_000 + Math.floor((depth * ROWS) / 500);
          const { text } = await look(`/rows?invoice=${number}&limit=50`, 'json');
          const { next } = JSON.parse(text) as { next: string };
          return new URLSearchParams(next.split('?')[1]).get('after')!;
        }),
      );
      const addresses = [...PAGES, ...keys.map((key) => `/rows?after=${encodeURIComponent(key)}`)];
      let views = 0;
      for (const shape of SHAPES) {
        let dearest = { address: '', cpu: 0 };
        let slowest = { address: '', wall: 0 };
        for (const address of addresses) {
          const took: { cpu: number; wall: number }[] = [];
          const proving = look(`/months/${MONTH}?first=${shape}${views}`);
          for (let round = 0; round < rounds; round += 1) {
            views += 1;
            took.push(await look(address.replace('AT', String(views)), shape));
          }
          await proving;
          const [cpu, wall] = [median(took.map((one) => one.cpu)), median(took.map((one) => one.wall))];
          if (cpu > dearest.cpu) dearest = { address, cpu };
          if (wall > slowest.wall && !address.startsWith('/months/')) slowest = { address, wall };
        }
        const figure = `${dearest.cpu.toFixed(0)} ms of ${dearest.address}`;
        results.figure(`the dearest ${shape} of the desk`, ROWS, figure, `≤ ${MOST} ms`, dearest.cpu <= MOST);
        const wait = `${slowest.wall.toFixed(0)} ms by the clock for ${slowest.address}`;
        results.figure(`the slowest ${shape} beside a proof`, ROWS, wait, null, null);
      }
      await clicks(results, { url, cookie, look });
    } finally {
      desk.kill();
      courier.kill();
    }
  });
};

/** The most that the first page and a click may take by the clock, in milliseconds. */
const FIRST = 200;
const CLICK = 100;

interface Clicking {
  readonly url: string;
  readonly cookie: string;
  readonly look: (address: string) => Promise<{ readonly wall: number; readonly text: string }>;
}

/** What a person waits for an answer while a sync of everything and a proof run beside it. */
async function clicks(results: Results, { url, cookie, look }: Clicking): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = {
      ...{ cookie, accept: 'application/json', origin: new URL(url).origin },
      ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    };
    const started = performance.now();
    const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
    return { wall: performance.now() - started, status: answer.status, json: JSON.parse(await answer.text()) };
  };
  const { rows } = JSON.parse((await look(`/mismatches?format=json&limit=15&month=${MONTH}`)).text);
  const ids = (rows as { id: string }[]).map(({ id }) => id);
  const waits: { what: string; wall: number }[] = [];
  let sync = 0;
  for (const [at, id] of ids.entries()) {
    if (sync === 0 || (await isOver(url, cookie, sync)))
      sync = (await post('/syncs', { orders: true, period: MONTH })).json.id;
    const proving = fetch(new URL(`/months/${MONTH}?first=beside${at}`, url), { headers: { cookie } });
    for (const address of [
      '/',
      '/mismatches?status=open',
      `/mismatches/${id}`,
      '/invoices/100005',
      '/rows',
      '/receipts',
    ])
      waits.push({ what: address, wall: (await look(address)).wall });
    const decided = await post('/mismatches/ack', { ids: [id], note: 'asked' });
    waits.push({ what: `acknowledge (${decided.status})`, wall: decided.wall });
    await (await proving).text();
  }
  const first = waits[0]!.wall;
  results.figure(
    'the first page beside a sync',
    ROWS,
    `${first.toFixed(0)} ms by the clock`,
    `≤ ${FIRST} ms`,
    first <= FIRST,
  );
  const byWhat = [...new Set(waits.map(({ what }) => what.replace(/[0-9a-f]{16}$/, 'ID')))].map((what) => {
    const of = waits.filter((one) => one.what.replace(/[0-9a-f]{16}$/, 'ID') === what);
    return { what, wall: median(of.map(({ wall }) => wall)) };
  });
  const slowest = byWhat.reduce((a, b) => (b.wall > a.wall ? b : a));
  const figure = `${slowest.wall.toFixed(0)} ms of ${slowest.what}`;
  results.figure('the slowest click beside a sync and a proof', ROWS, figure, `≤ ${CLICK} ms`, slowest.wall <= CLICK);
}

async function isOver(url: string, cookie: string, id: number): Promise<boolean> {
  const answer = await fetch(new URL(`/api/v1/syncs/${id}`, url), { headers: { cookie } });
  return ((await answer.json()) as { status: string }).status !== 'running';
}

/** Processor time of a process's main thread, in milliseconds. */
function mainThread(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Demo, makeDemo } from '../../helpers/demo-desk.ts';

const PAGES = [
  ...[
    '/',
    '/months/2026-10',
    '/months/2026-11',
    '/mismatches',
    '/mismatches?severity=error',
    '/invoices/10001',
    '/rows',
  ],
  ...[
    '/rows?sort=-cod',
    '/receipts',
    '/runs',
    '/imports',
    '/closes',
    '/decisions',
    '/settlements',
    '/claims',
    '/views',
  ],
  ...['/search?q=10001', '/reports/ageing', '/reports/invoices', '/approvals'],
];
const ROUND = 100;
/** Views before memory counts: until then code is compiled and what is kept fills up. */
const WARM = 300;
const VIEWS = 1_000;
/** What the collector leaves for later, in MB. */
const SLACK = 40;

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo?.end());

it.skipIf(process.platform !== 'linux')('the memory of a desk is flat over 1,000 page views', async () => {
  const program = path.resolve('dist/bin/main.js');
  // What nobody needs any more is collected, so that only what is held counts.
  const flags = ['--expose-gc', '--require', path.resolve('test/helpers/collect-on-signal.cjs')];
  const child = spawn(process.execPath, [...flags, program, 'serve', '--no-open', '--json', '--by', 'rana'], {
    cwd: demo.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url, open_url: open } = await new Promise<{ url: string; open_url: string }>((resolve) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk;
        if (text.includes('\n')) resolve(JSON.parse(text.split('\n')[0]!));
      });
    });
    const [cookie = ''] = ((await fetch(open)).headers.get('set-cookie') ?? '').split(';');
    const megabytes: number[] = [];
    for (let view = 0; view <= WARM + VIEWS; view += 1) {
      const address = PAGES[view % PAGES.length]!;
      // Half of them with another address each time: what is kept by address is bounded too.
      const own = view % 2 === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}text=${view}`;
      const answer = await fetch(new URL(own, url), { headers: { cookie } });
      expect([own, answer.status]).toEqual([own, 200]);
      await answer.arrayBuffer();
      if (view >= WARM && view % ROUND === 0) {
        child.kill('SIGUSR2');
        await fetch(new URL('/desk.css', url), { headers: { cookie } });
        megabytes.push(rssOf(child.pid!));
      }
    }
    // On a busy machine one look may come before the collector has ended: a leak is in each of the last three.
    const [first = 0] = megabytes;
    const grown = Math.min(...megabytes.slice(-3)) - first;
    expect({ megabytes, isFlat: grown <= SLACK }).toEqual({ megabytes, isFlat: true });
  } finally {
    child.kill('SIGTERM');
  }
});

function rssOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1_024);
}

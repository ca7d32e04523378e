import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { remit } from './cli.ts';
import { startDesk } from './desk.ts';

const REPORTS = ['roll-forward', 'open-items', 'ageing', 'totals', 'invoices', 'receipts', 'fees', 'not-invoiced'];

/**
 * What leaves the house of a month, by a name that ends as its file does: statements in both languages, the dashboard,
 * reports as pages, pages of the desk, what `check` says.
 */
export async function printMonth(folder: string, month: string, now: Date): Promise<Map<string, Buffer>> {
  const printed = new Map<string, Buffer>();
  const run = (argv: readonly string[]) => remit(argv, { cwd: folder, now });
  for (const language of ['en', 'ar']) {
    for (const format of ['xlsx', 'html']) {
      const { code, stderr } = await run(['statement', month, '--format', format, '--lang', language, '--beside']);
      // 1: a month that is incomplete, or a courier without a statement.
      expect([code < 2, stderr]).toEqual([true, expect.anything()]);
    }
    for (const name of readdirSync(path.join(folder, 'statements'))) {
      printed.set(`${language} ${name}`, readFileSync(path.join(folder, 'statements', name)));
    }
  }
  for (const name of ['dashboard', ...REPORTS]) {
    const out = `${name}.html`;
    expect((await run(['report', name, month, '--format', 'html', '--out', out])).code).toBeLessThan(2);
    printed.set(out, readFileSync(path.join(folder, out)));
  }
  printed.set('check.txt', Buffer.from((await run(['check', month])).stdout));
  const desk = await startDesk([], { cwd: folder, now: () => now });
  try {
    await desk.enter();
    for (const [name, address] of [
      ['desk-home.html', '/'],
      ['desk-month.html', `/months/${month}`],
    ] as const) {
      const { text } = await desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });
      printed.set(name, Buffer.from(text));
    }
  } finally {
    await desk.stop();
  }
  return printed;
}

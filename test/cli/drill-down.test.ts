import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';

/** Ids of a kind that are followed; the demo prints hundreds. */
const FOLLOWED = 3;

it('leads from every figure to its documents, byte for byte: no id that is printed is a dead end', async () => {
  const cwd = scratchFolder();
  expect((await remit(['demo', 'books', '--quiet'], { cwd, now: new Date('2026-11-20T10:00:00Z') })).code).toBe(0);
  const at = (...argv: string[]) => remit(argv, { cwd: path.join(cwd, 'books') });
  const rows = async (name: string, ...period: string[]) =>
    JSON.parse((await at('report', name, ...period, '--json')).stdout).rows as Record<string, string | number | null>[];

  const ids = {
    invoice: new Set<string>(),
    order: new Set<string>(),
    mismatch: new Set<string>(),
    run: new Set<string>(),
  };
  const documents = new Set<string>();
  for (const name of ['mismatches', 'changes', 'evidence', 'not-invoiced', 'lag']) {
    for (const row of await rows(name, '2026-11')) {
      const invoice = row.invoice_number ?? row.number;
      if (invoice != null) ids.invoice.add(String(invoice));
      if (row.order_id != null) ids.order.add(String(row.order_id));
      if (name === 'mismatches') {
        ids.mismatch.add(String(row.id));
        expect(row.subject).toMatch(/^(invoice|order|receipt|listing|[a-z ]+) \S/);
      }
      for (const column of ['sha256', 'before_sha256', 'after_sha256'])
        if (row[column]) documents.add(String(row[column]));
    }
  }
  for (const { run } of await rows('runs')) ids.run.add(String(run));
  for (const [kind, each] of Object.entries(ids)) {
    expect([kind, each.size > 0]).toEqual([kind, true]);
    for (const id of [...each].slice(0, FOLLOWED)) {
      const { code, stdout } = await at('show', kind, id);
      expect([kind, id, code]).toEqual([kind, id, 0]);
      // What a person reads is to the second; of a mismatch both documents are quoted as they are.
      if (kind !== 'mismatch') expect(stdout).not.toMatch(/\d\d:\d\d:\d\d\.\d/);
      // The courier's words are said as on every other page: Paid, Pending payment, At warehouse.
      if (kind === 'invoice' || kind === 'order')
        expect(stdout).not.toMatch(/\b(PAID|DELIVERED|\w+_PAYMENT\w*|AT_WAREHOUSE)\b/);
      for (const [sha256] of stdout.matchAll(/\b[0-9a-f]{64}\b/g)) documents.add(sha256);
      // The next step that it names is one that can be taken.
      const next = /^Next: `remit (.*)`$/m.exec(stdout)?.[1]?.split(' ');
      if (next) expect([next, (await at(...next)).code]).toEqual([next, 0]);
    }
  }
  expect(documents.size).toBeGreaterThan(4);
  for (const sha256 of [...documents].slice(0, 4 * FOLLOWED)) {
    const { code, stdout } = await at('evidence', sha256);
    expect([sha256, code]).toEqual([sha256, 0]);
    const body = await at('evidence', sha256, '--body');
    // The row of a list has a SHA-256 of its own: the page that holds it is printed.
    const own = /^ {2}sha256 {2}(\w+)$/m.exec(stdout)?.[1];
    expect(createHash('sha256').update(body.stdout).digest('hex')).toBe(own);
  }

  // An order by its reference, and anything by its name alone.
  const byReference = await at('show', 'order', 'P-missed');
  const [, order] = /^order (\w+)\n/.exec(byReference.stdout) ?? [];
  expect(byReference.code).toBe(0);
  for (const name of ['P-missed', '#P-missed', order!])
    expect((await at('show', name)).stdout).toBe(byReference.stdout);
  const [invoice, mismatch] = [[...ids.invoice][0]!, [...ids.mismatch][0]!];
  expect((await at('show', invoice)).stdout).toBe((await at('show', 'invoice', invoice)).stdout);
  expect((await at('show', mismatch)).stdout).toBe((await at('show', 'mismatch', mismatch)).stdout);
  expect((await at('show', 'P-mised')).stderr).toContain('Did you mean P-missed');
  expect((await at('show', 'order', 'P-mised')).stderr).toContain('Did you mean P-missed');
  expect((await at('show', 'invoice', `${invoice}9`)).stderr).toContain('Did you mean ');
  expect((await at('show', 'zzzzzzzzzz')).stderr).toContain('the ledger knows no invoice, order, receipt or mismatch');

  expect((await at('evidence', 'f'.repeat(64))).code).toBe(2);
  expect((await at('evidence', '10021', '--body')).stderr).toContain('Name one by its SHA-256');
  expect((await at('show', 'run', '99')).stderr).toContain('`remit report runs` lists them.');
});

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../../reports/index.ts';
import { driftDemo, seedDemo } from '../../../src/app/demo/world.ts';
import { parseAmount } from '../../../src/money/decimal.ts';
import { amountOfUnits } from '../../../src/money/units.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { remit } from '../../helpers/cli.ts';
import { duckdb, hasDuckDb } from '../../helpers/duckdb.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase, PASSWORD } from '../../helpers/postgres.ts';

const NOW = new Date('2026-11-20T10:00:00Z');

interface Totals {
  readonly period: string;
  readonly currency: string;
  readonly cod: string;
  readonly delivery_fee: string;
  readonly net_due_to_merchant: string;
}

/** A report's figures as `period, currency, cod, fee, net` with four decimals, in order. */
function figuresOf(rows: readonly Totals[]): string[][] {
  const figures = rows.map(({ period, currency, cod, delivery_fee, net_due_to_merchant }) => [
    period,
    currency,
    ...[cod, delivery_fee, net_due_to_merchant].map((amount) => parseAmount(amount).toFixed(4)),
  ]);
  return figures.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The same figures from the exported tables, summed in integer units, read back by another program's reader. */
async function sumsOf(folder: string): Promise<string[][]> {
  const rows = async (table: string) => {
    const bytes = readFileSync(path.join(folder, `${table}.parquet`));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return (await parquetReadObjects({ file })) as Record<string, unknown>[];
  };
  const invoices = (await rows('invoice')).filter((row) => row.vanished_at === null);
  const periods = new Map(invoices.map((row) => [row.number, String(row.period)]));
  const sums = new Map<string, bigint[]>();
  for (const row of await rows('invoice_amount')) {
    const period = periods.get(row.invoice_number);
    if (period === undefined) continue;
    const key = `${period} ${String(row.currency)}`;
    const sum = sums.get(key) ?? [0n, 0n, 0n];
    const amounts = [row.cod, row.delivery_fee, row.net_due_to_merchant];
    sums.set(
      key,
      sum.map((each, at) => each + BigInt(Math.round(Number(amounts[at]) * 10_000))),
    );
  }
  const figures = [...sums].map(([key, sum]) => [
    ...key.split(' '),
    ...sum.map((units) => amountOfUnits(units).toFixed(4)),
  ]);
  return figures.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The query of docs/sharing.md. */
function documentedQuery(): string {
  return /```sql\n(.*?);\n```/s.exec(readFileSync(path.resolve('docs/sharing.md'), 'utf8'))![1]!;
}

describe.skipIf(!hasPostgres)("the demo's world on both databases", () => {
  it('gives equal figures, findings and bytes, command by command', { timeout: 240_000 }, async () => {
    const cwd = scratchFolder();
    const service = path.join(cwd, 'courier.db');
    const { key } = seedDemo(service, NOW);
    const { url } = await newDatabase();
    const sandbox = await startSandbox({ file: service, port: 0, host: '127.0.0.1', results: 'flat' });
    const run = async (ledger: string, ...argv: string[]) => {
      const env = { REMIT_API_URL: sandbox.url, REMIT_API_KEY: key, REMIT_LEDGER: ledger };
      const outcome = await remit(argv, { cwd, env, now: NOW });
      expect(outcome.stdout + outcome.stderr).not.toContain(PASSWORD);
      return { ...outcome, stderr: outcome.stderr.replace(/ in [\d.]+ s/g, '') };
    };
    const both = async (...argv: string[]) => {
      const [file, server] = [await run('ledger.db', ...argv), await run(url, ...argv)];
      expect([argv.join(' '), server]).toEqual([argv.join(' '), file]);
      return file;
    };
    try {
      // One request at a time: what is fetched side by side is kept in the order in which it arrives.
      await both('sync', '2026-09..2026-11', '--orders', '--concurrency', '1', '--json');
      driftDemo(service);
      await both('sync', '--orders', '--concurrency', '1', '--json');
    } finally {
      await sandbox.close();
    }
    expect((await both('check', '--json')).code).toBe(3);
    for (const { name } of REPORTS) {
      for (const format of ['json', 'csv']) await both('report', name, '--format', format);
    }
    expect(JSON.parse((await both('verify', '--json')).stdout)).toMatchObject({ ok: true, problems: [] });
    await both('changes', '--json');
    // Under one name: where a statement was written is kept as evidence.
    const statements: Buffer[] = [];
    for (const ledger of ['ledger.db', url]) {
      const file = path.join(cwd, 'statement.xlsx');
      expect((await run(ledger, 'statement', '2026-10', '--out', file)).code).toBe(0);
      statements.push(readFileSync(file));
      rmSync(file);
    }
    expect(statements[1]!.equals(statements[0]!)).toBe(true);

    const { stdout } = await run(url, 'report', 'totals', '--json');
    const figures = figuresOf((JSON.parse(stdout) as { rows: Totals[] }).rows);
    expect(figures.length).toBeGreaterThan(3);
    for (const [index, ledger] of ['ledger.db', url].entries()) {
      const folder = path.join(cwd, `tables-${index}`, 'tables');
      mkdirSync(path.dirname(folder));
      expect((await run(ledger, 'export', 'parquet', folder, '--quiet')).code).toBe(0);
      expect(await sumsOf(folder)).toEqual(figures);
      // Where it is not installed, the tests of Parquet say so.
      if (hasDuckDb) expect(duckdb(documentedQuery(), path.dirname(folder))).toEqual(figures);
    }
    for (const table of ['invoice', 'invoice_amount', 'mismatch', 'evidence']) {
      const [a, b] = [0, 1].map((index) =>
        readFileSync(path.join(cwd, `tables-${index}`, 'tables', `${table}.parquet`)),
      );
      expect([table, b!.equals(a!)]).toEqual([table, true]);
    }

    const backup = await run(url, 'backup', 'backup.db', '--json');
    expect(backup.code).toBe(0);
    const heads = [];
    for (const ledger of ['ledger.db', 'backup.db', url]) {
      heads.push((JSON.parse((await run(ledger, 'verify', '--json')).stdout) as { head: string }).head);
    }
    expect(heads).toEqual([heads[0], heads[0], heads[0]]);
  });
});

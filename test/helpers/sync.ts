import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { verifyLedger } from '../../src/app/verify/index.ts';
import { openDatabase } from '../../src/base/sqlite.ts';
import { createClient } from '../../src/courier/index.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import type { Progress } from '../../src/sync/progress.ts';
import { runSync } from '../../src/sync/run.ts';
import type { SyncOptions, SyncSummary } from '../../src/sync/session.ts';
import { type FakeCourier, KEY } from './courier.ts';

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'remit-test-'));
}

export interface SyncResult {
  summary: SyncSummary;
  warnings: string[];
}

/** Runs a sync of the fake courier into a ledger file. */
export async function syncInto(
  file: string,
  courier: Pick<FakeCourier, 'url'>,
  options: Partial<SyncOptions> & { maxAttempts?: number; apiKey?: string } = {},
): Promise<SyncResult> {
  const warnings: string[] = [];
  const progress: Progress = { begin() {}, expect() {}, advance() {}, warn: (text) => warnings.push(text), end() {} };
  const { maxAttempts = 2, apiKey = KEY } = options;
  const client = createClient({ baseUrl: courier.url, apiKey, maxAttempts });
  try {
    const summary = await usingLedger(file, { create: true, exclusive: 'sync' }, (ledger) =>
      runSync({
        ledger,
        client,
        periods: ['2026-10'],
        orders: false,
        full: false,
        recheckHours: 20,
        recheckPaidDays: 30,
        timeZone: 'UTC',
        concurrency: 4,
        now: () => new Date(),
        progress,
        ...options,
      }),
    );
    return { summary, warnings };
  } finally {
    await client.close();
    await expectVerified(file);
  }
}

/** A ledger is what its evidence gives, whatever a sync went through. */
export async function expectVerified(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const { problems } = await usingLedger(file, {}, (ledger) => verifyLedger(ledger, { deep: true, head: null }));
  expect(problems).toEqual([]);
}

/** When and by which evidence something was learnt: of the documents themselves these say nothing. */
const LEARNT =
  /_evidence_id$|^evidence_id$|^(read|delivered_seen|superseded|seen)_at$|^seen_(run|walk)$|^part$|_part$|^at$/;

/** What the ledger says, without when and by which run it was learnt: equal for equal documents. */
export function dumpLedger(file: string): Record<string, unknown[]> {
  const db = openDatabase(file, { readonly: true });
  const tables = [
    'account',
    'invoice',
    'invoice_listed',
    'invoice_amount',
    'invoice_listed_amount',
    'invoice_missing',
    'invoice_order',
    'invoice_order_amount',
    'invoice_version',
    'invoice_version_amount',
    'courier_order',
    'courier_order_amount',
    'courier_order_delivered_amount',
    'statestamp',
    'unreadable',
    'evidence_part',
  ];
  try {
    return Object.fromEntries(
      tables.map((table) => {
        const rows = db.prepare(`select * from ${table}`).safeIntegers().all() as Record<string, unknown>[];
        const texts = rows.map((row) =>
          JSON.stringify(row, (key, value: unknown) => {
            if (LEARNT.test(key)) return undefined;
            return typeof value === 'bigint' ? String(value) : value;
          }),
        );
        return [table, texts.sort()];
      }),
    );
  } finally {
    db.close();
  }
}

export function query<T>(file: string, sql: string): T[] {
  const db = openDatabase(file, { readonly: true });
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

/** Changes a ledger behind remit's back. */
export function execute(file: string, sql: string): void {
  const db = openDatabase(file);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

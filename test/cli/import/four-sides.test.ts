import path from 'node:path';
import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/checks/index.ts';
import { needsOwnSide } from '../../../src/checks/requirement.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { ownBooks } from '../../helpers/own-books.ts';

interface Seeded {
  readonly merchants: readonly { readonly key: string }[];
  readonly books: {
    readonly payer: string;
    readonly files: readonly { readonly kind: string; readonly file: string }[];
    readonly planted: readonly Mismatch[];
  };
}

interface Mismatch {
  readonly code: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly currency: string | null;
  readonly effect?: string | null;
}

const NOW = new Date('2026-11-20T10:00:00Z');

/** What two findings have in common where they are the same: a check about an order may name its invoice or not. */
const keyOf = ({ code, order_id, currency, effect, invoice_number }: Mismatch) =>
  [code, order_id ?? invoice_number ?? '', code.startsWith('receipt') ? '' : (currency ?? ''), effect ?? ''].join(' ');

it('finds what is planted between the courier, the own book, the bank and the prices, and nothing else', async () => {
  const books = ownBooks('', NOW);
  const seeded = await books.json<Seeded>(
    ['sandbox', 'seed', '--data', 'c.db', '--books', 'books', '--plant', '--as-of', '2026-11-20'],
    {},
  );
  const service = await startSandbox({
    file: path.join(books.folder, 'c.db'),
    port: 0,
    host: '127.0.0.1',
    results: 'flat',
  });
  try {
    books.file('remit.toml', `api_url = "${service.url}"\n[receipts]\npayers = ["${seeded.books.payer}"]\n`);
    const env = { REMIT_API_KEY: seeded.merchants[0]!.key };
    const synced = await books.remit(['sync', '2026-09..2026-11', '--orders', '--quiet'], { env });
    expect(synced.code).toBeLessThan(2);
  } finally {
    await service.close();
  }
  for (const { kind, file } of seeded.books.files) await books.json(['import', kind, file]);
  const { stdout } = await books.remit(['check', '--json']);
  const checked = JSON.parse(stdout) as { mismatches: Mismatch[]; bridge: { unexplained: string }[] };
  const own = new Set(CHECKS.filter(needsOwnSide).map(({ code }) => code));
  const found = checked.mismatches.filter(({ code }) => own.has(code));
  expect(found.map(keyOf).sort()).toEqual(seeded.books.planted.map(keyOf).sort());
  expect(new Set(checked.bridge.map(({ unexplained }) => unexplained))).toEqual(new Set(['0.00']));
  await books.verify();
});

import path from 'node:path';
import { expect } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type OwnBooks, ownBooks } from './own-books.ts';

/** A fault that was planted on one of the merchant's own sides, as its finding should be. */
export interface PlantedFault {
  readonly code: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly currency: string | null;
  readonly effect?: string | null;
}

interface Seeded {
  readonly planted: readonly PlantedFault[];
  readonly merchants: readonly { readonly key: string }[];
  readonly books: {
    readonly payer: string;
    readonly files: readonly { readonly kind: string; readonly file: string }[];
    readonly planted: readonly PlantedFault[];
  };
}

/**
 * Books that hold all four sides of a planted world: the courier's, the shop's own, the bank's and the prices; 2026-09
 * to 2026-11.
 *
 * @param orderBook whether the courier's own order book is read
 */
export async function fourSidedBooks({ orderBook = true } = {}): Promise<{
  books: OwnBooks;
  planted: readonly PlantedFault[];
  /** What is planted among the courier's own documents. */
  atCourier: readonly PlantedFault[];
}> {
  const books = ownBooks('', new Date('2026-11-20T10:00:00Z'));
  const argv = ['sandbox', 'seed', '--data', 'c.db', '--books', 'books', '--plant', '--as-of', '2026-11-20'];
  const seeded = await books.json<Seeded>(argv);
  const service = await startSandbox({
    file: path.join(books.folder, 'c.db'),
    port: 0,
    host: '127.0.0.1',
    results: 'flat',
  });
  try {
    books.file('remit.toml', `api_url = "${service.url}"\n[receipts]\npayers = ["${seeded.books.payer}"]\n`);
    const env = { REMIT_API_KEY: seeded.merchants[0]!.key };
    const argv = ['sync', '2026-09..2026-11', '--quiet', ...(orderBook ? ['--orders'] : [])];
    expect((await books.remit(argv, { env })).code).toBeLessThan(2);
  } finally {
    await service.close();
  }
  for (const { kind, file } of seeded.books.files) await books.json(['import', kind, file]);
  return { books, planted: seeded.books.planted, atCourier: seeded.planted };
}

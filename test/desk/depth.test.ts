import path from 'node:path';
import { expect, it } from 'vitest';
import { invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { startDesk } from '../helpers/desk.ts';
import { ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

interface Page {
  readonly rows: readonly { readonly cod: string; readonly order_id: string }[];
  readonly totals: readonly { readonly currency: string; readonly cod: string }[];
  readonly next: string | null;
}

/** More rows than are read at once; every seventh order stands on the invoice again, and one has a tilde in its id. */
const many = Array.from({ length: 300 }, (_, position) => ({
  order_id: position === 200 ? 'A~B' : `O${position % 7 === 6 ? 6 : position}`,
  reference_id: `R${position % 7 === 6 ? 6 : position}`,
  cod: [['USD', `${position + 1}.00`]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
}));

it('pages through invoice rows from any key, each once, with the totals of what is shown', async () => {
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, '2026-10-01T10:00:00+03:00', many),
      invoiceOf(10002, '2026-10-02T10:00:00+03:00', many.slice(0, 20)),
      invoiceOf(9000, '2026-11-02T10:00:00+03:00', many.slice(0, 30)),
    ],
  });
  const books = ownBooks();
  try {
    await syncInto(path.join(books.folder, 'ledger.db'), courier, {
      periods: ['2026-10', '2026-11'],
      now: () => new Date('2026-11-05T09:00:00Z'),
    });
  } finally {
    await courier.close();
  }
  const desk = await startDesk([], { cwd: books.folder });
  try {
    await desk.enter();
    const all = await desk.json<Page>('/rows?limit=1000');
    expect(all.rows).toHaveLength(350);
    // A page draws no more than the desk can draw at once, and leads to the rest.
    const page = (await desk.send('/rows?limit=1000', { headers: { cookie: desk.cookie, accept: 'text/html' } })).text;
    expect(page.match(/>R\d+</g)).toHaveLength(300);
    expect(page).toContain('limit=300&amp;after=');
    for (const limit of [13, 100]) {
      const paged: Page['rows'][number][] = [];
      for (let next: string | null = `/rows?limit=${limit}`; next !== null; ) {
        const page: Page = await desk.json<Page>(next);
        const sum = page.rows.reduce((total, { cod }) => total + Number(cod), 0);
        expect(page.totals.map(({ currency, cod }) => [currency, cod])).toEqual([['USD', sum.toFixed(2)]]);
        paged.push(...page.rows);
        next = page.next;
      }
      expect(paged).toEqual(all.rows);
    }
  } finally {
    await desk.stop();
  }
});

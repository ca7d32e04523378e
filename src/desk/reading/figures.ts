import type { Books } from '../../app/books.ts';
import { readCourierCash } from '../../app/custody.ts';
import type { Figures, FiguresAsked } from '../desk.ts';
import { DeskTable } from '../table.ts';
import { ofCourier } from './of-courier.ts';
import { readTable } from './read-table.ts';

/** The totals of months by currency, what moved the balance, how old it is, and of all months where the cash is. */
export async function readFigures(books: Books, { path, search, months, all }: FiguresAsked): Promise<Figures> {
  const query = new URLSearchParams(search);
  const part = { books: ofCourier(books, query.get('courier')), path, ...(months === null ? {} : { periods: months }) };
  const ageing = await readTable({ ...part, report: 'ageing', query: new URLSearchParams(), all: true });
  return {
    totals: await readTable({ ...part, report: 'totals', query, all }),
    balance: await readTable({ ...part, report: 'roll-forward', query: new URLSearchParams(), all: true }),
    ageing: new DeskTable({ ...ageing.content(), rows: ageing.rows.filter(isUnallocated) }, ageing.generatedAt),
    cash: months === null ? await readCourierCash(part.books) : [],
  };
}

/** Receipts that no invoice explains: a part of the balance that has no age. */
function isUnallocated({ bucket }: DeskTable['rows'][number]): boolean {
  return bucket === 'unallocated';
}

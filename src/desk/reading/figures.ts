import type { Books } from '../../app/books.ts';
import { readCourierCash } from '../../app/custody.ts';
import type { FiguresRequest, FiguresTables } from '../desk.ts';
import { DeskTable } from '../desk-table.ts';
import { booksOfCourier } from './of-courier.ts';
import { readDeskTable } from './read-table.ts';

/** The months' totals by currency, what moved the balance, and its age; for all months also where the cash is today. */
export async function readFigures(
  books: Books,
  { path, search, months, everyRow }: FiguresRequest,
): Promise<FiguresTables> {
  const query = new URLSearchParams(search);
  const request = {
    books: booksOfCourier(books, query.get('courier')),
    path,
    ...(months === null ? {} : { periods: months }),
  };
  const noFilter = new URLSearchParams();
  const ageing = await readDeskTable({ ...request, report: 'ageing', query: noFilter, everyRow: true });
  return {
    totals: await readDeskTable({ ...request, report: 'totals', query, everyRow }),
    balance: await readDeskTable({ ...request, report: 'roll-forward', query: noFilter, everyRow: true }),
    ageing: new DeskTable({ ...ageing.content(), rows: ageing.rows.filter(isUnallocated) }, ageing.generatedAt),
    cash: months === null ? await readCourierCash(request.books) : [],
  };
}

/** Receipts that no invoice explains: a part of the balance that has no age. */
function isUnallocated({ bucket }: DeskTable['rows'][number]): boolean {
  return bucket === 'unallocated';
}

import type { Row } from '../../../reports/model.ts';
import type { Books } from '../../app/books.ts';
import { listChecks } from '../../app/check.ts';
import { readAssignments } from '../../app/desk/assignments.ts';
import { listViews } from '../../app/desk/views.ts';
import { booksOfMismatches, invoicesNamed } from '../../app/each-courier.ts';
import { listMatches } from '../../app/match/report-matches.ts';
import { type MismatchFilter, readAges, readClaimStates, readGroups } from '../../app/mismatches/list.ts';
import { showBooksInvoice, showBooksMismatch } from '../../app/show/index.ts';
import { UsageError } from '../../base/errors.ts';
import { parsePeriod } from '../../base/period.ts';
import { parseUnits } from '../../money/units.ts';
import type { PageRequest } from '../desk.ts';
import { readDeskTable } from './read-table.ts';

const MOST_CAUSES = 20;

/** The mismatches that the address's filters let through, by cause and one by one. */
export async function readMismatchesPage({ desk: { books }, path, query, everyRow, wholeLists }: PageRequest) {
  // The ids on all pages; the table has the rows of one.
  const ids: string[] = [];
  const onRow = ({ id }: Row) => void ids.push(String(id));
  const table = await readDeskTable({ books, report: 'mismatches', path, query, everyRow, onRow });
  const [filteredBooks, filter] = await filterOf(query, books);
  // No filter of the groups searches a text: they are narrowed to the rows in which the table found it.
  const groups = await readGroups(filteredBooks, filter, query.has('text') ? ids : undefined);
  const shownGroups = wholeLists ? groups : groups.slice(0, MOST_CAUSES).map((group) => ({ ...group, ids: [] }));
  const shownMismatches = table.rows.map(({ courier, id }) => ({ courier: String(courier), id: String(id) }));
  const shownIds = shownMismatches.map(({ id }) => id);
  const assigned = await readAssignments(books);
  const since = await readAges(books, shownIds);
  // `since` has an entry for each courier of the books.
  const hasOneCourier = since.size === 1;
  // `swift/c3606b59d61e470d` as in decisions: two couriers may have a mismatch with the same id.
  const byMismatch = <T>(byCourier: ReadonlyMap<string, ReadonlyMap<string, T>>): Record<string, T> =>
    Object.fromEntries(
      shownMismatches.flatMap(({ courier, id }) => {
        const value = byCourier.get(courier)?.get(id);
        return value === undefined ? [] : [[hasOneCourier ? id : `${courier}/${id}`, value]];
      }),
    );
  return {
    table,
    count: ids.length,
    /** The unresolved mismatches of all pages by cause, the most money first. */
    groups: shownGroups,
    more_groups: groups.length - shownGroups.length,
    /** To whom each mismatch of the page is assigned, and the instant since which it is known. */
    assigned: byMismatch(assigned),
    since: byMismatch(since),
    claims: byMismatch(await readClaimStates(books, shownIds)),
    views: await listViews(books),
    codes: listChecks().map(({ code }) => code),
  };
}

/** The filter of an address, and the books to read with it: if it names an invoice, those of the invoice's courier. */
async function filterOf(query: URLSearchParams, deskBooks: Books): Promise<[books: Books, filter: MismatchFilter]> {
  const { now, config } = deskBooks;
  const value = (name: string) => query.get(name) || undefined;
  const [month, code, severity, status, invoice] = ['month', 'code', 'severity', 'status', 'invoice'].map(value);
  const { books, numbers } =
    invoice === undefined ? { books: deskBooks, numbers: [] } : await invoiceNamed(deskBooks, invoice);
  const filter: MismatchFilter = {
    periods: month === undefined ? undefined : parsePeriod(month, now(), config.timeZone),
    codes: code === undefined ? undefined : [code],
    severities: severity === undefined ? undefined : [severity as 'error'],
    statuses: status === undefined ? ['open', 'acknowledged'] : [status as 'open'],
    invoice: numbers[0],
    order: value('order'),
    currency: value('currency'),
  };
  return [books, filter];
}

/** The invoice that a filter names; if there is none, number 0, which no invoice has. */
async function invoiceNamed(books: Books, text: string) {
  try {
    return await invoicesNamed(books, [text]);
  } catch (error) {
    if (error instanceof UsageError) return { books, numbers: [0] };
    throw error;
  }
}

/** A mismatch, to whom it is assigned, and what would solve it. */
export async function readMismatch({ desk: { books }, parameters, query }: PageRequest) {
  const shown = await showBooksMismatch(books, parameters.id ?? '');
  const { code, invoice_number_text: invoice, currency, subject, status } = shown.mismatch;
  const isResolved = status === 'resolved';
  const itsBooks = await booksOfMismatches(books, [shown.mismatch.id]);
  // What is resolved needs no button to pay or match.
  const { settled } = invoice === null || isResolved ? { settled: [] } : await showBooksInvoice(itsBooks, invoice);
  const ambiguous = code === 'receipt-ambiguous' && !isResolved ? (await listMatches(itsBooks)).ambiguous : [];
  const amounts: readonly LeftToPay[] = settled
    .filter((line) => /[1-9]/.test(line.open) && (currency === null || line.currency === currency))
    .map((line) => ({ invoice: invoice!, currency: line.currency, amount: line.open }));
  const assigned = await readAssignments(books);
  // The mismatch is one courier's, so at most one has it.
  const [assignment = null] = [...assigned.values()].flatMap((byId) => byId.get(shown.mismatch.id) ?? []);
  return {
    ...shown,
    courier: itsBooks.config.courier,
    assignment,
    /** Its place in the list from which the page was opened. */
    among: await placeIn(books, query, shown.mismatch.id),
    /** What is open of its invoice, in its currency if it has one. */
    open: amounts,
    /** The sets of invoices that its receipt may pay. */
    pays: ambiguous
      .filter(({ receipt }) => subject === `receipt ${receipt}`)
      .flatMap(({ receipt, ways_text }) => ways_text.map((invoices) => ({ receipt, invoices: invoices.map(String) }))),
    /** The receipts that may pay what is open. */
    near: NOT_PAID.has(code) ? (await Promise.all(amounts.map((amount) => nearReceipts(itsBooks, amount)))).flat() : [],
  };
}

/** What is left to pay of an invoice in a currency. */
export interface LeftToPay {
  /** The number that courier and merchant write. */
  readonly invoice: string;
  readonly currency: string;
  readonly amount: string;
}

/** The codes of mismatches about an invoice whose money did not come. */
const NOT_PAID: ReadonlySet<string> = new Set(['remittance-missing', 'remittance-short', 'payment-overdue']);
const MOST_NEAR = 3;

/** The receipts that may pay an open amount: with about as much left in its currency, the nearest first. */
async function nearReceipts(books: Books, { invoice, currency, amount }: LeftToPay) {
  const query = new URLSearchParams({ currency });
  const { rows } = await readDeskTable({ books, report: 'receipts', path: '/receipts', query, everyRow: true });
  const openUnits = parseUnits(amount);
  const distanceOf = (left: string) => {
    const distance = parseUnits(left) - openUnits;
    return distance < 0n ? -distance : distance;
  };
  return (
    rows
      .map((row) => ({
        receipt: Number(row.receipt),
        invoice,
        currency,
        left: String(row.left ?? ''),
        date: String(row.date),
        says: [row.counterparty, row.text].filter((part) => part != null && part !== '').join(' · '),
      }))
      // A receipt that is more than half the amount away, such as 40.00 for 100.00, pays something else.
      .filter(({ left }) => /[1-9]/.test(left) && distanceOf(left) * 2n <= openUnits)
      .sort((a, b) => (distanceOf(a.left) < distanceOf(b.left) ? -1 : 1))
      .slice(0, MOST_NEAR)
  );
}

/** The parameters of an address that narrow and sort the list. */
const FILTERED_BY = ['month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', 'text', 'sort'];

/** A mismatch's place in the list from which it was opened, and its neighbours; null if no list led to it. */
async function placeIn(books: Books, query: URLSearchParams, id: string) {
  const narrowed = new URLSearchParams([...query].filter(([name]) => FILTERED_BY.includes(name)));
  if (narrowed.size === 0) return null;
  // Every row is read, so no address of a next page is made of `path`.
  const { rows } = await readDeskTable({ books, report: 'mismatches', path: '', query: narrowed, everyRow: true });
  const place = rows.findIndex((row) => row.id === id);
  if (place < 0) return null;
  const neighbourAt = (at: number) => {
    const row = rows[at];
    return row ? { id: String(row.id), courier: String(row.courier) } : null;
  };
  return {
    place: place + 1,
    count: rows.length,
    previous: neighbourAt(place - 1),
    next: neighbourAt(place + 1),
  };
}

import type { Row } from '../../../reports/model.ts';
import type { Books } from '../../app/books.ts';
import { listChecks } from '../../app/check.ts';
import { readAssignments } from '../../app/desk/assignments.ts';
import { listViews } from '../../app/desk/views.ts';
import { booksOfMismatches } from '../../app/each-courier.ts';
import { invoicesNamed, type NamedInvoices } from '../../app/invoices-named.ts';
import { listMatches } from '../../app/match/index.ts';
import { readAges, readClaimStates, readGroups } from '../../app/mismatches/groups.ts';
import type { MismatchFilter } from '../../app/mismatches/list.ts';
import { showBooksInvoice, showBooksMismatch } from '../../app/show/index.ts';
import { UsageError } from '../../base/errors.ts';
import { parsePeriod } from '../../base/period.ts';
import { parseUnits } from '../../money/units.ts';
import type { Look } from '../desk.ts';
import type { MismatchesModel, Models, OpenOf } from '../models.ts';
import { readTable } from './read-table.ts';

/** Causes of a page. */
const MOST_CAUSES = 20;

/** The mismatches that the address's filters let through, by cause and one by one. */
export async function readMismatches({ desk: { books }, path, query, all, whole }: Look): Promise<MismatchesModel> {
  const ids: string[] = [];
  const onRow = ({ id }: Row) => void ids.push(String(id));
  const table = await readTable({ books, report: 'mismatches', path, query, all, onRow });
  const groups = await readGroups(...(await filterOf(query, books)), query.has('text') ? ids : undefined);
  const shown = whole ? groups : groups.slice(0, MOST_CAUSES).map((group) => ({ ...group, ids: [] }));
  const named = table.rows.map(({ courier, id }) => ({ courier: String(courier), id: String(id) }));
  const shownIds = named.map(({ id }) => id);
  const [assigned, since] = [await readAssignments(books), await readAges(books, shownIds)];
  const isOne = since.size === 1;
  // As a decision names it: two couriers may have a mismatch of one id.
  const ofRows = <T>(all: ReadonlyMap<string, ReadonlyMap<string, T>>): Record<string, T> =>
    Object.fromEntries(
      named.flatMap(({ courier, id }) => {
        const own = all.get(courier)?.get(id);
        return own === undefined ? [] : [[isOne ? id : `${courier}/${id}`, own]];
      }),
    );
  return {
    table,
    count: ids.length,
    groups: shown,
    more_groups: groups.length - shown.length,
    assigned: ofRows(assigned),
    since: ofRows(since),
    claims: ofRows(await readClaimStates(books, shownIds)),
    views: await listViews(books),
    codes: listChecks().map(({ code }) => code),
  };
}

async function filterOf(query: URLSearchParams, all: Books): Promise<[books: Books, filter: MismatchFilter]> {
  const { now, config } = all;
  const value = (name: string) => query.get(name) || undefined;
  const [month, code, severity, status, invoice] = ['month', 'code', 'severity', 'status', 'invoice'].map(value);
  const { books, numbers } = invoice === undefined ? { books: all, numbers: [] } : await invoiceNamed(all, invoice);
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

/** The invoice that a filter names; 0, which none has, for one that is not there. */
async function invoiceNamed(books: Books, text: string): Promise<NamedInvoices> {
  try {
    return await invoicesNamed(books, [text]);
  } catch (error) {
    if (error instanceof UsageError) return { books, numbers: [0] };
    throw error;
  }
}

/** A mismatch, to whom it is assigned, and what would solve it. */
export async function readMismatch({ desk: { books }, parameters, query }: Look): Promise<Models['mismatch']> {
  const shown = await showBooksMismatch(books, parameters.id ?? '');
  const { code, invoice_number_text: invoice, currency, subject, status } = shown.mismatch;
  const isOver = status === 'resolved';
  const own = await booksOfMismatches(books, [shown.mismatch.id]);
  const { settled } = invoice === null || isOver ? { settled: [] } : await showBooksInvoice(own, invoice);
  const ambiguous = code === 'receipt-ambiguous' && !isOver ? (await listMatches(own)).ambiguous : [];
  const open = settled
    .filter((one) => /[1-9]/.test(one.open) && (currency === null || one.currency === currency))
    .map((one) => ({ invoice: invoice!, currency: one.currency, amount: one.open }));
  const assigned = await readAssignments(books);
  // One courier alone has it.
  const [assignment = null] = [...assigned.values()].flatMap((byId) => byId.get(shown.mismatch.id) ?? []);
  return {
    ...shown,
    courier: own.config.courier,
    assignment,
    among: await placeIn(books, query, shown.mismatch.id),
    open,
    pays: ambiguous
      .filter(({ receipt }) => subject === `receipt ${receipt}`)
      .flatMap(({ receipt, ways_text }) => ways_text.map((invoices) => ({ receipt, invoices: invoices.map(String) }))),
    near: NOT_PAID.has(code) ? (await Promise.all(open.map((one) => nearReceipts(own, one)))).flat() : [],
  };
}

/** Codes of an invoice whose money did not come. */
const NOT_PAID: ReadonlySet<string> = new Set(['remittance-missing', 'remittance-short', 'payment-overdue']);
const MOST_NEAR = 3;

/** What is left of the receipts in the currency of what is open of an invoice, the nearest amounts first. */
async function nearReceipts(books: Books, { invoice, currency, amount }: OpenOf): Promise<Models['mismatch']['near']> {
  const query = new URLSearchParams({ currency });
  const { rows } = await readTable({ books, report: 'receipts', path: '/receipts', query, all: true });
  const asked = parseUnits(amount);
  const away = (left: string) => {
    const distance = parseUnits(left) - asked;
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
      // One of quite another size is some other payment.
      .filter(({ left }) => /[1-9]/.test(left) && away(left) * 2n <= asked)
      .sort((a, b) => (away(a.left) < away(b.left) ? -1 : 1))
      .slice(0, MOST_NEAR)
  );
}

const LISTED_BY = ['month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', 'text', 'sort'] as const;

/** The place of a mismatch in the list from which it was opened, and its neighbours; null where no list led to it. */
async function placeIn(books: Books, query: URLSearchParams, id: string): Promise<Models['mismatch']['among']> {
  const narrowed = new URLSearchParams([...query].filter(([name]) => LISTED_BY.some((one) => one === name)));
  if (narrowed.size === 0) return null;
  const { rows } = await readTable({ books, report: 'mismatches', path: '', query: narrowed, all: true });
  const place = rows.findIndex((row) => row.id === id);
  if (place < 0) return null;
  const of = (row: (typeof rows)[number] | undefined) => row && { id: String(row.id), courier: String(row.courier) };
  return {
    place: place + 1,
    count: rows.length,
    previous: of(rows[place - 1]) ?? null,
    next: of(rows[place + 1]) ?? null,
  };
}

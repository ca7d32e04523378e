import { canonicalJson } from '../api/canonical.ts';
import { decodeList, type Item } from '../api/list.ts';
import { InvoiceListItem } from '../api/wire.ts';
import { ContractError } from '../base/errors.ts';
import { sha256 } from '../ledger/evidence/chain.ts';
import { type ListedRows, writeListed } from '../ledger/write/listed.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import type { Derivation, Derive } from './derivation.ts';
import { ifReadable, readJson, refuseFaulty, requireInstant, requireStorable, withPath } from './documents.ts';
import { headerMoney } from './invoice.ts';

/** A row of a month's list as it was read, or the fault for which it cannot be read. */
export interface ReadListed {
  /** Also of an unreadable row, if its number can be read: its invoice is on the list. Null if it cannot. */
  readonly rows: ListedRows | null;
  /** Null if it was read. */
  readonly fault: ContractError | null;
  /** The row's place in its document: `results[3]`. */
  readonly place: string;
}

/** Where a page of a month's list belongs. */
export interface ListPage {
  readonly period: string;
  /** The sync that brought it. */
  readonly run: number;
  /** Which of the sync's walks over the list it is from, from 1; 0 for a page that was refused. */
  readonly walk: number;
}

/** Reads a page of a month's list (spec, 'Invoices'). A row that cannot be read leaves the others readable. */
export function readInvoiceList(items: readonly Item<InvoiceListItem>[], page: ListPage): ReadListed[] {
  return items.map((item) => readRow(item, page));
}

function readRow(item: Item<InvoiceListItem>, page: ListPage): ReadListed {
  const place = `results[${item.index}]`;
  try {
    if (!item.ok) throw item.fault;
    const row = item.value;
    const { status, status_display = null, issued_at, order_count } = row;
    const key = { period: page.period, invoice_number: row.number };
    const amounts = withPath(place, () => {
      requireInstant(issued_at, 'issued_at');
      requireStorable({ status, status_display });
      return headerMoney(row, key);
    });
    const fields = { status, status_display, issued_at, order_count, row_sha256: sha256(canonicalJson(item.raw)) };
    const listed = { ...key, ...fields, seen_run: page.run, seen_walk: page.walk };
    return { rows: { listed, amounts, isReadable: true }, fault: null, place };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { rows: unreadable(item, page), fault, place };
  }
}

/** What is kept of a row that cannot be read: usually it still names its invoice, whose detail may be readable. */
function unreadable(item: Item<InvoiceListItem>, page: ListPage): ListedRows | null {
  const number = (item.raw as { number?: unknown } | null)?.number as number;
  if (!Number.isSafeInteger(number)) return null;
  const fields = { status: null, status_display: null, issued_at: null, order_count: null, row_sha256: null };
  const key = { period: page.period, invoice_number: number };
  const listed = { ...key, ...fields, seen_run: page.run, seen_walk: page.walk };
  return { listed, amounts: [], isReadable: false };
}

export const deriveInvoiceList: Derive = async (derivation) => {
  const { evidence, body } = derivation;
  const page = { period: evidence.subject, run: evidence.run_id!, walk: evidence.walk ?? 0 };
  const read = await ifReadable(async () => {
    // A page that was refused when it was received is refused again.
    if (page.walk === 0) refuseFaulty(evidence);
    const { value, deepItems } = readJson(await body());
    return readInvoiceList(decodeList(InvoiceListItem, value, deepItems).items, page);
  });
  if (read.ok) await applyInvoiceList(derivation, read.value);
  else {
    const { period } = page;
    const note = { kind: 'page', subject: `invoices ${period}`, period, why: read.fault.message };
    await noteUnreadable(derivation.trx, [note], evidence);
  }
};

/**
 * Writes the rows of a page, and notes those that cannot be read. Earlier notes go: about a page of this month that
 * could not be read, and about the rows that now can.
 */
export async function applyInvoiceList(
  { trx, evidence }: Pick<Derivation, 'trx' | 'evidence'>,
  page: readonly ReadListed[],
): Promise<void> {
  const { subject: period } = evidence;
  const listed = page.flatMap(({ rows }) => rows ?? []);
  await writeListed(trx, listed, evidence);
  await clearUnreadable(trx, 'page', [`invoices ${period}`]);
  const readable = page.filter(({ fault }) => fault === null).map((row) => listedSubject(period, row));
  await clearUnreadable(trx, 'listed', readable);
  const notes = page.flatMap((row) =>
    row.fault === null ? [] : { kind: 'listed', subject: listedSubject(period, row), period, why: row.fault.message },
  );
  await noteUnreadable(trx, notes, evidence);
}

/** The subject under which an unreadable row is noted: `2026-10 10009`, or with its place if it has no number. */
export function listedSubject(period: string, { rows, place }: ReadListed): string {
  return `${period} ${rows?.listed.invoice_number ?? place}`;
}

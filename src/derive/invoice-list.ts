import { canonicalJson } from '../api/canonical.ts';
import type { ParsedJson } from '../api/json.ts';
import { decodeList, type Item } from '../api/list.ts';
import { InvoiceListItem } from '../api/wire.ts';
import { ContractError } from '../base/errors.ts';
import { sha256 } from '../ledger/evidence/chain.ts';
import { type ListedRows, writeListed } from '../ledger/write/listed.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import type { Derivation, Derive } from './derivation.ts';
import { ifReadable, readJson, refuseFaulty, withPath } from './documents.ts';
import { headerMoney } from './invoice.ts';
import { requireInstantText, requireStorable } from './text-fields.ts';

/** A row of a month's list as it was read, or the fault for which it cannot be read. */
export interface ReadListed {
  /** Null if not even the number can be read. */
  readonly number: number | null;
  /** SHA-256 of the row's canonical form; null if the row cannot be read. */
  readonly rowSha256: string | null;
  /** Null without a number. An unreadable row with one is written too: its invoice is on the list. */
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

/**
 * Reads a page of a month's list (spec, 'Invoices'). A row that cannot be read leaves the others readable.
 *
 * @param document the body as JSON, or the items if they are decoded already
 * @throws ContractError if the document is no list at all
 */
export function readInvoiceList(
  document: { items: readonly Item<InvoiceListItem>[] } | { json: ParsedJson },
  page: ListPage,
): ReadListed[] {
  const items =
    'items' in document
      ? document.items
      : decodeList(InvoiceListItem, document.json.value, document.json.deepItems).items;
  return items.map((item) => readRow(item, page));
}

function readRow(item: Item<InvoiceListItem>, page: ListPage): ReadListed {
  const place = `results[${item.index}]`;
  try {
    if (!item.ok) throw item.fault;
    const row = item.value;
    const key = { period: page.period, invoice_number: row.number };
    const amounts = withPath(place, () => {
      requireInstantText(row.issued_at, 'issued_at');
      requireStorable({ status: row.status, status_display: row.status_display ?? null });
      return headerMoney(row, key);
    });
    const rowSha256 = sha256(canonicalJson(item.raw));
    const listed = {
      ...key,
      status: row.status,
      status_display: row.status_display ?? null,
      issued_at: row.issued_at,
      order_count: row.order_count,
      row_sha256: rowSha256,
      seen_run: page.run,
      seen_walk: page.walk,
    };
    const rows = { listed, amounts, isReadable: true };
    return { number: row.number, rowSha256, rows, fault: null, place };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { ...unreadable(item, page), fault, place };
  }
}

/** What is kept of a row that cannot be read: usually it still names its invoice, whose detail may be readable. */
function unreadable(item: Item<InvoiceListItem>, page: ListPage): Pick<ReadListed, 'number' | 'rowSha256' | 'rows'> {
  const number = (item.raw as { number?: unknown } | null)?.number;
  if (!Number.isSafeInteger(number)) return { number: null, rowSha256: null, rows: null };
  const listed = {
    period: page.period,
    invoice_number: number as number,
    status: null,
    status_display: null,
    issued_at: null,
    order_count: null,
    row_sha256: null,
    seen_run: page.run,
    seen_walk: page.walk,
  };
  return { number: number as number, rowSha256: null, rows: { listed, amounts: [], isReadable: false } };
}

export const deriveInvoiceList: Derive = async (derivation) => {
  const { evidence, body } = derivation;
  const page = { period: evidence.subject, run: evidence.run_id!, walk: evidence.walk ?? 0 };
  const read = await ifReadable(async () => {
    // A page that was refused when it was received is refused again.
    if (page.walk === 0) refuseFaulty(evidence);
    return readInvoiceList({ json: readJson(await body()) }, page);
  });
  if (read.ok) await applyInvoiceList(derivation, read.value);
  else {
    const { id, at, sha256, subject } = evidence;
    const note = { kind: 'page', subject: `invoices ${subject}`, period: subject, evidence_id: id, at, sha256 };
    await noteUnreadable(derivation.trx, [{ ...note, why: read.fault.message }]);
  }
};

/** Writes the rows of a page, and notes those that cannot be read. */
export async function applyInvoiceList(
  { trx, evidence }: Pick<Derivation, 'trx' | 'evidence'>,
  page: readonly ReadListed[],
): Promise<void> {
  const { id: evidence_id, at, sha256, subject: period } = evidence;
  await writeListed(
    trx,
    page.flatMap(({ rows }) => (rows ? [rows] : [])),
    { evidenceId: evidence_id, at },
  );
  await clearUnreadable(trx, 'page', [`invoices ${period}`]);
  await clearUnreadable(
    trx,
    'listed',
    page.filter(({ fault }) => fault === null).map((row) => listedSubject(period, row)),
  );
  await noteUnreadable(
    trx,
    page
      .filter(({ fault }) => fault !== null)
      .map((row) => ({
        kind: 'listed',
        subject: listedSubject(period, row),
        period,
        evidence_id,
        at,
        sha256,
        why: row.fault!.message,
      })),
  );
}

/** The subject under which an unreadable row is noted: `2026-10 10009`, or with its place if it has no number. */
export function listedSubject(period: string, { number, place }: Pick<ReadListed, 'number' | 'place'>): string {
  return `${period} ${number ?? place}`;
}

import { canonicalJson } from '../../src/api/canonical.ts';
import { decode } from '../../src/api/decode.ts';
import { InvoiceDetail, InvoiceListItem } from '../../src/api/wire.ts';
import { Deriver } from '../../src/derive/deriver.ts';
import { orderIdOf, readOrder } from '../../src/derive/order-record.ts';
import { type OrderPages, runsOf } from '../../src/derive/page-recipe.ts';
import type { RunBegun, RunEnded, WalksEnded } from '../../src/derive/runs-and-walks.ts';
import { appendEvidence, keepParts, type Ledger, type NewEvidence, sealBody, sha256 } from '../../src/ledger/index.ts';

/** The documents that one night's sync receives. */
export interface NightDocuments {
  readonly at: Date;
  readonly months: readonly { readonly period: string; readonly complete: boolean; readonly rows: readonly object[] }[];
  /** The details by number; `missing` for one that the API does not give. */
  readonly details: ReadonlyMap<number, object | 'missing'>;
  /** The order book; null where it is not read. */
  readonly book: { readonly complete: boolean; readonly records: readonly object[] } | null;
}

/**
 * Brings nights of documents into a ledger as a sync does: evidence first, and rows derived from it. No network, no
 * waiting.
 */
export class Nights {
  #run = 0;
  /** What was last brought of each detail, with the list's row that it was fetched for. */
  readonly #brought = new Map<number, string>();

  async bring(db: Ledger['db'], { at, months, details, book }: NightDocuments): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const deriver = new Deriver();
    let tick = 0;
    let partial = false;
    const record = async (what: Omit<NewEvidence, 'at' | 'runId'>) => {
      tick += 1;
      const evidence = await appendEvidence(db, { ...what, at: new Date(at.getTime() + tick), runId: run });
      await deriver.derive(db, evidence);
    };
    const begun: RunBegun = {
      command: 'sync',
      version: '0.1.0',
      period: months.map(({ period }) => period).join(', '),
    };
    await record({ kind: 'run-begun', subject: String(run), data: begun });

    for (const { period, complete, rows } of months) {
      const listing = `invoices ${period}`;
      const page = { count: rows.length, next: null, previous: null, results: rows };
      await record({ kind: 'invoice-list', subject: period, listing, walk: 1, body: await bodyOf(page) });
      const bad = rows.filter((row) => !canRead(() => decode(InvoiceListItem, row)));
      const unreadable = bad.map((row) => `${period} ${(row as { number?: number }).number}`);
      await record(conclusion({ kind: 'invoices', period, complete, unreadable }, rows.length));
      partial ||= !complete || bad.length > 0;
      for (const row of rows) partial = (await this.#bringDetail(record, period, row, details)) || partial;
    }
    if (book) {
      await bringBook(db, record, book.records);
      const bad = book.records.filter((order) => !canRead(() => readOrder(order, { sha256: '', part: 0 })));
      const unreadable = bad.map((order) => orderIdOf(order)!);
      await record(
        conclusion({ kind: 'orders', period: null, complete: book.complete, unreadable }, book.records.length),
      );
      partial ||= !book.complete || bad.length > 0;
    }
    const ended: RunEnded = { status: partial ? 'partial' : 'complete', finished: true, summary: null };
    await record({ kind: 'run-ended', subject: String(run), data: ended });
  }

  /** @returns whether it could not be brought or read */
  async #bringDetail(
    record: (what: Omit<NewEvidence, 'at' | 'runId'>) => Promise<void>,
    period: string,
    row: object,
    details: ReadonlyMap<number, object | 'missing'>,
  ): Promise<boolean> {
    const { number } = row as { number: number };
    const detail = details.get(number);
    const listed_sha256 = canRead(() => decode(InvoiceListItem, row)) ? sha256(canonicalJson(row)) : null;
    const form = JSON.stringify([row, detail]);
    const document = { subject: String(number), data: { period, listed_sha256 } };
    if (detail === undefined || detail === 'missing') {
      await record({ ...document, kind: 'invoice-missing', fault: 'its detail could not be brought: HTTP 500' });
      return true;
    }
    if (this.#brought.get(number) === form) return false;
    const isReadable = canRead(() => decode(InvoiceDetail, detail));
    const fault = isReadable ? null : 'orders: it is no list';
    await record({ ...document, kind: 'invoice', body: await bodyOf(detail), fault });
    if (isReadable) this.#brought.set(number, form);
    return !isReadable;
  }
}

async function bringBook(
  db: Ledger['db'],
  record: (what: Omit<NewEvidence, 'at' | 'runId'>) => Promise<void>,
  records: readonly object[],
): Promise<void> {
  const all = records.map((order) => Buffer.from(JSON.stringify(order)));
  const distinct = new Map(all.map((bytes) => [sha256(bytes), bytes]));
  const parts = await keepParts(db, distinct);
  const page = {
    source: 'https://courier.example/orders/',
    received_at: '2026-11-05T06:00:00.000Z',
    sha256: sha256(''),
    size: 0,
    head: '',
    gap: '',
    tail: '',
    parts: runsOf(all.map((bytes) => parts.get(sha256(bytes))!)),
  };
  const body: OrderPages = { pages: [page] };
  await record({ kind: 'order-pages', subject: 'orders', listing: 'orders', walk: 1, body: await bodyOf(body) });
}

function conclusion(
  { kind, period, complete, unreadable }: Pick<WalksEnded, 'kind' | 'period' | 'complete' | 'unreadable'>,
  count: number,
) {
  const name = period === null ? kind : `${kind} ${period}`;
  const stated_count = complete ? count : count + 1;
  const why = complete ? null : `it states ${stated_count} ${kind} and showed ${count} in 3 readings`;
  const data: WalksEnded = {
    kind,
    period,
    complete,
    stated_count,
    seen_count: count,
    walks: 1,
    unreadable,
    anonymous: 0,
    why,
  };
  return { kind: 'listing', subject: name, listing: name, walk: 1, data };
}

function bodyOf(document: unknown) {
  return sealBody(Buffer.from(JSON.stringify(document)));
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

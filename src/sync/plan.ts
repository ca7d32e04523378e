import { subHours } from 'date-fns/subHours';
import type { InvoiceListItem, Item, Page, Walk } from '../courier/index.ts';
import { ContractError } from '../errors.ts';
import { chunks, type Ledger, sha256 } from '../ledger/index.ts';
import { canonicalJson } from './canonical.ts';
import { instantText } from './instant-text.ts';
import { dropWhatLeft } from './listing.ts';
import { invoiceMoney, type ListedInvoice } from './map-invoice.ts';
import { defaultPeriods } from './periods.ts';
import type { SyncOptions } from './session.ts';

/** What a sync will do for one month, before it fetches a detail or writes a row. */
export interface PeriodPlan {
  readonly period: string;
  readonly walk: Walk;
  readonly listed: ReadonlyMap<number, ListedInvoice>;
  readonly fetch: readonly PlannedFetch[];
  /** Listed, unchanged, and marked as vanished by an earlier sync: they are back. */
  readonly reappeared: readonly number[];
}

export interface PlannedFetch {
  readonly listed: ListedInvoice;
  readonly why: 'new' | 'changed' | 'unpaid' | 'full';
}

/** A page of a month's list as it arrives, with the items of it that cannot be read. */
export type OnListPage = (page: Page<InvoiceListItem>, faults: ContractError[]) => Promise<void>;

/** Plans every month of a sync without writing anything: what `sync --dry-run` prints. */
export async function planSync(options: SyncOptions): Promise<PeriodPlan[]> {
  const periods = options.periods ?? (await defaultPeriods(options.ledger, options.now()));
  const plans: PeriodPlan[] = [];
  for (const period of periods) plans.push(await planPeriod(options, period, async () => {}));
  return plans;
}

/** Lists a month and decides which details to fetch. */
export async function planPeriod(options: SyncOptions, period: string, onPage: OnListPage): Promise<PeriodPlan> {
  const listed = new Map<number, ListedInvoice>();
  const lastSeen = new Map<number, number>();
  const [year, month] = period.split('-').map(Number) as [number, number];
  const walk = await options.client.walkInvoices({ year, month }, async (page, walkNumber) => {
    const faults: ContractError[] = [];
    for (const item of page.items) {
      const read = readListItem(item, period);
      if (read instanceof ContractError) faults.push(read);
      const entry = read instanceof ContractError ? unreadableRow(item, period) : read;
      if (!entry) continue;
      listed.set(entry.number, entry);
      lastSeen.set(entry.number, walkNumber);
    }
    await onPage(page, faults);
  });
  dropWhatLeft(lastSeen, walk);
  for (const number of listed.keys()) if (!lastSeen.has(number)) listed.delete(number);
  return { period, walk, listed, ...(await decide(options, period, listed)) };
}

function readListItem(item: Item<InvoiceListItem>, period: string): ListedInvoice | ContractError {
  if (!item.ok) return item.fault;
  const row = item.value;
  try {
    invoiceMoney(row.number, row);
    instantText(row.issued_at, 'issued_at');
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const path = `results[${item.index}].`;
    return new ContractError(`${path}${error.message}`, error.hint, { path: `${path}${error.path}` });
  }
  return { period, number: row.number, row, rowSha256: sha256(canonicalJson(item.raw)) };
}

/** A row that cannot be read still names its invoice, most often, and the detail is a document of its own. */
function unreadableRow(item: Item<InvoiceListItem>, period: string): ListedInvoice | null {
  const number = (item.raw as { number?: unknown } | null)?.number;
  return Number.isSafeInteger(number) ? { period, number: number as number, row: null, rowSha256: null } : null;
}

async function decide(
  options: SyncOptions,
  period: string,
  listed: ReadonlyMap<number, ListedInvoice>,
): Promise<Pick<PeriodPlan, 'fetch' | 'reappeared'>> {
  const fetch: PlannedFetch[] = [];
  const reappeared: number[] = [];
  const known = await knownInvoices(options.ledger, [...listed.keys()]);
  const staleBefore = subHours(options.now(), options.recheckHours).toISOString();
  for (const invoice of listed.values()) {
    const held = known.get(invoice.number);
    if (!held) fetch.push({ listed: invoice, why: 'new' });
    else if (held.list_row_sha256 !== invoice.rowSha256 || held.period !== period || !invoice.rowSha256)
      fetch.push({ listed: invoice, why: 'changed' });
    else if (options.full) fetch.push({ listed: invoice, why: 'full' });
    else if (held.status !== 'PAID' && (await lastRead(options.ledger, invoice.number)) < staleBefore)
      fetch.push({ listed: invoice, why: 'unpaid' });
    else if (held.vanished_at !== null) reappeared.push(invoice.number);
  }
  return { fetch, reappeared };
}

type Held = {
  number: number;
  period: string;
  status: string;
  list_row_sha256: string | null;
  vanished_at: string | null;
};

async function knownInvoices(ledger: Ledger, numbers: number[]): Promise<Map<number, Held>> {
  const known = new Map<number, Held>();
  for (const chunk of chunks(numbers)) {
    const rows = await ledger.db
      .selectFrom('invoice')
      .select(['number', 'period', 'status', 'list_row_sha256', 'vanished_at'])
      .where('number', 'in', chunk)
      .execute();
    for (const row of rows) known.set(row.number, row);
  }
  return known;
}

/** When an invoice's detail was last received, whether it could be read or not. */
async function lastRead(ledger: Ledger, number: number): Promise<string> {
  const row = await ledger.db
    .selectFrom('evidence')
    .select('received_at')
    .where('kind', '=', 'invoice')
    .where('subject', '=', String(number))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.received_at ?? '';
}

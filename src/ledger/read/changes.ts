/** What became another between two looks: invoices, their statuses, orders. */
import type { MoneyField, RowSumField } from '../../money/index.ts';
import { chunks } from '../chunks.ts';
import type { LedgerReader } from './snapshot.ts';

/** The first row of evidence of the last sync; null before the first. */
export async function firstEvidenceOfLastSync(db: LedgerReader): Promise<number | null> {
  const row = await db
    .selectFrom('evidence as e')
    .innerJoin('run as r', 'r.id', 'e.run_id')
    .select('e.id')
    .where('e.kind', '=', 'run-begun')
    .where('r.command', '=', 'sync')
    .orderBy('e.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The first row of evidence from an instant on; null where there is none. */
export async function firstEvidenceSince(db: LedgerReader, since: Date): Promise<number | null> {
  const row = await db
    .selectFrom('evidence')
    .select('id')
    .where('at', '>=', since.toISOString())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** When a row of evidence became known. */
export async function readEvidenceTime(db: LedgerReader, id: number): Promise<string | null> {
  const row = await db.selectFrom('evidence').select('at').where('id', '=', id).executeTakeFirst();
  return row?.at ?? null;
}

/** A version of an invoice's detail, with its money by currency. */
export interface InvoiceVersion {
  readonly invoice_number: number;
  readonly version: number;
  readonly evidence_id: number;
  readonly seen_at: string;
  readonly sha256: string;
  readonly status: string;
  readonly row_count: number;
  readonly amounts: readonly VersionAmounts[];
}

export interface VersionAmounts extends Readonly<Record<MoneyField | RowSumField, string>> {
  readonly currency: string;
}

/** The versions of some invoices, oldest first. */
export async function readVersions(db: LedgerReader, numbers: readonly number[]): Promise<InvoiceVersion[]> {
  if (numbers.length === 0) return [];
  const versions = await db
    .selectFrom('invoice_version')
    .select(['invoice_number', 'version', 'evidence_id', 'seen_at', 'sha256', 'status', 'row_count'])
    .where('invoice_number', 'in', numbers)
    .orderBy('invoice_number')
    .orderBy('version')
    .execute();
  const amounts = await db
    .selectFrom('invoice_version_amount')
    .selectAll()
    .where('invoice_number', 'in', numbers)
    .orderBy('currency')
    .execute();
  return versions.map((version) => ({
    ...version,
    amounts: amounts
      .filter((row) => row.invoice_number === version.invoice_number && row.version === version.version)
      .map(({ invoice_number: _, version: __, ...money }) => money),
  }));
}

/** The versions of those invoices of some months that have several, by invoice, oldest first. */
export async function readVersionsOf(db: LedgerReader, periods: readonly string[]): Promise<InvoiceVersion[]> {
  const rows = await db
    .selectFrom('invoice_version as v')
    .innerJoin('invoice as i', 'i.number', 'v.invoice_number')
    .select('v.invoice_number')
    .where('i.period', 'in', [...periods])
    .where('v.version', '=', 2)
    .orderBy('v.invoice_number')
    .execute();
  const versions: InvoiceVersion[] = [];
  for (const chunk of chunks(rows.map(({ invoice_number }) => invoice_number))) {
    versions.push(...(await readVersions(db, chunk)));
  }
  return versions;
}

/** Each time an invoice of some months left every list, or came back, oldest first; its first listing is no such time. */
export async function readPresences(
  db: LedgerReader,
  periods: readonly string[],
): Promise<{ invoice_number: number; seen_at: string; present: 0 | 1 }[]> {
  return db
    .selectFrom('invoice_presence as p')
    .innerJoin('invoice as i', 'i.number', 'p.invoice_number')
    .select(['p.invoice_number', 'p.seen_at', 'p.present'])
    .where('i.period', 'in', [...periods])
    .orderBy('p.evidence_id')
    .orderBy('p.invoice_number')
    .execute();
}

/** The invoices of which a new version came in from a row of evidence on. */
export async function readChangedInvoices(db: LedgerReader, from: number): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice_version')
    .select('invoice_number')
    .distinct()
    .where('evidence_id', '>=', from)
    .orderBy('invoice_number')
    .execute();
  return rows.map(({ invoice_number }) => invoice_number);
}

/** Which month each of some invoices counts in; one that was never read is in none. */
export async function readPeriods(db: LedgerReader, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const listed = await db
    .selectFrom('invoice_listed')
    .select(['invoice_number as number', 'period'])
    .where('invoice_number', 'in', numbers)
    .orderBy('first_evidence_id', 'desc')
    .execute();
  const read = await db.selectFrom('invoice').select(['number', 'period']).where('number', 'in', numbers).execute();
  return new Map([...listed, ...read].map(({ number, period }) => [number, period]));
}

export interface StatusMove {
  readonly invoice_number: number;
  readonly seen_at: string;
  readonly from: string;
  readonly to: string;
}

/** The statuses that invoices moved to, with those that they came from. */
export async function readStatusMoves(db: LedgerReader, from: number): Promise<StatusMove[]> {
  const rows = await db
    .selectFrom('invoice_status as s')
    .select(['s.invoice_number', 's.seen_at', 's.status as to'])
    .select((eb) =>
      eb
        .selectFrom('invoice_status as before')
        .select('before.status')
        .whereRef('before.invoice_number', '=', 's.invoice_number')
        .whereRef('before.evidence_id', '<', 's.evidence_id')
        .orderBy('before.evidence_id', 'desc')
        .limit(1)
        .as('from'),
    )
    .where('s.evidence_id', '>=', from)
    .orderBy('s.evidence_id')
    .orderBy('s.invoice_number')
    .execute();
  return rows.flatMap(({ from: before, ...move }) => (before === null ? [] : [{ ...move, from: before }]));
}

/** The invoices that left every list, or came back, as they last were. */
export async function readPresenceMoves(
  db: LedgerReader,
  from: number,
): Promise<{ invoice_number: number; seen_at: string; present: 0 | 1 }[]> {
  const rows = await db
    .selectFrom('invoice_presence')
    .select(['invoice_number', 'seen_at', 'present'])
    .where('evidence_id', '>=', from)
    .orderBy('evidence_id')
    .execute();
  return [...new Map(rows.map((row) => [row.invoice_number, row])).values()];
}

/** A change of an order's record. */
export interface OrderChange {
  readonly order_id: string;
  readonly reference_id: string;
  readonly seen_at: string;
  readonly what: string;
  readonly from_delivery_state: string;
  readonly to_delivery_state: string;
  readonly from_payment_state: string;
  readonly to_payment_state: string;
  readonly from_part: number;
  readonly to_part: number;
  readonly amounts_changed: 0 | 1;
  readonly backward: 0 | 1;
}

/** The changes of orders from a row of evidence on, oldest first. @param order of this one alone */
export async function readOrderChanges(
  db: LedgerReader,
  { from = 0, order }: { from?: number; order?: string },
): Promise<OrderChange[]> {
  let query = db
    .selectFrom('order_change as c')
    .innerJoin('courier_order as o', 'o.order_id', 'c.order_id')
    .innerJoin('evidence as e', 'e.id', 'c.evidence_id')
    .select([
      'c.order_id',
      'o.reference_id',
      'e.at as seen_at',
      'c.what',
      'c.from_delivery_state',
      'c.to_delivery_state',
    ])
    .select([
      'c.from_payment_state',
      'c.to_payment_state',
      'c.from_part',
      'c.to_part',
      'c.amounts_changed',
      'c.backward',
    ])
    .where('c.evidence_id', '>=', from)
    .orderBy('c.evidence_id')
    .orderBy('c.order_id');
  if (order !== undefined) query = query.where('c.order_id', '=', order);
  return query.execute();
}

/** How many orders were first seen from a row of evidence on. */
export async function countNewOrders(db: LedgerReader, from: number): Promise<number> {
  const { count } = await db
    .selectFrom('courier_order')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('first_evidence_id', '>=', from)
    .executeTakeFirstOrThrow();
  return Number(count);
}

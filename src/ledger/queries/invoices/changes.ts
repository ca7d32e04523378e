/** The versions of invoices, and how their statuses and presence on lists changed, in some months or since a moment. */
import { inChunks } from '../../chunks.ts';
import type { InvoiceVersionAmountTable, InvoiceVersionTable } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A version of an invoice's detail, with its money by currency. */
export type InvoiceVersion = Omit<InvoiceVersionTable, 'issued_at' | 'content_sha256'> & {
  readonly amounts: readonly VersionAmounts[];
};

type VersionAmounts = Omit<InvoiceVersionAmountTable, 'invoice_number' | 'version' | 'return_cod'>;

/** The versions of these invoices, oldest first. */
export async function readVersions(db: LedgerReader, numbers: readonly number[]): Promise<InvoiceVersion[]> {
  if (numbers.length === 0) return [];
  const versions = await db
    .selectFrom('invoice_version')
    .select(['invoice_number', 'version', 'evidence_id', 'seen_at', 'sha256', 'status', 'row_count'])
    .where('invoice_number', 'in', numbers)
    .orderBy('invoice_number')
    .orderBy('version')
    .execute();
  const stored = db.selectFrom('invoice_version_amount').selectAll().where('invoice_number', 'in', numbers);
  const amounts = await stored.orderBy('currency').execute();
  return versions.map((version) => ({
    ...version,
    amounts: amounts
      .filter((row) => row.invoice_number === version.invoice_number && row.version === version.version)
      .map(({ invoice_number: _, version: __, return_cod: ___, ...money }) => money),
  }));
}

/** The versions of these months' invoices, by invoice, oldest first; none of an invoice that has only one. */
export async function readVersionsOf(db: LedgerReader, periods: readonly string[]): Promise<InvoiceVersion[]> {
  const rows = await db
    .selectFrom('invoice_version as v')
    .innerJoin('invoice as i', 'i.number', 'v.invoice_number')
    .select('v.invoice_number')
    .where('i.period', 'in', [...periods])
    // An invoice with several versions has a second one.
    .where('v.version', '=', 2)
    .orderBy('v.invoice_number')
    .execute();
  const numbers = rows.map(({ invoice_number }) => invoice_number);
  return inChunks(numbers, (chunk) => readVersions(db, chunk));
}

/** Each time an invoice of these months vanished from every list or came back, oldest first; not its first listing. */
export async function readPresences(db: LedgerReader, periods: readonly string[]) {
  return db
    .selectFrom('invoice_presence as p')
    .innerJoin('invoice as i', 'i.number', 'p.invoice_number')
    .select(['p.invoice_number', 'p.seen_at', 'p.present'])
    .where('i.period', 'in', [...periods])
    .orderBy('p.evidence_id')
    .orderBy('p.invoice_number')
    .execute();
}

/** The invoices with a version from a row of evidence on, new ones too. */
export async function readChangedInvoices(db: LedgerReader, from: number): Promise<number[]> {
  const changed = db.selectFrom('invoice_version').select('invoice_number').distinct().where('evidence_id', '>=', from);
  const rows = await changed.orderBy('invoice_number').execute();
  return rows.map(({ invoice_number }) => invoice_number);
}

/** The month in which each invoice counts, by number; one that was never listed has none. */
export async function readPeriods(db: LedgerReader, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const lists = db.selectFrom('invoice_listed').select(['invoice_number as number', 'period']);
  const listed = await lists.where('invoice_number', 'in', numbers).orderBy('first_evidence_id', 'desc').execute();
  const read = await db.selectFrom('invoice').select(['number', 'period']).where('number', 'in', numbers).execute();
  // The last in the list counts: the month of the detail, else the month that listed the invoice first.
  return new Map([...listed, ...read].map(({ number, period }) => [number, period]));
}

/** The changes of invoices' statuses from a row of evidence on, in order; an invoice's first status is no change. */
export async function readStatusMoves(db: LedgerReader, from: number) {
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

/** The invoices that vanished from every list or came back from a row of evidence on, each with its last such move. */
export async function readPresenceMoves(db: LedgerReader, from: number) {
  const moves = db.selectFrom('invoice_presence').select(['invoice_number', 'seen_at', 'present']);
  const rows = await moves.where('evidence_id', '>=', from).orderBy('evidence_id').execute();
  return [...new Map(rows.map((row) => [row.invoice_number, row])).values()];
}

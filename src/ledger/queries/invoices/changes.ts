/** The versions of invoices, and how their statuses and presence on lists changed, in some months or since a moment. */
import { inChunks } from '../../chunks.ts';
import type {
  InvoicePresenceTable,
  InvoiceStatusTable,
  InvoiceVersionAmountTable,
  InvoiceVersionTable,
} from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

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
  // An invoice with several versions has a second one.
  const rows = await rowsOf<{ number: number }>(db)`
    select i.number from invoice i join invoice_version v on v.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and v.version = 2 order by i.number`;
  const numbers = rows.map(({ number }) => number);
  return inChunks(numbers, (chunk) => readVersions(db, chunk));
}

/** Each time an invoice of these months vanished from every list or came back, oldest first; not its first listing. */
export function readPresences(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<Pick<InvoicePresenceTable, 'invoice_number' | 'seen_at' | 'present'>>(db)`
    select p.invoice_number, p.seen_at, p.present
    from invoice_presence p join invoice i on i.number = p.invoice_number
    where ${isOneOf('i.period', periods)}
    order by p.evidence_id, p.invoice_number`;
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
  type Move = Pick<InvoiceStatusTable, 'invoice_number' | 'seen_at'> & { to: string; from: string | null };
  const rows = await rowsOf<Move>(db)`
    select s.invoice_number, s.seen_at, s.status as "to", (
        select earlier.status from invoice_status earlier
        where earlier.invoice_number = s.invoice_number and earlier.evidence_id < s.evidence_id
        order by earlier.evidence_id desc limit 1
      ) as "from"
    from invoice_status s where s.evidence_id >= ${from}
    order by s.evidence_id, s.invoice_number`;
  return rows.flatMap(({ from: before, ...move }) => (before === null ? [] : [{ ...move, from: before }]));
}

/** The invoices that vanished from every list or came back from a row of evidence on, each with its last such move. */
export async function readPresenceMoves(db: LedgerReader, from: number) {
  const moves = db.selectFrom('invoice_presence').select(['invoice_number', 'seen_at', 'present']);
  const rows = await moves.where('evidence_id', '>=', from).orderBy('evidence_id').execute();
  return [...new Map(rows.map((row) => [row.invoice_number, row])).values()];
}

/**
 * Invoices as they were known when a month was closed, and which were restated since. A close's id is that of its
 * evidence.
 */
import { groupBy } from '../../../base/group.ts';
import { monthOf, vanishedLast } from '../../sql.ts';
import type { AtClose } from '../balances/movements.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The month in which a close froze each invoice, and the date of the invoice as it was known then, by number. */
export async function readInvoicePlaces(db: LedgerReader, { id }: AtClose) {
  const rows = await rowsOf<{ number: number; period: string; issued_at: string }>(db)`
    select v.invoice_number as number, c.period, v.issued_at
    from period_close_document d
    join period_close c on c.id = d.close_id
    join invoice_version v on cast(v.invoice_number as text) = d.subject
    where d.kind = 'invoice' and d.close_id = ${id} and v.evidence_id < ${id}
    order by v.version`;
  // The last version of a number stays in the map.
  return new Map(rows.map(({ number, ...place }) => [number, place]));
}

/** When each invoice was issued, by the last detail before a close, by number. */
export async function readIssueTimes(db: LedgerReader, { id }: AtClose): Promise<Map<number, string>> {
  const known = db.selectFrom('invoice_version').select(['invoice_number', 'issued_at']).where('evidence_id', '<', id);
  const versions = await known.orderBy('version').execute();
  return new Map(versions.map(({ invoice_number, issued_at }) => [invoice_number, issued_at]));
}

/**
 * The month in which each invoice counted at a close, by number: the month that listed it then. If several did, it is
 * the month of the invoice's date if that is one of them, else the first. If none did any more, it is the last that had
 * listed it.
 *
 * @param issueTimes see {@link readIssueTimes}
 */
export async function readListedMonths(db: LedgerReader, { id, at }: AtClose, issueTimes: ReadonlyMap<number, string>) {
  const listings = await db
    .selectFrom('invoice_listed')
    .select(['invoice_number', 'period', 'vanished_at', 'vanished_run'])
    .where('first_evidence_id', '<', id)
    .orderBy('first_evidence_id')
    .orderBy('period')
    .execute();
  const knownPresences = db.selectFrom('invoice_presence').select(['invoice_number', 'present']);
  const presences = await knownPresences.where('evidence_id', '<', id).orderBy('evidence_id').execute();
  const lastPresence = new Map(presences.map(({ invoice_number, present }) => [invoice_number, present === 1]));
  const months = new Map<number, string>();
  const hadVanished = ({ vanished_at }: { vanished_at: string | null }) => vanished_at !== null && vanished_at <= at;
  for (const [number, invoiceListings] of groupBy(listings, ({ invoice_number }) => invoice_number)) {
    const vanished = invoiceListings.filter(hadVanished);
    // A listing that vanished before the close and came back after it is here too: its row no longer says so. Only the
    // invoice's presence says whether any month listed it.
    const notVanished = invoiceListings.filter((listing) => !hadVanished(listing));
    const wasListed = notVanished.length > 0 && (lastPresence.get(number) ?? true);
    const deciding = wasListed || vanished.length === 0 ? notVanished : vanishedLast(vanished);
    months.set(number, monthOf(deciding, issueTimes.get(number) ?? ''));
  }
  return months;
}

/** The numbers of the invoices whose amounts or rows were restated after a piece of evidence, such as a close. */
export async function readRestatedSince(db: LedgerReader, evidenceId: number): Promise<string[]> {
  const versions = db.selectFrom('invoice_version').select('invoice_number').distinct();
  const rows = await versions.where('evidence_id', '>', evidenceId).where('version', '>', 1).execute();
  return rows.map(({ invoice_number }) => String(invoice_number));
}

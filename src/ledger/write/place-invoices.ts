import { chunks } from '../chunks.ts';
import { monthOf, vanishedLast } from '../sql.ts';
import type { Evidence, Trx } from './insert.ts';

/**
 * Works out in which month each of these invoices counts, and whether it has vanished. It counts in the month that
 * lists it; if two do, in the month of its `issued_at` if that is one of them, else in the one that listed it first. It
 * has vanished when no month lists it any more, and then counts where it last counted.
 *
 * @param seen by the invoice's number, the evidence that may have changed where it is listed
 */
export async function placeInvoices(trx: Trx, seen: ReadonlyMap<number, Evidence>): Promise<void> {
  for (const page of chunks(seen.keys())) {
    const listings = await trx
      .selectFrom('invoice_listed')
      .select(['invoice_number', 'period', 'issued_at', 'vanished_at', 'vanished_run', 'first_evidence_id'])
      .select(['read_evidence_id', 'counts_here'])
      .where('invoice_number', 'in', page)
      .orderBy('first_evidence_id')
      .orderBy('period')
      .execute();
    const read = trx.selectFrom('invoice').select(['number', 'period', 'issued_at', 'vanished_at']);
    const found = await read.where('number', 'in', page).execute();
    const invoices = new Map(found.map((invoice) => [invoice.number, invoice]));
    const lastPresence = await readLastPresence(trx, page);
    for (const number of page) {
      const { id: evidence_id, at } = seen.get(number)!;
      const itsListings = listings.filter((listing) => listing.invoice_number === number);
      const liveListings = itsListings.filter((listing) => listing.vanished_at === null);
      const present = liveListings.length > 0 ? 1 : 0;
      // An invoice without any change of presence was on a list from its first sighting on.
      if (present !== (lastPresence.get(number) ?? 1)) {
        await trx
          .insertInto('invoice_presence')
          .values({ invoice_number: number, evidence_id, seen_at: at, present })
          .onConflict((conflict) => conflict.columns(['invoice_number', 'evidence_id']).doUpdateSet({ present }))
          .execute();
      }
      const invoice = invoices.get(number);
      const deciding = present ? liveListings : vanishedLast(itsListings);
      const period = monthOf(deciding, invoice?.issued_at ?? issuedByList(itsListings));
      await countIn(trx, number, period, itsListings);
      if (!invoice) continue;
      const vanished_at = present ? null : (invoice.vanished_at ?? at);
      if (period === invoice.period && vanished_at === invoice.vanished_at) continue;
      await trx.updateTable('invoice').set({ period, vanished_at }).where('number', '=', number).execute();
    }
  }
}

/** When an invoice without a readable detail was issued, by the list's row that was read last; else empty. */
function issuedByList(listings: readonly { issued_at: string | null; read_evidence_id: number | null }[]): string {
  const read = listings.filter(({ issued_at }) => issued_at !== null);
  return read.sort((a, b) => (b.read_evidence_id ?? 0) - (a.read_evidence_id ?? 0))[0]?.issued_at ?? '';
}

/** Marks in which month's list an invoice counts. */
async function countIn(
  trx: Trx,
  number: number,
  month: string,
  listings: readonly { period: string; counts_here: 0 | 1 }[],
): Promise<void> {
  for (const { period, counts_here } of listings) {
    const counts = period === month ? 1 : 0;
    if (counts === counts_here) continue;
    const listing = trx.updateTable('invoice_listed').set({ counts_here: counts }).where('period', '=', period);
    await listing.where('invoice_number', '=', number).execute();
  }
}

async function readLastPresence(trx: Trx, numbers: readonly number[]): Promise<Map<number, 0 | 1>> {
  const presences = trx.selectFrom('invoice_presence').select(['invoice_number', 'present']);
  const rows = await presences.where('invoice_number', 'in', numbers).orderBy('evidence_id').execute();
  return new Map(rows.map(({ invoice_number, present }) => [invoice_number, present]));
}

/** Compares a courier's last invoice list with what a client lists: two lists with one invoice are of one account. */
import { groupBy } from '../base/group.ts';
import type { Client } from '../courier/index.ts';
import { readInvoiceList } from '../derive/invoice-list.ts';
import { readLastListed } from '../ledger/queries/invoices/listed.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';

/** The last list of a courier: its month, and each of its invoices as a {@link fingerprintOf}. */
export interface LastList {
  readonly period: string;
  readonly fingerprints: ReadonlySet<string>;
}

/** Null for a courier without invoices. */
export async function readLastList(courierDb: LedgerReader): Promise<LastList | null> {
  const listed = await readLastListed(courierDb);
  if (listed.length === 0) return null;
  const fingerprints = [...groupBy(listed, ({ number }) => number)].map(([number, nets]) =>
    fingerprintOf(number, nets[0]!.issued_at, nets),
  );
  return { period: listed[0]!.period, fingerprints: new Set(fingerprints) };
}

/** Reads the client's list of the same month. @returns its first invoice that is in the last list; null where none is */
export async function findInvoiceOf({ period, fingerprints }: LastList, client: Client): Promise<number | null> {
  const [year, month] = period.split('-').map(Number) as [number, number];
  let invoice: number | null = null;
  await client.walkInvoices({ year, month }, async (page) => {
    for (const { rows } of readInvoiceList({ items: page.items }, { period, run: 0, walk: 0 })) {
      if (invoice !== null || !rows?.amounts?.length) continue;
      const { invoice_number, issued_at } = rows.listed;
      const nets = rows.amounts.map(({ currency, net_due_to_merchant: net }) => ({ currency, net: String(net) }));
      if (fingerprints.has(fingerprintOf(invoice_number, issued_at, nets))) invoice = invoice_number;
    }
  });
  return invoice;
}

/** What tells an invoice apart: number, milliseconds of its date-time, and nets, as in `10009 1793491200000 12500000 USD`. */
function fingerprintOf(
  number: number,
  issuedAt: string | null | undefined,
  nets: readonly { readonly currency: string; readonly net: string }[],
): string {
  const netTexts = nets.map(({ currency, net }) => `${net} ${currency}`).sort();
  return [number, Date.parse(issuedAt ?? ''), ...netTexts].join(' ');
}

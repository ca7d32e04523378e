import { groupBy } from '../../src/base/group.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';

/** The unresolved mismatches of each invoice and of each of its rows. */
export class Flags {
  readonly #ofInvoices: ReadonlyMap<number | null, readonly Mismatch[]>;
  readonly #ofOrders: ReadonlyMap<string | null, readonly Mismatch[]>;

  constructor(mismatches: readonly Mismatch[]) {
    const unresolved = mismatches.filter(({ status }) => status !== 'resolved');
    this.#ofInvoices = groupBy(unresolved, ({ invoice_number }) => invoice_number);
    this.#ofOrders = groupBy(unresolved, ({ order_id }) => order_id);
  }

  /** How many mismatches an invoice and its rows have. */
  ofInvoice(number: number): number {
    return this.#ofInvoices.get(number)?.length ?? 0;
  }

  /** The codes of a row's mismatches, or null. */
  ofRow(invoice: number, orderId: string): string | null {
    // One without an invoice is about the order on every invoice.
    const ofRow = this.#ofOrders.get(orderId)?.filter(({ invoice_number: of }) => of === null || of === invoice) ?? [];
    return ofRow.length > 0 ? [...new Set(ofRow.map(({ code }) => code))].join(', ') : null;
  }
}

import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';

/** The unresolved mismatches of each invoice and of each of its rows. */
export class Flags {
  readonly #invoices = new Map<number, number>();
  /** By order. `invoice`: null for a mismatch about the order on every invoice. */
  readonly #orders = new Map<string, { invoice: number | null; code: string }[]>();

  constructor(mismatches: readonly Mismatch[]) {
    for (const { status, invoice_number, order_id, code } of mismatches) {
      if (status === 'resolved') continue;
      if (invoice_number !== null) {
        this.#invoices.set(invoice_number, (this.#invoices.get(invoice_number) ?? 0) + 1);
      }
      if (order_id === null) continue;
      const list = this.#orders.get(order_id) ?? [];
      list.push({ invoice: invoice_number, code });
      this.#orders.set(order_id, list);
    }
  }

  /** How many mismatches an invoice and its rows have. */
  ofInvoice(number: number): number {
    return this.#invoices.get(number) ?? 0;
  }

  /** The codes of a row's mismatches, or null. */
  ofRow(invoice: number, orderId: string): string | null {
    const list = this.#orders.get(orderId);
    if (!list) return null;
    const codes = list.filter((flag) => flag.invoice === null || flag.invoice === invoice).map(({ code }) => code);
    return codes.length > 0 ? [...new Set(codes)].join(', ') : null;
  }
}

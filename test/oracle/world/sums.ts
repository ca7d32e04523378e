import { decimal, units } from '../units.ts';
import type { HeldInvoice, InvoiceRow, Pair } from './documents.ts';

/** The sum of several money fields, a pair a currency. */
function summed(fields: readonly (readonly Pair[])[], signs?: readonly bigint[]): Pair[] {
  const sums = new Map<string, bigint>();
  fields.forEach((field, at) => {
    for (const [currency, amount] of field) {
      sums.set(currency, (sums.get(currency) ?? 0n) + (signs?.[at] ?? 1n) * (units(amount) ?? 0n));
    }
  });
  return [...sums].map(([currency, sum]) => [currency, decimal(sum)]);
}

/** Makes the header add up from the rows, and the list row agree with the detail. */
export function addUp(invoice: HeldInvoice): void {
  const { detail } = invoice;
  detail.cod = summed(detail.orders.map((row: InvoiceRow) => row.cod));
  detail.delivery_fee = summed(detail.orders.map((row: InvoiceRow) => row.delivery_fee));
  detail.net_due_to_merchant = summed([detail.cod, detail.delivery_fee], [1n, -1n]);
  agree(invoice);
}

/** Makes the list row say what the detail says. */
export function agree(invoice: HeldInvoice): void {
  const { orders, ...header } = structuredClone(invoice.detail);
  invoice.row = { ...header, status_display: header.status, order_count: orders.length };
}

/** The field with one currency's amount moved by `by` (units). */
export function moved(field: readonly Pair[], currency: string, by: bigint): Pair[] {
  const found = field.some(([each]) => each === currency);
  const pairs = found ? field : [...field, [currency, '0.00'] as Pair];
  return pairs.map(([each, amount]) =>
    each === currency ? [each, decimal((units(amount) ?? 0n) + by)] : [each, amount],
  );
}

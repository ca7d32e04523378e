/** What tells one version of an invoice from another. Apart from the decoders, which take longer to load than a close takes to run. */
import { groupBy } from '../base/group.ts';
import { sha256 } from '../ledger/evidence/chain.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { MONEY_FIELDS, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../money/fields.ts';
import { formatUnits } from '../money/units.ts';

type AmountRow = InvoiceRows['amounts'][number];
type OrderRow = InvoiceRows['orders'][number];
type OrderAmountRow = InvoiceRows['orderAmounts'][number];

/** A hash of what a restatement changes: not the order of the rows, zero amounts or payment states. @param more what else does */
export function contentOf(
  amounts: readonly AmountRow[],
  orders: readonly OrderRow[],
  orderAmounts: readonly OrderAmountRow[],
  more: readonly string[] = [],
): string {
  const header = amounts
    .map((row) => [row.currency, ...MONEY_FIELDS.map((field) => row[field])])
    .filter(([, ...units]) => units.some((value) => value !== 0n))
    .map((parts) => parts.join(' '));
  return sha256([...header.sort(), '', ...rowTexts(orders, orderAmounts).sort(), ...more].join('\n'));
}

/** Each row's order and its money, as text; amounts of zero are left out. */
function rowTexts(orders: readonly OrderRow[], orderAmounts: readonly OrderAmountRow[]): string[] {
  const texts: string[] = [];
  for (const order of orders) texts.push(order.order_id);
  for (const row of orderAmounts) {
    let text = ` ${row.currency}`;
    let isNothing = true;
    for (const field of ORDER_MONEY_FIELDS) {
      isNothing &&= row[field] === 0n;
      text += ` ${row[field]}`;
    }
    if (!isNothing) texts[row.position] += text;
  }
  return texts;
}

/** The money of a version: what its header states, beside the sums of its rows. */
export function versionAmounts(
  amounts: readonly AmountRow[],
  orders: readonly OrderRow[],
  orderAmounts: readonly OrderAmountRow[],
): InvoiceRows['versionAmounts'] {
  const headers = new Map(amounts.map((row) => [row.currency, row]));
  const rows = groupBy(orderAmounts, ({ currency }) => currency);
  const returns = new Set(orders.flatMap(({ position, workflow }) => (workflow === 'RETURN' ? [position] : [])));
  return [...new Set([...headers.keys(), ...rows.keys()])].sort().map((currency) => {
    const header = headers.get(currency);
    // `requireSummable` has shown that these sums are within the ledger's range.
    const sumOf = (field: OrderMoneyField) => (rows.get(currency) ?? []).reduce((sum, row) => sum + row[field], 0n);
    const stated = MONEY_FIELDS.map((field) => [field, formatUnits(header?.[field] ?? 0n)]);
    const summed = ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, formatUnits(sumOf(field))]);
    const returned = (rows.get(currency) ?? []).reduce(
      (sum, { position, cod }) => (returns.has(position) ? sum + cod : sum),
      0n,
    );
    const return_cod = ['return_cod', formatUnits(returned)];
    return Object.fromEntries([
      ['currency', currency],
      ...stated,
      ...summed,
      return_cod,
    ]) as InvoiceRows['versionAmounts'][number];
  });
}

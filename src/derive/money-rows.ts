import { ContractError, MoneyError } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import { sha256 } from '../ledger/evidence/chain.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { eachField, eachRowSum, MONEY_FIELDS, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../money/fields.ts';
import { requireRange, SumRangeError, Totals } from '../money/sum.ts';
import { formatUnits, MAX_AMOUNT, MAX_UNITS, parseCurrency, parseUnits, sizeOf, type Units } from '../money/units.ts';

/** A money field in a document: pairs of currency code and amount, such as `["USD", "12.50"]`. */
type Pairs = readonly (readonly string[])[];

/** A ledger row with the money fields of one currency. */
type MoneyRow<F extends string, K extends object> = K & { currency: string } & Record<F, Units>;

/** A row with no currency and zero amounts, to be copied. */
export function blankRow<F extends string, K extends object>(names: readonly F[], key: K): MoneyRow<F, K> {
  return { ...key, currency: '', ...eachField(names, () => 0n) };
}

/**
 * Turns a document's money fields into one row per currency. A currency that is named twice is summed; a missing one is
 * zero.
 *
 * @param document has the fields under these names; a field that is missing or null has no amounts
 * @param path what precedes these fields in the document, such as `orders[3].`; empty at its top
 * @param blank made by {@link blankRow}
 * @throws ContractError that names the pair whose amount the ledger cannot store exactly
 */
export function moneyRows<F extends string, K extends object>(
  names: readonly F[],
  document: Readonly<Partial<Record<F, Pairs | null>>>,
  path: string,
  blank: MoneyRow<F, K>,
): MoneyRow<F, K>[] {
  const rows = new Map<string, MoneyRow<F, K>>();
  for (const name of names) {
    const pairs = document[name] ?? [];
    for (let index = 0; index < pairs.length; index += 1) {
      const [code = '', text = ''] = pairs[index]!;
      try {
        const currency = parseCurrency(code);
        let row = rows.get(currency);
        if (!row) {
          row = { ...blank, currency };
          rows.set(currency, row);
        }
        const amounts: Record<F, Units> = row;
        amounts[name] = requireRange(amounts[name] + parseUnits(text), currency);
      } catch (error) {
        throw asContractError(error, `${path}${name}[${index}]`);
      }
    }
  }
  return [...rows.values()];
}

/**
 * Refuses a document if its amounts of one currency, added up without their signs, are beyond the ledger's range. So no
 * sum or difference of any of them is ever beyond it.
 *
 * @param path the field that the error names
 * @throws ContractError if they are
 */
export function requireSummable<F extends string>(
  names: readonly F[],
  rows: readonly ({ readonly currency: string } & Readonly<Partial<Record<F, Units>>>)[],
  path: string,
): void {
  // Amounts so small and so few cannot be beyond the range together, and need not be added up.
  if (largestOf(names, rows) * BigInt(names.length * rows.length) <= MAX_UNITS) return;
  const totals = new Totals();
  try {
    for (const row of rows) {
      for (const name of names) {
        totals.add(row.currency, sizeOf(row[name] ?? 0n));
      }
    }
  } catch (error) {
    if (!(error instanceof SumRangeError)) throw error;
    const hint = `The ledger holds up to ${MAX_AMOUNT} in each currency of a document; ask the delivery company to correct this one.`;
    throw new ContractError(`${path}: ${error.message}`, hint, { path, cause: error });
  }
}

/** The largest amount in these rows, without its sign. */
function largestOf<F extends string>(names: readonly F[], rows: readonly Readonly<Partial<Record<F, Units>>>[]): Units {
  let largest = 0n;
  for (const row of rows) {
    for (const name of names) {
      const size = sizeOf(row[name] ?? 0n);
      if (size > largest) largest = size;
    }
  }
  return largest;
}

function asContractError(error: unknown, path: string): unknown {
  if (!(error instanceof MoneyError)) return error;
  return new ContractError(`${path}: ${error.message}`, error.hint, { path, cause: error });
}

// The content of an invoice's version. This file loads no decoder: that takes longer than a close takes to run.

type AmountRow = InvoiceRows['amounts'][number];
type OrderRow = InvoiceRows['orders'][number];
type OrderAmountRow = InvoiceRows['orderAmounts'][number];

/**
 * A hash by which a restatement is recognised. The order of the rows, zero amounts and states do not count.
 *
 * @param more further lines of content, such as a sheet's charges
 */
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

/** Each row's order id and its amounts, as text; amounts of zero are left out. */
function rowTexts(orders: readonly OrderRow[], orderAmounts: readonly OrderAmountRow[]): string[] {
  const texts: string[] = [];
  for (const order of orders) texts.push(order.order_id);
  for (const row of orderAmounts) {
    let text = ` ${row.currency}`;
    let isZero = true;
    for (const field of ORDER_MONEY_FIELDS) {
      isZero &&= row[field] === 0n;
      text += ` ${row[field]}`;
    }
    // An order's position is its place among the orders.
    if (!isZero) texts[row.position] += text;
  }
  return texts;
}

/** The amounts of a version of an invoice, by currency: those of its header, and the sums of its rows. */
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
    const ofCurrency = rows.get(currency) ?? [];
    const sumOf = (field: OrderMoneyField) => ofCurrency.reduce((sum, row) => sum + row[field], 0n);
    const returned = ofCurrency.reduce((sum, { position, cod }) => (returns.has(position) ? sum + cod : sum), 0n);
    return {
      currency,
      ...eachField(MONEY_FIELDS, (field) => formatUnits(header?.[field] ?? 0n)),
      // `order_cod` and `order_delivery_fee`.
      ...eachRowSum((field) => formatUnits(sumOf(field))),
      return_cod: formatUnits(returned),
    };
  });
}

import { SharedFacts } from '../src/checks/check.ts';
import { type PricedKind, pricedOrders } from '../src/checks/facts/agreed-fees.ts';
import { pricedCancellations } from '../src/checks/facts/cancelled-fees.ts';
import { countsFee, readReturns } from '../src/checks/facts/returns/convention.ts';
import { ourSource, readSources } from '../src/checks/facts/sources.ts';
import { readChargeSums } from '../src/ledger/queries/invoices/settlements.ts';
import { eachField } from '../src/money/fields.ts';
import { ColumnTotals, columnsOf, unitsCell } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const MONEY = ['charged', 'order_charged', 'difference', 'agreed', 'unpriced'] as const;
const COLUMNS = columnsOf('period kind* name:id* currency* orders charged order_charged difference agreed unpriced');

/** Every row is `delivery`: the courier does not split its fee into kinds. */
export type ChargesNote = { id: 'charges-of-one-kind' };

/**
 * What the courier keeps back. `kind` is `charge`, which it earns, or `tax`, which it withholds; `name` says which of
 * them: `delivery`. `charged` is what headers state, `order_charged` what their rows do, both without fees of RETURN
 * rows that do not count by the courier's returns convention. If the rate card has the name, `difference` is from the
 * agreed price: `order_charged` = `agreed` + `difference` + `unpriced`, as 120 = 100 + 5 + 15. Otherwise it is between
 * header and rows: `charged` - `order_charged`.
 */
export async function charges({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals(...MONEY);
  const rows: Row[] = [];
  const { signs: returns } = await readReturns(db, settings.returns);
  const pricedKinds = await readPricedKinds(db, settings, months);
  const chargeSums = await readChargeSums(db, months, { returns: countsFee(returns) });
  for (const { header, rows: rowSum, orders, ...line } of chargeSums) {
    if (header === 0n && rowSum === 0n) continue;
    const key = `${line.period} ${line.name} ${line.currency}`;
    const priced = line.kind === 'charge' ? pricedKinds.get(key) : undefined;
    const agreed = priced?.agreed ?? null;
    const difference = priced ? priced.charged - priced.agreed : header - rowSum;
    const unpriced = priced ? rowSum - priced.charged : null;
    const amounts = { charged: header, order_charged: rowSum, difference, agreed, unpriced };
    const row: Row = { ...line, orders, ...eachField(MONEY, (name) => unitsCell(amounts[name])) };
    if (!fits(row, filters)) continue;
    rows.push(row);
    sums.add(line.currency, { ...amounts, agreed: agreed ?? 0n, unpriced: unpriced ?? 0n });
  }
  const isOneKind = rows.length > 0 && rows.every(({ name }) => name === 'delivery');
  return {
    report: 'charges',
    title: 'Charges and taxes by kind',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [...(isOneKind ? [{ id: 'charges-of-one-kind' } satisfies ChargesNote] : []), ...notes],
  };
}

/**
 * What rows with a price were charged and should have been, by month, name and currency; empty without a rate card, or
 * orders to price.
 */
async function readPricedKinds(
  db: ReportContext['db'],
  settings: ReportContext['settings'],
  periods: readonly string[],
): Promise<ReadonlyMap<string, PricedKind>> {
  const sources = await readSources(db);
  if (!sources.imported.has('tariff') || ourSource(sources) === null) return new Map();
  // No price depends on the clock.
  const context = { db, periods, settings, now: new Date(0), sources, facts: new SharedFacts() };
  const kinds = new Map<string, PricedKind>();
  for (const kind of [...(await pricedOrders(context)).kinds, ...(await pricedCancellations(context))]) {
    const key = `${kind.period} ${kind.charge} ${kind.currency}`;
    const { agreed, charged } = kinds.get(key) ?? { agreed: 0n, charged: 0n };
    kinds.set(key, { ...kind, agreed: agreed + kind.agreed, charged: charged + kind.charged });
  }
  return kinds;
}

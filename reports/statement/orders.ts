import { dayIn } from '../../src/base/day.ts';
import { LedgerError } from '../../src/base/errors.ts';
import type { Bridge } from '../../src/checks/bridge/index.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { orderSigns, returnsOf } from '../../src/checks/facts/returns/convention.ts';
import { ourSource } from '../../src/checks/facts/sources.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import type { MonthTotals } from '../../src/ledger/queries/invoices/totals.ts';
import type { OwnAmounts } from '../../src/ledger/queries/rows/rows.ts';
import { formatAmount, parseAmount } from '../../src/money/decimal.ts';
import { ORDER_MONEY_FIELDS, ROW_SUM_FIELDS, withFields } from '../../src/money/fields.ts';
import { netOfRow, netUnits, type RowSigns } from '../../src/money/returns.ts';
import type { Units } from '../../src/money/units.ts';
import { controlsError } from '../../src/words/errors/controls.ts';
import { ColumnTotals, columnsOf, moneyColumns } from '../columns.ts';
import { isShown, type OnlyCurrency } from '../filters.ts';
import type { LongReport, PlainRow, Row } from '../model.ts';
import { rowsInPages } from '../rows.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './mismatches.ts';
import { type LineWithOwn, type OwnSide, readPagesWithOwn } from './own-amounts.ts';

/** The first three stay in view and are on every printed page: an amount is of no use without its currency. */
const COLUMNS = [
  ...columnsOf(
    'invoice_number order_id* currency* reference_id delivered_on district',
    'workflow delivery_state payment_state',
  ),
  ...moneyColumns([...ORDER_MONEY_FIELDS, 'net']),
  ...columnsOf('own_cod own_delivery_fee book_cod agreed_fee own_net difference flags'),
];

export interface OrderTableRequest {
  readonly context: CheckContext;
  readonly month: string;
  readonly ownSide: OwnSide;
  readonly mismatches: readonly Mismatch[];
  /** The database's sums, in the same currencies as the bridge. */
  readonly control: MonthTotals;
  /** The month's bridge, with our figure as the database sums it: the column `own_net` must add up to it. */
  readonly bridge: readonly Bridge[];
  readonly onlyCurrency?: OnlyCurrency;
}

/** The sources of our columns (`own_cod` to `own_net`), and why they may be empty. */
export type OrdersNote =
  | { id: 'no-records-of-ours' }
  | { id: 'rows-without-record'; count: number }
  | { id: 'our-net-by-own-book' }
  | { id: 'our-net-by-both' };

/**
 * The Orders sheet: one row per invoice row and currency, with our amounts for the order and its mismatches. Reading
 * the last row throws a LedgerError if the rows do not add up to the control totals.
 */
export function orderTable(request: OrderTableRequest): LongReport {
  const { context, month, ownSide, mismatches, control, bridge, onlyCurrency = null } = request;
  const flags = new Flags(mismatches);
  const courierSums = new ColumnTotals(...ORDER_MONEY_FIELDS, 'net');
  const ourSums = new ColumnTotals('own_cod', 'own_delivery_fee', 'book_cod', 'agreed_fee', 'own_net', 'difference');
  // Whose records our figure rests on: the courier's order book, or else the merchant's.
  const source = ourSource(context.sources);
  let withoutRecord = 0;
  return {
    report: 'orders',
    title: 'Orders',
    period: month,
    columns: COLUMNS,
    rows: rowsInPages(pages),
    pages,
    totals: () => {
      // A column that cannot have amounts has no total.
      const { imported } = context.sources;
      const emptyTotals = {
        ...(imported.has('orders') ? {} : { book_cod: null }),
        ...(imported.has('tariff') ? {} : { agreed_fee: null }),
        ...(source === 'own-book' ? { own_cod: null, own_delivery_fee: null } : {}),
      };
      const ourTotals = new Map(ourSums.rows().map((row) => [row.currency, { ...row, ...emptyTotals }]));
      return courierSums.rows().map((row) => ({ ...row, ...ourTotals.get(row.currency ?? null) }));
    },
    notes,
  };

  async function* pages(): AsyncGenerator<readonly PlainRow[]> {
    // How COD and fee of a RETURN order count on the courier's invoices, and how those of an order count for us.
    const { signs } = await returnsOf(context);
    const signsOfOrder = await orderSigns(context);
    /** Our net of an order; null for a return while nobody knows how returns count, unless it has no amounts. */
    const ourNet = (orderId: string, counted: OwnAmounts): Units | null => {
      const ourSigns = signsOfOrder(orderId);
      if (ourSigns) return netUnits(counted, ourSigns);
      return counted.cod === 0n && counted.delivery_fee === 0n ? 0n : null;
    };
    for await (const page of readPagesWithOwn(context, month, ownSide)) {
      const rowsOfPage: PlainRow[] = [];
      for (const line of page) {
        if (isShown(onlyCurrency, line.line.currency)) rowsOfPage.push(rowOf(line, signs, ourNet));
      }
      yield rowsOfPage;
    }
    const summed = courierSums.rows().map(({ currency, ...row }): Row => {
      const money = ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, row[field]]);
      return { currency, ...Object.fromEntries(money) };
    });
    assertControlTotal(month, ROW_SUM_FIELDS, summed, control);
    assertOurFigure(month, ourSums.rows(), bridge);
  }

  function rowOf(
    { line, district, record, booked, agreed, counted }: LineWithOwn,
    signs: RowSigns | null,
    ourNet: (orderId: string, counted: OwnAmounts) => Units | null,
  ): PlainRow {
    const { invoice_number, order_id, currency } = line;
    const net = netOfRow(line, signs);
    const own_net = counted && ourNet(order_id, counted);
    const cells = {
      invoice_number,
      order_id,
      currency,
      reference_id: line.reference_id,
      delivered_on: line.delivered_at && dayIn(line.delivered_at, context.settings.timeZone),
      district,
      workflow: line.workflow,
      delivery_state: line.delivery_state,
      payment_state: line.payment_state,
      net,
      own_cod: record?.cod ?? null,
      own_delivery_fee: record?.delivery_fee ?? null,
      book_cod: booked,
      agreed_fee: agreed,
      own_net,
      difference: own_net === null || net === null ? null : net - own_net,
      flags: flags.ofRow(invoice_number, order_id),
    };
    const row = withFields(cells, ORDER_MONEY_FIELDS, (field) => line[field]);
    courierSums.addRow(currency, row);
    if (counted) ourSums.addRow(currency, row);
    else withoutRecord += 1;
    return row;
  }

  function notes(): OrdersNote[] {
    const { imported } = context.sources;
    const isCorrected = imported.has('orders') || imported.has('tariff');
    const orderNotes: OrdersNote[] = [];
    if (source === null) orderNotes.push({ id: 'no-records-of-ours' });
    else if (withoutRecord > 0) orderNotes.push({ id: 'rows-without-record', count: withoutRecord });
    if (source === 'own-book') orderNotes.push({ id: 'our-net-by-own-book' });
    else if (source !== null && isCorrected) orderNotes.push({ id: 'our-net-by-both' });
    return orderNotes;
  }
}

/** Our net, added up by this program and by the database, must be one figure. @throws LedgerError if the two differ */
function assertOurFigure(month: string, summed: readonly Row[], bridge: readonly Bridge[]): void {
  for (const { currency, ours } of bridge) {
    if (ours === null) continue;
    const ofRows = parseAmount(String(summed.find((row) => row.currency === currency)?.own_net ?? '0'));
    if (ofRows.eq(parseAmount(ours))) continue;
    const rows = formatAmount(ofRows);
    throw new LedgerError(controlsError({ id: 'own-figure-fails', month, currency, rows, database: ours }));
  }
}

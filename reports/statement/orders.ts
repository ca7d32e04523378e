import type { Bridge } from '../../src/checks/bridge/index.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { ourSource } from '../../src/checks/knowledge.ts';
import { LedgerError } from '../../src/errors.ts';
import type { Mismatch, MonthTotals } from '../../src/ledger/read/index.ts';
import { formatAmount, minus, ORDER_MONEY_FIELDS, parseAmount, ROW_SUM_FIELDS } from '../../src/money/index.ts';
import type { Column, Report, Row } from '../model.ts';
import { ORDER_COLUMNS } from '../orders.ts';
import { type PackedRow, PackedRows } from '../packed.ts';
import { mapped } from '../pages.ts';
import { CountSums } from '../sums.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './flags.ts';
import { keeps, type Only } from './only.ts';
import { type LineWithOwn, readPagesWithOwn } from './own.ts';
import type { OwnSide } from './own-side.ts';

const AFTER_REFERENCE: readonly Column[] = [
  { name: 'delivered_on', title: 'Delivered on', type: 'date' },
  { name: 'district', title: 'District', type: 'text' },
];
const OWN: readonly Column[] = [
  { name: 'own_cod', title: 'COD on record', type: 'money' },
  { name: 'own_delivery_fee', title: 'Fee on record', type: 'money' },
  { name: 'book_cod', title: 'COD in own book', type: 'money' },
  { name: 'agreed_fee', title: 'Agreed fee', type: 'money' },
  { name: 'own_net', title: 'Our net', type: 'money' },
  { name: 'difference', title: 'Difference', type: 'money' },
  { name: 'flags', title: 'Mismatches', type: 'text' },
];
const named = (...names: string[]) => names.map((name) => ORDER_COLUMNS.find((column) => column.name === name)!);
/** The first three stay in view and are on every printed page: an amount without its currency says nothing. */
const FIRST = named('invoice_number', 'order_id', 'currency');
const REFERENCE = named('reference_id');
const REST = ORDER_COLUMNS.filter((column) => ![...FIRST, ...REFERENCE].includes(column));
const COLUMNS = [...FIRST, ...REFERENCE, ...AFTER_REFERENCE, ...REST, ...OWN];

/** Where the columns that are summed begin: the courier's three, and our six. */
const COD_AT = COLUMNS.findIndex(({ name }) => name === 'cod');
const OWN_COD_AT = COLUMNS.findIndex(({ name }) => name === 'own_cod');

export interface OrderTableRequest {
  readonly context: CheckContext;
  readonly month: string;
  /** What our own book and the agreed prices say. */
  readonly side: OwnSide;
  readonly mismatches: readonly Mismatch[];
  /** The database's own sums, of the same currencies as the bridge. */
  readonly control: MonthTotals;
  /** The month's bridge: our figure as the database sums it, to which the column of our net must come. */
  readonly bridge: readonly Bridge[];
  readonly only?: Only;
}

/**
 * The Orders sheet: a row an invoice row and currency, beside it what the order's own record says, and the mismatches that are about
 * it. Reading the last row throws LedgerError when the rows do not come to the control totals.
 */
export function orderTable({
  context,
  month,
  side,
  mismatches,
  control,
  bridge,
  only = null,
}: OrderTableRequest): Report {
  const flags = new Flags(mismatches);
  const sums = new CountSums(...ORDER_MONEY_FIELDS, 'net');
  const ours = new CountSums('own_cod', 'own_delivery_fee', 'book_cod', 'agreed_fee', 'own_net', 'difference');
  const source = ourSource(context.knowledge);
  let records = 0;
  let without = 0;
  return {
    report: 'orders',
    title: 'Orders',
    period: month,
    columns: COLUMNS,
    rows: new PackedRows(COLUMNS, pages()),
    totals: () => {
      // No total of a column in which nothing can stand.
      const { imported } = context.knowledge;
      const silent = {
        ...(imported.has('orders') ? {} : { book_cod: null }),
        ...(imported.has('tariff') ? {} : { agreed_fee: null }),
        ...(source === 'own-book' ? { own_cod: null, own_delivery_fee: null } : {}),
      };
      const own = new Map(ours.rows().map((row) => [row.currency, { ...row, ...silent }]));
      return sums.rows().map((row) => ({ ...row, ...own.get(row.currency ?? null) }));
    },
    notes,
  };

  async function* pages(): AsyncGenerator<Iterable<PackedRow>> {
    for await (const page of readPagesWithOwn(context, month, side)) {
      yield mapped(only === null ? page : linesOf(page, only), rowOf);
    }
    const summed = sums.rows().map(({ currency, ...row }): Row => {
      const money = ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, row[field]]);
      return { currency, ...Object.fromEntries(money) };
    });
    assertControlTotal(month, ROW_SUM_FIELDS, summed, control);
    assertOurFigure(month, ours.rows(), bridge);
  }

  /** A line in the order of {@link COLUMNS}. */
  function rowOf({ line, district, own, booked, agreed, ours: counted }: LineWithOwn): PackedRow {
    const { currency, cod, delivery_fee } = line;
    const net = minus(cod, delivery_fee);
    if (counted) records += 1;
    else without += 1;
    const own_net = counted && minus(counted.cod, counted.delivery_fee);
    const difference = own_net === null ? null : minus(net, own_net);
    const { invoice_number, order_id, reference_id, delivered_on } = line;
    const { workflow, delivery_state, payment_state } = line;
    const row = [
      invoice_number,
      order_id,
      currency,
      reference_id,
      delivered_on,
      district,
      workflow,
      delivery_state,
      payment_state,
      cod,
      delivery_fee,
      net,
      own?.cod ?? null,
      own?.delivery_fee ?? null,
      booked,
      agreed,
      own_net,
      difference,
      flags.ofRow(invoice_number, order_id),
    ];
    sums.add(currency, row, COD_AT);
    if (counted) ours.add(currency, row, OWN_COD_AT);
    return row;
  }

  function notes(): string[] {
    const said: string[] = [];
    if (source === null) said.push('No order book was synced: nothing of ours stands beside these rows.');
    else if (without > 0 && records + without > 0) {
      said.push(
        `${without} ${without === 1 ? 'row has' : 'rows have'} no record of ours: our columns are empty there, and count nothing.`,
      );
    }
    const { imported } = context.knowledge;
    if (source === 'own-book') {
      said.push(
        'No order book was synced: our net is the COD of our own book where an invoice calls the order delivered, less the agreed fee where a price covers it.',
      );
    } else if (source !== null && (imported.has('orders') || imported.has('tariff'))) {
      said.push(
        'Our net is the COD of our own book where it holds the delivered order, else of its record, less the agreed fee where a price covers it, else the fee on record.',
      );
    }
    return said;
  }
}

function* linesOf(page: Iterable<LineWithOwn>, only: string): Generator<LineWithOwn> {
  for (const each of page) if (keeps(only, each.line.currency)) yield each;
}

/** The column of our net and the bridge's figure are the same sum, reached by two programs. @throws LedgerError where they differ */
function assertOurFigure(month: string, summed: readonly Row[], bridge: readonly Bridge[]): void {
  for (const { currency, ours } of bridge) {
    if (ours === null) continue;
    const here = String(summed.find((row) => row.currency === currency)?.own_net ?? '0');
    if (parseAmount(here).eq(parseAmount(ours))) continue;
    throw new LedgerError(
      `the control total of ${month} fails: our figure comes to ${formatAmount(parseAmount(here))} ${currency} row by row and to ${ours} ${currency} in the database`,
      'Nothing was written. Run the command again, in case a sync came between; then `remit verify`. If it finds nothing, keep a copy of the ledger and report this.',
    );
  }
}

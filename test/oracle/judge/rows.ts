import { compared, type Expected, effectOf } from './finding.ts';
import { about } from './inside.ts';
import type { Ledger, PlacedRow } from './ledger.ts';
import { atStake, currenciesIn, of } from './money.ts';
import { chargesCancelled, creditsUndelivered, rowChain } from './row-chain.ts';
import type { Sheet } from './sheet.ts';

const DELIVERY_STATES = [
  'CREATED PICKUP_REQUESTED PICKUP_ASSIGNED SCANNED_FOR_PICKUP PICKED_UP AT_WAREHOUSE DELIVERY_ASSIGNED',
  'SCANNED_FOR_DELIVERY PICKED_UP_FOR_DELIVERY IN_TRANSIT DELIVERED AWAITING_RETURN CANCELLED DELIVERED_AT_WAREHOUSE',
].flatMap((line) => line.split(' '));
const PAYMENT_STATES =
  'UNPAID PENDING_PAYMENT_BY_DRIVER PAID_BY_DRIVER PENDING_PAYMENT_TO_MERCHANT PAID_TO_MERCHANT'.split(' ');

/** Row by row: what was never delivered, cancelled, unknown, or not as the order's record has it. */
export function judgeRows(ledger: Ledger, sheet: Sheet): void {
  for (const placed of ledger.rows) {
    const { row, facts } = placed;
    const currencies = currenciesIn(row.cod, row.delivery_fee, facts?.now.cod, facts?.now.delivery_fee);
    for (const currency of currencies) judgeMoney(ledger, placed, currency, sheet);
    if (placed.unknown && ledger.hasBook) unknownOrder(placed, sheet);
    states(placed, sheet);
  }
}

function judgeMoney(ledger: Ledger, placed: PlacedRow, currency: string, sheet: Sheet): void {
  const { invoice, row, facts, comparable, index } = placed;
  const chain = rowChain(placed, currency, ledger);
  const takes = (code: string, field: string, effect: bigint | null): Pick<Expected, 'effect'> => {
    const finding = `${code} ${invoice.number} ${index} ${currency} ${field}`;
    if (effect !== null) sheet.part({ code, period: invoice.period, currency, effect, finding });
    return effectOf(effect);
  };
  const base = { times: 'one' as const, order_id: row.order_id, currency };
  if (creditsUndelivered(placed, currency)) {
    const code = 'cod-without-delivery';
    const byRecord = row.delivery_state === 'DELIVERED';
    sheet.add({
      ...about(code, 'warning', invoice),
      ...base,
      byRecord,
      ...takes(code, 'cod', chain.codWithoutDelivery),
    });
  }
  if (chargesCancelled(placed, currency)) {
    const code = 'fee-on-cancelled';
    const byRecord = row.delivery_state !== 'CANCELLED';
    sheet.add({ ...about(code, 'warning', invoice), ...base, byRecord, ...takes(code, 'fee', chain.feeOnCancelled) });
  }
  if (chain.notComparable !== null) {
    const touched = [row.cod, row.delivery_fee].some((money) => of(money, currency) !== 0n);
    if (touched || chain.notComparable !== 0n) {
      takes('not-compared', '', chain.notComparable);
      sheet.notCompared.add(invoice.period);
    }
  }
  if (!comparable || !facts) return;
  for (const [field, effect] of [
    ['cod', chain.codDiffers],
    ['delivery_fee', chain.feeDiffers],
  ] as const) {
    const [expected, actual] = [of(facts.now[field], currency), of(row[field], currency)];
    if (expected === actual) continue;
    const code = 'order-amount-differs';
    const said = { ...about(code, 'error', invoice), ...base, field, ...compared(expected, actual) };
    sheet.add({ ...said, ...takes(code, field, effect) });
  }
}

function unknownOrder(placed: PlacedRow, sheet: Sheet): void {
  const { invoice, row, index } = placed;
  const code = 'order-unknown';
  const base = { ...about(code, 'error', invoice), order_id: row.order_id };
  const currencies = atStake([row]);
  if (currencies.length === 0) sheet.add({ ...base, times: 'some', effect: null });
  for (const currency of currencies) {
    const effect = rowChain(placed, currency, { hasBook: true, own: null }).unknown;
    const finding = `${code} ${invoice.number} ${index} ${currency}`;
    if (effect !== null) sheet.part({ code, period: invoice.period, currency, effect, finding });
    // A row whose money another step took may be told once, without a currency.
    sheet.add(
      effect === null
        ? { ...base, times: 'some', effect: null }
        : { ...base, times: 'one', currency, ...effectOf(effect) },
    );
  }
}

function states({ row, invoice }: PlacedRow, sheet: Sheet): void {
  const unknown = !DELIVERY_STATES.includes(row.delivery_state) || !PAYMENT_STATES.includes(row.payment_state);
  if (unknown)
    sheet.add({ code: 'status-unknown', severity: 'warning', times: 'some', order_id: row.order_id, effect: null });
  if (unknown) sheet.add({ code: 'status-unknown', severity: 'warning', times: 'may', invoice_number: invoice.number });
}

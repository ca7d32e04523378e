import type { OrdersFile } from '../imports/formats/orders.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { type Counts, writeOwnOrders } from '../ledger/write/own-orders.ts';
import { parseUnits } from '../money/units.ts';

/** Writes orders of the shop's own book. A later file overwrites the orders that it names; the others stay. */
export function applyOwnOrders(trx: LedgerTransaction, evidenceId: number, file: OrdersFile): Promise<Counts> {
  const orders = file.orders.map(({ reference, ordered_on, status, district, note, amounts }) => {
    const cod = new Map(amounts.map((amount) => [amount.currency, parseUnits(amount.cod)]));
    return { reference, ordered_on, status, district, note, cod };
  });
  return writeOwnOrders(trx, orders, evidenceId);
}

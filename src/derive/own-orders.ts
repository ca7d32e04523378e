import type { OrdersFile } from '../books/formats/index.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { type Counts, writeOwnOrders } from '../ledger/write/own-orders.ts';
import { parseUnits } from '../money/index.ts';

/** Orders of the shop's own book: what a file names is written over what earlier ones said, and the rest stays. */
export function applyOwnOrders(trx: LedgerTransaction, evidenceId: number, file: OrdersFile): Promise<Counts> {
  const orders = file.orders.map(({ reference, ordered_on, status, district, note, amounts }) => {
    const cod = new Map(amounts.map((amount) => [amount.currency, parseUnits(amount.cod)]));
    return { reference, ordered_on, status, district, note, cod };
  });
  return writeOwnOrders(trx, orders, evidenceId);
}

import type { Invoice, Order } from './model.ts';
import { Purse } from './money.ts';

/** The row of an order on its invoice, on a night. */
export function rowOf(order: Order, invoice: Invoice, isRestated: boolean): { cod: Purse; fee: Purse } {
  const cod = (order.rowCod ?? order.cod).copy();
  const restated = isRestated ? invoice.restated : null;
  if (restated?.order === order) cod.add(restated.currency, restated.by);
  return { cod, fee: order.rowFee ?? order.fee };
}

/** What an invoice states: COD, fee and net. */
export function headerOf(invoice: Invoice, isRestated: boolean): { cod: Purse; fee: Purse; net: Purse } {
  const [cod, fee] = [invoice.moreCod.copy(), invoice.moreFee.copy()];
  for (const order of invoice.orders) {
    const row = rowOf(order, invoice, isRestated);
    cod.addAll(row.cod);
    fee.addAll(row.fee);
  }
  return { cod, fee, net: new Purse().addAll(invoice.moreNet).addAll(cod).addAll(fee, -1n) };
}

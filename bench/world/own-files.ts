import { moneyOf, text } from './amounts.ts';
import { rowOf } from './records.ts';

/** The shop's own book as CSV: what it asked for, which is what the courier has, but for one order in a thousand. */
export function ordersText(month: string, orders: number): string {
  const rows: string[] = [];
  for (let serial = 1; serial <= orders; serial += 1) {
    const { usd, lbp } = moneyOf(serial);
    const { reference_id } = rowOf(serial);
    const row = (currency: string, cents: number) =>
      rows.push(`${reference_id},${month}-01,handed_over,${currency},${text(cents)},Beirut,`);
    row('USD', usd + (serial % 1_000 === 0 ? 500 : 0));
    if (lbp > 0) row('LBP', lbp);
  }
  return `reference,ordered_on,status,currency,cod,district,note\n${rows.join('\n')}\n`;
}

/**
 * A bank's lines as CSV: invoices are paid in both currencies, three in ten of them in dollars without a number, one in
 * fifty not at all. The rest is other business.
 */
export function bankText(month: string, invoices: number, rowsAnInvoice: number, lines: number): string {
  const rows: string[] = [];
  for (let invoice = 0; invoice < invoices && rows.length < lines - 100; invoice += 1) {
    if (invoice % 50 === 49) continue;
    let [net, pounds] = [0, 0];
    for (let serial = invoice * rowsAnInvoice + 1; serial <= (invoice + 1) * rowsAnInvoice; serial += 1) {
      const { usd, lbp, fee } = moneyOf(serial);
      net += usd - fee;
      pounds += lbp;
    }
    const day = `${month}-${String(1 + (invoice % 28)).padStart(2, '0')}`;
    const named = `Bench Courier invoice ${100_000 + invoice}`;
    rows.push(`${day},${text(net)},USD,${invoice % 10 < 7 ? named : 'Bench Courier remittance'},`);
    rows.push(`${day},${text(pounds)},LBP,${named},`);
  }
  while (rows.length < lines) rows.push(`${month}-15,-${rows.length}.00,USD,Wages,`);
  return `date,amount,currency,text,invoice\n${rows.join('\n')}\n`;
}

import { type OwnBooks, ownBooks } from './own-books.ts';

/** A map of sheets with a column a kind of charge and a totals row. */
export const CEDAR = `[maps.cedar]
kind = "settlement"
currency = "USD"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Paid on", status = "Status", order = "AWB", reference = "Your ref", workflow = "Type", cod = "COD", net = "Net" }
charges = { delivery = "Delivery Fee", handling = "COD %" }
taxes = { wht = "WHT 2%" }
`;

const HEAD = 'Payout,Paid on,Status,AWB,Your ref,Type,COD,Delivery Fee,COD %,WHT 2%,Net';

/** A sheet of {@link CEDAR}: its rows, and totals, as CSV. */
export const cedar = (...lines: string[]) => `${HEAD}\n${lines.join('\n')}\n`;

/** Payout 118: two deliveries and a return. */
export const PAYOUT_118 = [
  '118,2026-10-31,Paid,C-1,SO-1,Delivery,100.00,3.00,1.00,0.08,95.92',
  '118,2026-10-31,Paid,C-2,SO-2,Delivery,50.00,3.00,0.50,0.07,46.43',
  '118,2026-10-31,Paid,C-3,SO-3,Return,-20.00,2.00,0.00,0.04,-22.04',
];
export const TOTAL_118 = 'Total,,,,,,130.00,8.00,1.50,0.19,120.31';

/** Books whose courier sends such sheets. */
export function sheetBooks(toml = CEDAR, now?: Date): OwnBooks {
  return ownBooks(toml, now);
}

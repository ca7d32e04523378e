import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownBooks } from '../../helpers/own-books.ts';

/** Layouts as couriers send them, made up: a letterhead and kinds of charges; a column a currency; a row a currency. */
const MAPS = `[maps.express]
kind = "settlement"
currency = "USD"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Paid on", order = "AWB", reference = "Your ref", workflow = "Type", cod = "COD", net = "Net" }
charges = { delivery = "Delivery Fee", handling = "COD %" }
taxes = { wht = "WHT 2%" }
[maps.two-currencies]
kind = "settlement"
delimiter = ";"
decimal = ","
thousands = "."
totals_row = "TOTAL"
columns = { invoice = "Batch no", issued_on = "Date", reference = "Order", status = "Status", cod = { USD = "COD $", LBP = "COD LL" }, fee = { USD = "Fee $" } }
[maps.a-row-a-currency]
kind = "settlement"
columns = { invoice = "Settlement", issued_on = "Settlement date", order = "Tracking number", reference = "Merchant ref", workflow = "Shipment type", currency = "Curr", cod = "Collected", fee = "Charges", net = "Due" }
`;

type Totals = [
  currency: string,
  invoices: number,
  orders: number,
  cod: string,
  charges: string,
  taxes: string,
  net: string,
];

describe('layouts of settlement sheets', () => {
  it.each<[string, Totals[]]>([
    ['express', [['USD', 1, 3, '150.00', '9.50', '0.19', '140.31']]],
    [
      'two-currencies',
      [
        ['LBP', 1, 2, '5370000.00', '0.00', '0.00', '5370000.00'],
        ['USD', 2, 4, '160.00', '12.00', '0.00', '148.00'],
      ],
    ],
    [
      'a-row-a-currency',
      [
        ['LBP', 1, 1, '900000.00', '0.00', '0.00', '900000.00'],
        ['USD', 2, 3, '130.00', '8.00', '0.00', '122.00'],
      ],
    ],
  ])('%s', async (name, expected) => {
    const books = ownBooks(MAPS);
    const text = readFileSync(new URL(`../../fixtures/settlements/${name}.csv`, import.meta.url), 'utf8');
    const argv = ['import', 'settlement', books.file(`${name}.csv`, text), '--map', name];
    const { totals } = await books.json<{ totals: Record<string, unknown>[] }>(argv);
    expect(
      totals.map((one) => [
        one.currency,
        one.invoices,
        one.orders,
        one.cod,
        one.charges,
        one.taxes,
        one.net_due_to_merchant,
      ]),
    ).toEqual(expected);
    const { code, stderr } = await books.remit(['check', '2026-10', '--fail-on', 'warning', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await books.verify();
  });
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';

const bill = (number: number, cod: string) => ({
  ...invoiceOf(number, `2026-10-0${number % 10}T10:00:00+03:00`, [
    { order_id: `o${number}`, cod: [['USD', cod]], delivery_fee: [['USD', '3.00']] },
  ]),
  status: 'PAID',
});

let courier: FakeCourier;
let books: OwnBooks;
beforeEach(async () => {
  courier = await startFakeCourier({ invoices: [1, 2, 3, 4].map((number) => bill(number, `${number}03.00`)) });
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
});
afterEach(() => courier.close());

const cli = (...argv: string[]) => books.remit(argv, { env: { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY } });
async function found(): Promise<unknown[]> {
  const { mismatches } = JSON.parse((await cli('check', '2026-10', '--json')).stdout);
  return mismatches
    .filter(({ code }: { code: string }) => code.startsWith('remittance') || code.startsWith('receipt'))
    .map((one: Record<string, string>) => [one.code, one.invoice_number, one.effect]);
}
async function invoices(): Promise<unknown[]> {
  const { rows } = JSON.parse((await cli('report', 'invoices', '2026-10', '--json')).stdout);
  return rows.map((row: Record<string, string>) => [row.number, row.received, row.outstanding]);
}
const bank = (name: string, ...lines: string[]) =>
  cli('import', 'receipts', books.file(name, `date,amount,currency,text,invoice\n${lines.join('\n')}\n`));

it('an invoice that is restated or vanishes after its receipt met it is open again, and the rest finds its own receipt', async () => {
  expect((await cli('sync', '2026-10')).code).toBe(0);
  const paid = [1, 2, 3, 4].map((n) => `2026-10-0${n + 3},${n}00.00,USD,Cedar Road,${n}`);
  await bank('a.csv', '2026-10-01,-9.00,USD,Rent,', ...paid, '2026-10-12,-9.00,USD,Rent,');
  expect(await found()).toEqual([]);

  // One asks for more, one for less, one is gone.
  courier.world.invoices.splice(0, 3, bill(1, '110.00'), bill(2, '193.00'));
  expect((await cli('sync', '2026-10', '--full')).code).toBe(0);
  expect(await found()).toEqual([
    ['remittance-short', 1, '-7.00'],
    ['remittance-over', 2, '10.00'],
    ['remittance-over', 3, '300.00'],
  ]);
  expect(await invoices()).toEqual([
    [1, '100.00', '7.00'],
    [2, '200.00', '-10.00'],
    // What is gone asks for nothing, and its money is part of the balance.
    [3, '300.00', '-300.00'],
    [4, '400.00', '0.00'],
  ]);
  const totals = async (name: string) =>
    JSON.parse((await cli('report', name, '2026-10', '--json')).stdout).totals[0] as Record<string, string>;
  expect((await totals('invoices')).outstanding).toBe('-303.00');
  expect((await totals('totals')).outstanding).toBe('-303.00');

  // The courier pays the rest and takes back what was too much.
  await bank(
    'b.csv',
    '2026-10-20,7.00,USD,Cedar Road,1',
    '2026-10-21,-10.00,USD,Cedar Road,',
    '2026-10-22,-300.00,USD,Cedar Road,',
  );
  expect(await found()).toEqual([]);
  expect(await invoices()).toEqual([
    [1, '107.00', '0.00'],
    [2, '190.00', '0.00'],
    [4, '400.00', '0.00'],
  ]);
  await books.verify();
});

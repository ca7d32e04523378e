import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { invoiceOf, startFakeCourier } from '../../helpers/courier.ts';
import { ownBooks } from '../../helpers/own-books.ts';
import { syncInto } from '../../helpers/sync.ts';

const MAP = `time_zone = "UTC"
[couriers.road]
kind = "files"
map = "road"
[maps.road]
kind = "settlement"
columns = { invoice = "Payout", issued_on = "Date", reference = "Ref", cod = "COD", net = "Net", weight = "Kg" }
charges = { delivery = "Delivery Charge", cod-fee = "COD Fee 1%" }
taxes = { wht = "WHT" }
currency = "USD"
`;
const SHEET = `Payout,Date,Ref,COD,Delivery Charge,COD Fee 1%,WHT,Kg,Net
ES-1,2026-10-05,R-1,200.00,5.00,2.00,0.25,4.9 kg,192.75
ES-1,2026-10-05,R-2,228.00,5.00,2.28,0.00,5,220.72
`;
const ORDERS = `reference,ordered_on,status,currency,cod
R-1,2026-10-01,handed_over,USD,200.00
R-2,2026-10-01,handed_over,USD,228.00
`;
const HEAD = 'workflow,district,area,merchant_location,from,to,currency,fee';

interface Checked {
  bridge: { courier: string; ours: string; steps: { code: string; effect: string }[]; unexplained: string }[];
  mismatches: { code: string; field: string; effect: string | null; amount: string | null; message: string }[];
}

/** Books of one courier that sends sheets, by the own book and a rate card. @param card its header and lines */
async function pricedBy(card: string) {
  const books = ownBooks(MAP);
  await books.json(['import', 'settlement', books.file('sheet.csv', SHEET), '--courier', 'road', '--by', 'Rana']);
  await books.json(['import', 'orders', books.file('orders.csv', ORDERS), '--by', 'Rana']);
  await books.json(['import', 'tariff', books.file('tariff.csv', card), '--by', 'Rana']);
  const { stdout } = await books.remit(['check', '2026-10', '--json']);
  const { bridge, mismatches } = JSON.parse(stdout) as Checked;
  const fees = mismatches.filter(({ code }) => code.startsWith('fee-'));
  const { rows } = await books.json<{ rows: Record<string, string | null>[] }>(['report', 'charges', '2026-10']);
  const charges = Object.fromEntries(
    rows.map(({ name, agreed, charged, difference, unpriced }) => [name, [agreed, charged, difference, unpriced]]),
  );
  expect(bridge.map(({ unexplained }) => unexplained)).toEqual(['0.00']);
  await books.verify();
  return {
    books,
    bridge: bridge[0]!,
    found: fees.map(({ code, field, effect }) => [code, field, effect]),
    fees,
    charges,
  };
}

/** Books without an API. @param card its header and lines */
async function sheetsAlone(card: string) {
  const books = ownBooks();
  books.file('remit.toml', MAP);
  await books.json(['import', 'settlement', books.file('sheet.csv', SHEET)]);
  await books.json(['import', 'orders', books.file('orders.csv', ORDERS)]);
  await books.json(['import', 'tariff', books.file('tariff.csv', card)]);
  return books;
}

describe('each charge of a sheet is compared with its own price', () => {
  it('one without a price is said to have none, and is no overcharge', async () => {
    const { found, fees, charges, bridge, books } = await pricedBy(`${HEAD}\nSTANDARD,,,,,,USD,3.00\n`);
    expect(found).toEqual([
      ['fee-off-tariff', 'delivery_fee', '-2.00'],
      ['fee-off-tariff', 'delivery_fee', '-2.00'],
      ['fee-no-tariff', 'charge cod-fee', null],
      ['fee-no-tariff', 'charge cod-fee', null],
    ]);
    expect(fees.map(({ amount }) => amount)).toEqual(['-2.00', '-2.00', '2.00', '2.28']);
    expect(fees[2]?.message).toContain('No line of the rate card covers cod-fee of order');
    // 428.00 less 3.00 each and the tax, which is as the sheet has it: no price says one.
    expect(bridge).toMatchObject({ courier: '413.47', ours: '421.75' });
    expect(bridge.steps).toEqual([
      { code: 'not-compared', count: 2, effect: '-4.28' },
      { code: 'fee-off-tariff', count: 2, effect: '-4.00' },
    ]);
    expect(charges).toEqual({
      delivery: ['6.00', '10.00', '4.00', '0.00'],
      'cod-fee': [null, '4.28', '0.00', null],
      wht: [null, '0.25', '0.00', null],
    });
    const argv = ['dispute', '2026-10', '--courier', 'road', '--dry-run'];
    const { stdout } = await books.remit([...argv, '--json']);
    const { totals } = JSON.parse(stdout) as { totals: { currency: string; owed_to_us: string }[] };
    expect(totals.map(({ currency, owed_to_us }) => [currency, owed_to_us])).toEqual([['USD', '4.00']]);
    expect(stdout).not.toContain('2.28');
  });

  it.each([
    ['a share of the COD', ',,,,,,USD,,cod-fee,1,,,,,,', [], ['4.28', '4.28', '0.00', '0.00']],
    ['half of it', ',,,,,,USD,,cod-fee,0.5 %,,,,,,', ['-1.00', '-1.14'], ['2.14', '4.28', '2.14', '0.00']],
    ['at most 2.00', ',,,,,,USD,,cod-fee,1,,2.00,,,,', ['-0.28'], ['4.00', '4.28', '0.28', '0.00']],
    ['at least 2.25', ',,,,,,USD,,cod-fee,1,2.25,,,,,', ['0.25'], ['4.53', '4.28', '-0.25', '0.00']],
    [
      'by slabs of the COD, which hold their from and not their to',
      ',,,,,,USD,1.00,cod-fee,,,,0,200,,\n,,,,,,USD,2.00,cod-fee,,,,200,228,,\n,,,,,,USD,2.28,cod-fee,,,,228,,,',
      [],
      ['4.28', '4.28', '0.00', '0.00'],
    ],
    [
      'by slabs of the weight',
      ',,,,,,USD,2.00,cod-fee,,,,,,,5\n,,,,,,USD,2.18,cod-fee,,,,,,5,',
      ['-0.10'],
      ['4.18', '4.28', '0.10', '0.00'],
    ],
  ])('%s', async (_, lines, effects, ofCharge) => {
    const head = `${HEAD},charge,percent,min,max,cod_from,cod_to,weight_from,weight_to`;
    const { found, charges, bridge } = await pricedBy(`${head}\nSTANDARD,,,,,,USD,5.00,,,,,,,,\n${lines}\n`);
    expect(found).toEqual(effects.map((effect) => ['fee-off-tariff', 'charge cod-fee', effect]));
    expect(charges).toMatchObject({ delivery: ['10.00', '10.00', '0.00', '0.00'], 'cod-fee': ofCharge });
    const differing = effects.length === 0 ? [] : ['fee-off-tariff'];
    expect(bridge.steps.map(({ code }) => code)).toEqual(differing);
  });

  it('a tax that is withheld is no fee that was not compared: a month that agrees is clean, and closes', async () => {
    const books = await sheetsAlone(`${HEAD},charge,percent\nSTANDARD,,,,,,USD,5.00,,\n,,,,,,USD,,cod-fee,1\n`);
    const { incomplete, bridge, mismatches } = await books.json<Checked & { incomplete: unknown[] }>([
      'check',
      '2026-10',
    ]);
    expect([incomplete, mismatches]).toEqual([[], []]);
    expect(bridge).toMatchObject([{ courier: '413.47', ours: '413.47', steps: [], unexplained: '0.00' }]);
    expect(await books.remit(['close', '2026-10', '--first', '--by', 'Rana'])).toMatchObject({ code: 0 });
    await books.verify();
  });

  it('the tax of an order that the own book lacks is not compared, as the rest of its row', async () => {
    const books = ownBooks(MAP);
    await books.json(['import', 'settlement', books.file('sheet.csv', SHEET), '--courier', 'road']);
    await books.json(['import', 'orders', books.file('orders.csv', ORDERS.replace(/^R-1.*\n/m, ''))]);
    const { stdout } = await books.remit(['check', '2026-10', '--json']);
    const { bridge } = JSON.parse(stdout) as Checked;
    expect(bridge).toMatchObject([{ courier: '413.47', ours: '228.00', unexplained: '0.00' }]);
    expect(bridge[0]!.steps).toEqual([{ code: 'not-compared', count: 2, effect: '185.47' }]);
  });

  it('no remedy of a courier that only sends sheets is a sync', async () => {
    const books = await sheetsAlone(`${HEAD},charge,percent\nSTANDARD,,Hamra,,,,USD,5.00,,\n,,,,,,USD,,cod-fee,1\n`);
    const { stdout, stderr } = await books.remit(['check', '2026-10', '--json']);
    const { incomplete } = JSON.parse(stdout) as { incomplete: { why: string }[] };
    expect(incomplete).toMatchObject([
      {
        why: expect.stringMatching(
          /what neither the settlement sheet nor your own book says of the order.*`remit import tariff FILE`, or `remit import orders FILE`$/,
        ),
      },
    ]);
    const said = [stdout, stderr];
    for (const name of ['not-invoiced', 'custody', 'cash-forecast', 'fees', 'charges']) {
      const report = await books.remit(['report', name, '2026-10']);
      said.push(report.stdout, report.stderr);
    }
    const refused = await books.remit(['close', '2026-11', '--by', 'Rana']);
    expect(`${said.join('\n')}${refused.stderr}`).not.toContain('remit sync');
  });

  it('refuses slabs that overlap, a slab of nothing, and what is no kind of charge', async () => {
    const books = ownBooks(MAP);
    const head = `${HEAD},charge,percent,cod_from,cod_to`;
    for (const [lines, why] of [
      [',,,,,,USD,1.00,cod-fee,,0,100\n,,,,,,USD,2.00,cod-fee,,99,200', 'cover the same orders'],
      [',,,,,,USD,1.00,cod-fee,,100,100', 'nothing is from 100.00 and below 100.00'],
      [',,,,,,USD,1.00,COD fee %,,,', 'is no kind of charge'],
      [',,,,,,USD,,cod-fee,one,,', '"one" is no number of %'],
      [',,,,,,USD,,cod-fee,,,', 'fee'],
    ] as const) {
      const refused = await books.remit(['import', 'tariff', books.file('tariff.csv', `${head}\n${lines}\n`)]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });
});

it('fees of RETURN rows that do not count are no difference, and in no total', async () => {
  const books = ownBooks('time_zone = "UTC"\nreturns = "deducted"');
  const order = (order_id: string, workflow: string, cod: string, fee: string) => ({
    order_id,
    workflow,
    cod: [['USD', cod]] as [string, string][],
    delivery_fee: [['USD', fee]] as [string, string][],
  });
  const rows = [order('A', 'STANDARD', '50.00', '3.00'), order('B', 'RETURN', '10.00', '16.50')];
  const money = { cod: '40.00', delivery_fee: '3.00', net_due_to_merchant: '37.00' };
  const header = Object.fromEntries(Object.entries(money).map(([field, amount]) => [field, [['USD', amount]]]));
  const invoice = invoiceOf(1, '2026-10-01T10:00:00Z', rows);
  const courier = await startFakeCourier({ invoices: [{ ...invoice, list: header, detail: header }] });
  await syncInto(path.join(books.folder, 'ledger.db'), courier, { periods: ['2026-10'] });
  await courier.close();
  const charges = await books.json<{ rows: unknown[] }>(['report', 'charges', '2026-10']);
  expect(charges.rows).toMatchObject([{ charged: '3.00', order_charged: '3.00', difference: '0.00', agreed: null }]);
  const fees = await books.json<{ rows: unknown[]; totals: unknown[] }>(['report', 'fees', '2026-10']);
  expect(fees.rows).toMatchObject([
    { workflow: 'RETURN', delivery_fee: '0.00' },
    { workflow: 'STANDARD', delivery_fee: '3.00' },
  ]);
  expect(fees.totals).toMatchObject([{ delivery_fee: '3.00' }]);
  for (const [currency, says] of [
    ['USD', true],
    ['LBP', false],
  ] as const) {
    const { stdout } = await books.remit(['report', 'fees', '2026-10', '--currency', currency]);
    expect(stdout.includes('charges no fee of RETURN')).toBe(says);
  }
});

import { describe, expect, it } from 'vitest';
import { bankFile, read, refusal, sheetRow, workbook } from '../../helpers/bank-files.ts';

const HEADER = 'reference,ordered_on,status,currency,cod,district,note';

describe('our own CSV', () => {
  it('reads an order of several currencies, and leaves open what the file does not name', () => {
    const file = read(
      'orders',
      `${HEADER}\r\nR-1,2026-10-01,open,USD,12.50,Beirut,"=cmd|' /C calc'!A1"\r\nR-1,2026-10-01,open,LBP,890000,Beirut,\nR-2,,Handed over,,,,\r0012,2026-10-02,cancelled,usd,0,,\n`,
      'book.csv',
    );
    expect(file).toEqual({
      format: 'csv',
      map: 'orders',
      skipped: [],
      notes: [],
      orders: [
        {
          line: 2,
          reference: 'R-1',
          ordered_on: '2026-10-01',
          status: 'open',
          amounts: [
            { currency: 'USD', cod: '12.50' },
            { currency: 'LBP', cod: '890000.00' },
          ],
          district: 'Beirut',
          note: "=cmd|' /C calc'!A1",
        },
        { line: 4, reference: 'R-2', ordered_on: null, status: 'handed_over', amounts: [], district: null, note: null },
        {
          line: 5,
          reference: '0012',
          ordered_on: '2026-10-02',
          status: 'cancelled',
          amounts: [{ currency: 'USD', cod: '0.00' }],
          district: null,
          note: null,
        },
      ],
    });
  });

  it.each([
    ['R-1,2026-10-01,open,USD,1\nR-1,2026-10-01,open,USD,2', 'stands on lines 2 and 3, both in USD'],
    ['R-1,2026-10-01,open,USD,1\nR-1,2026-10-02,open,LBP,2', 'has another ordered_on on line 2'],
    [',2026-10-01,open,USD,1', 'line 2, reference: the row has no reference'],
    ['R-1,2026-10-01,shipped,USD,1', '"shipped" is no status'],
    ['R-1,2026-10-01,open,,1', 'nothing says which currency "1" is in'],
    ['R-1,2026-10-01,open,US Dollar,1', 'is not a currency code'],
    ['R-1,2026-10-01,open,USD', 'line 2: the row has 4 cells where the header has 5'],
    ['R-1,2026-10-01,open,USD,1,x', 'line 2: the row has 6 cells where the header has 5'],
  ])('refuses %j', (rows, message) => {
    expect(refusal('orders', `reference,ordered_on,status,currency,cod\n${rows}`, 'book.csv').message).toContain(
      message,
    );
  });
});

describe('Shopify', () => {
  it('folds the rows of a name, and takes what is outstanding, else the total of a pending payment', () => {
    const file = read('orders', bankFile('shopify.csv'), 'orders.csv');
    expect(file.map).toBe('shopify');
    expect(file.orders).toEqual([
      {
        line: 2,
        reference: '#1001',
        ordered_on: '2026-10-01',
        status: 'handed_over',
        amounts: [{ currency: 'USD', cod: '25.00' }],
        district: 'Beirut',
        note: 'Ring twice,\nplease',
      },
      expect.objectContaining({
        line: 5,
        reference: '#1002',
        status: 'open',
        amounts: [{ currency: 'USD', cod: '0.00' }],
      }),
      expect.objectContaining({ reference: '#1003', status: 'cancelled' }),
      expect.objectContaining({ reference: '#1004', status: 'open', amounts: [{ currency: 'USD', cod: '9.50' }] }),
      expect.objectContaining({ reference: '#1005', amounts: [{ currency: 'USD', cod: '0.00' }] }),
    ]);
    expect(file.notes).toEqual([
      '1 orders with cash on delivery are marked paid: what is to be collected for them is read as 0',
    ]);
  });

  it('reads dates as Excel saves them, once a day after the 12th decides', () => {
    const resaved = (days: readonly string[]) =>
      `Name,Financial Status,Total,Currency,Created at,Id\n${days.map((day, i) => `#${i},pending,1.50,USD,${day} 22:36,5.27763E+12`).join('\n')}`;
    expect(read('orders', resaved(['03/12/2023', '31/12/2023']), 'o.csv').orders[0]!.ordered_on).toBe('2023-12-03');
    const error = refusal('orders', resaved(['03/12/2023']), 'o.csv');
    expect(error.message).toContain('o.csv, line 2, Created at: "03/12/2023 22:36" can be read in two ways');
    expect(error.map).toBe('[maps.mine]\nkind = "orders"\ndate = "DD/MM/YYYY"');
    expect(read('orders', resaved(['03/12/2023']), 'o.csv', { date: 'DD/MM/YYYY' }).orders[0]!.ordered_on).toBe(
      '2023-12-03',
    );
  });

  it('refuses two orders of one name, and one that is paid in part without what is outstanding', () => {
    const header = 'Name,Financial Status,Total,Currency,Created at';
    expect(
      refusal('orders', `${header}\n#1,pending,1,USD,2026-10-01\n#1,pending,2,USD,2026-10-01`, 'o.csv').message,
    ).toContain('the order "#1" has "2" here and "1" on line 2');
    expect(refusal('orders', `${header}\n#1,partially_paid,1,USD,2026-10-01`, 'o.csv').message).toContain(
      'is paid in part',
    );
  });
});

describe('WooCommerce', () => {
  it('reads the older headers with their Cyrillic letters, counts a total once, and lists what is not paid on delivery', () => {
    const file = read('orders', bankFile('woocommerce.csv'), 'orders.csv', { currency: 'USD' });
    expect(
      file.orders.map(({ reference, status, amounts, district }) => [reference, status, amounts[0]!.cod, district]),
    ).toEqual([
      ['1001', 'open', '25.00', 'Beirut'],
      ['1002', 'handed_over', '12.50', 'Tripoli'],
      ['1003', 'cancelled', '0.00', null],
    ]);
    expect(file.notes).toEqual(['1 orders paid by "Credit card": read as paid before, nothing to collect']);
    expect(refusal('orders', bankFile('woocommerce.csv'), 'o.csv').map).toContain('currency = "USD"');
  });

  it('knows cod by its name', () => {
    const file = read(
      'orders',
      'order_id,order_number,order_date,status,order_total,order_currency,payment_method\n9,1009,2026-10-01 06:29:00,wc-processing,7.25,USD,cod\n10,1010,2026-10-01 06:29:00,wc-failed,7.25,USD,stripe',
      'o.csv',
    );
    expect(file.orders.map(({ reference, status, amounts }) => [reference, status, amounts[0]!.cod])).toEqual([
      ['1009', 'open', '7.25'],
      ['1010', 'cancelled', '0.00'],
    ]);
  });

  it('says why its Analytics export is of no use', () => {
    expect(
      refusal('orders', 'Date,Order #,Status,Customer,Net Sales\n2026-10-01,1,completed,A,5.00', 'o.csv').message,
    ).toContain('does not say how an order is paid');
  });
});

describe('orders in a workbook', () => {
  it('are read from the sheet that fits, with exact numbers and real dates', () => {
    const file = read(
      'orders',
      workbook(
        [
          { name: 'Notes', rows: sheetRow(1, 'For the accountant') },
          {
            name: 'Orders',
            rows:
              sheetRow(1, 'reference', 'ordered_on', 'status', 'currency', 'cod') +
              sheetRow(
                3,
                '<c><v>10009</v></c>',
                '<c s="1"><v>46296</v></c>',
                '<c t="s"><v>0</v></c>',
                'USD',
                '<c s="2"><v>4.0999999999999996</v></c>',
              ),
          },
        ],
        { strings: ['open'] },
      ),
      'orders.xlsx',
    );
    expect(file).toMatchObject({ format: 'xlsx', map: 'orders' });
    expect(file.orders).toEqual([
      {
        line: 3,
        reference: '10009',
        ordered_on: '2026-10-01',
        status: 'open',
        amounts: [{ currency: 'USD', cod: '4.10' }],
        district: null,
        note: null,
      },
    ]);
  });
});

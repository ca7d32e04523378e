import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { ImportFileError } from '../../../src/base/errors.ts';
import { payoutHeaders } from '../../../src/derive/settlements.ts';
import { readBytes } from '../../../src/imports/formats/read-bytes.ts';
import type { ColumnMap } from '../../../src/imports/maps/column-map.ts';
import { parseColumnMap } from '../../../src/imports/maps/parse-map.ts';

const CEDAR = {
  kind: 'settlement',
  currency: 'USD',
  totals_row: 'Total',
  columns: {
    invoice: 'Payout',
    issued_on: 'Paid on',
    status: 'Status',
    order: 'AWB',
    reference: 'Ref',
    workflow: 'Type',
    cod: 'COD',
    net: 'Net',
  },
  charges: { delivery: 'Fee', handling: 'COD %' },
  taxes: { wht: 'WHT' },
};
const HEAD = 'Payout,Paid on,Status,AWB,Ref,Type,COD,Fee,COD %,WHT,Net';
const ROW = '118,2026-10-31,Paid,C-1,SO-1,Delivery,100.00,3.00,1.00,0.08,95.92';
const TOTAL = 'Total,,,,,,100.00,3.00,1.00,0.08,95.92';

function mapOf(settings: object): ColumnMap {
  const read = parseColumnMap('cedar', settings);
  if ('faults' in read) throw new Error(read.faults.join('; '));
  return read.map;
}

const read = (text: string, settings: object = CEDAR) =>
  readBytes('settlement', Buffer.from(text), 'october.csv', { map: mapOf(settings) });
const sheet = (...lines: string[]) => `${[HEAD, ...lines].join('\n')}\n`;

describe('a settlement sheet', () => {
  it('gives its payouts, their rows and what it states of them', () => {
    const { settlements, skipped } = read(sheet(ROW, TOTAL, '', 'Grand total,,,,,,100.00,,,,95.92'));
    expect(settlements).toEqual([
      {
        invoice: '118',
        issued_on: '2026-10-31',
        status: 'PAID',
        rows: [
          {
            line: 2,
            order: 'C-1',
            reference: 'SO-1',
            workflow: 'STANDARD',
            delivered_on: null,
            weight: null,
            amounts: [
              {
                currency: 'USD',
                cod: '100.00',
                charges: { delivery: '3.00', handling: '1.00' },
                taxes: { wht: '0.08' },
                net: '95.92',
              },
            ],
          },
        ],
        totals: [
          {
            line: 3,
            currency: 'USD',
            cod: '100.00',
            charges: { delivery: '3.00', handling: '1.00' },
            taxes: { wht: '0.08' },
            net: '95.92',
          },
        ],
      },
    ]);
    expect(skipped).toEqual([{ line: 5, why: 'not a movement: "Grand total"' }]);
  });

  it('reads a column a currency, each with a total of its own', () => {
    const columns = {
      invoice: 'Batch',
      issued_on: 'Date',
      reference: 'Order',
      cod: { USD: 'COD $', LBP: 'COD LL' },
      fee: { USD: 'Fee $' },
    };
    const { settlements } = read(
      'Batch,Date,Order,COD $,COD LL,Fee $\nP-7,31/10/2026,SO-1,20.00,"1,000,000",3.00\nP-7,31/10/2026,SO-2,0.00,"500,000",\nTotal,,,20.00,"1,500,000",3.00\n',
      { kind: 'settlement', totals_row: 'Total', columns },
    );
    expect(settlements[0]!.rows.map(({ amounts }) => amounts)).toEqual([
      [
        { currency: 'USD', cod: '20.00', charges: { delivery: '3.00' }, taxes: {}, net: null },
        { currency: 'LBP', cod: '1000000.00', charges: {}, taxes: {}, net: null },
      ],
      [{ currency: 'LBP', cod: '500000.00', charges: {}, taxes: {}, net: null }],
    ]);
    expect(settlements[0]!.totals.map(({ currency, cod }) => [currency, cod])).toEqual([
      ['USD', '20.00'],
      ['LBP', '1500000.00'],
    ]);
  });

  it('takes nothing but 0 in a currency for a total where rows have that currency, and no other row totals them', () => {
    const columns = { invoice: 'P', issued_on: 'D', order: 'O', cod: { USD: '$', LBP: 'LL' } };
    const totalsOf = (...lines: string[]) =>
      read(['P,D,O,$,LL', ...lines, ''].join('\n'), {
        kind: 'settlement',
        totals_row: 'Total',
        columns,
      }).settlements.map(({ invoice, totals }) =>
        [invoice, ...totals.map(({ currency, cod }) => `${currency} ${cod}`)].join(' '),
      );
    const [dollars, pounds] = ['7,2026-10-31,A,100,0', '7,2026-10-31,B,0,900000'];
    expect(totalsOf(dollars, 'Total,,,0.00,')).toEqual(['7 USD 0.00']);
    expect(totalsOf(dollars, 'Total,,,0,0')).toEqual(['7 USD 0.00']);
    expect(totalsOf(dollars, 'Total,,,100,0')).toEqual(['7 USD 100.00']);
    expect(totalsOf(dollars, pounds, 'Total,,,100,0')).toEqual(['7 USD 100.00 LBP 0.00']);
    const named = ['Total,,,100,0', 'Total,,,0,900000'];
    expect(totalsOf(dollars, pounds, ...named)).toEqual(['7 USD 100.00 LBP 900000.00']);
    expect(totalsOf(dollars, named[0]!, pounds, named[1]!)).toEqual(['7 USD 100.00 LBP 900000.00']);
    // What is of several payouts is of none, and a row below has no total above it.
    const other = '8,2026-10-31,C,50,0';
    expect(totalsOf(dollars, other, 'Total,,,0,0')).toEqual(['7', '8']);
    expect(totalsOf(dollars, 'Total,,,0,0', dollars)).toEqual(['7']);
    expect(totalsOf(dollars, other, '7,Total,,0,0')).toEqual(['7 USD 0.00', '8']);
  });

  it('reads the kind of a row in the words of couriers, with blanks or underscores', () => {
    const kinds = {
      RETURN_TO_ORIGIN: 'RETURN',
      return_to_sender: 'RETURN',
      'Return to merchant': 'RETURN',
      _COD_: 'STANDARD',
    };
    for (const [words, workflow] of Object.entries(kinds)) {
      const { settlements } = read(sheet(ROW.replace('Delivery', words)));
      expect(settlements[0]!.rows[0]!.workflow).toBe(workflow);
    }
    expect(read(sheet(ROW.replace('Paid', 'PENDING_PAYMENT'))).settlements[0]!.status).toBe('PENDING_PAYMENT');
  });

  it('takes dashes for blank cells', () => {
    const blank = read(sheet(ROW, '118,2026-10-31,Paid,C-2,SO-2,Delivery,50.00,,,,47.00', '118,,,,,,,,,,'));
    expect(blank.skipped).toEqual([{ line: 4, why: 'neither an order nor an amount' }]);
    for (const dash of ['-', '–', '—', '--']) {
      const amounts = `50.00,${dash},${dash},${dash},47.00`;
      const dashed = read(
        sheet(ROW, `118,2026-10-31,Paid,C-2,SO-2,Delivery,${amounts}`, `118,,,,,,${Array(5).fill(dash).join(',')}`),
      );
      expect(dashed.settlements).toEqual(blank.settlements);
      expect(dashed.skipped).toEqual([{ line: 4, why: 'neither an order nor an amount' }]);
    }
  });

  it('takes a 0 in a column of one currency for an amount, where the row or total has another in that currency', () => {
    const columns = {
      invoice: 'P',
      issued_on: 'D',
      order: 'O',
      cod: { USD: 'COD $', LBP: 'COD LL' },
      fee: { USD: 'Fee $', LBP: 'Fee LL' },
      net: { USD: 'Net $', LBP: 'Net LL' },
    };
    const settings = { kind: 'settlement', totals_row: 'Total', columns };
    const head = 'P,D,O,COD $,COD LL,Fee $,Fee LL,Net $,Net LL';
    const wrong = read(
      `${head}\n1,2026-10-30,A,10.00,0,2.00,0,0.00,0\n1,2026-10-30,B,0,5000,0,0,0,5000\nTotal,,,0.00,5000,2.00,0,8.00,5000\n`,
      settings,
    );
    const dollars = { currency: 'USD', cod: '10.00', charges: { delivery: '2.00' }, taxes: {}, net: '0.00' };
    const pounds = { currency: 'LBP', cod: '5000.00', charges: { delivery: '0.00' }, taxes: {}, net: '5000.00' };
    expect(wrong.settlements[0]!.rows.map(({ amounts }) => amounts)).toEqual([[dollars], [pounds]]);
    expect(wrong.settlements[0]!.totals).toEqual([
      { ...pounds, line: 4 },
      { ...dollars, line: 4, cod: '0.00', net: '8.00' },
    ]);
    expect(wrong.notes).toEqual(['the net is not the COD less charges and taxes on line 2']);

    // A row that truly nets 0 states its net: the payout's is then no figure that remit computes.
    const nothingLeft = read(
      `${head}\n1,2026-10-30,A,2.00,0,2.00,0,0.00,0\n1,2026-10-30,B,7.00,0,2.00,0,5.00,0\n`,
      settings,
    );
    expect(payoutHeaders(nothingLeft.settlements[0]!, 'as-stated')).toMatchObject([
      { currency: 'USD', net: 50000n, computed: ['cod', 'delivery_fee'] },
    ]);
  });

  it('takes a total of each payout, and of each currency, for the rows above it', () => {
    const columns = { invoice: 'P', issued_on: 'D', order: 'O', currency: 'C', cod: 'COD', fee: 'Fee' };
    const { settlements } = read(
      'P,D,O,C,COD,Fee\n1,2026-10-30,A,USD,10,1\n1,2026-10-30,A,LBP,5000,0\nTotal,,,USD,10,1\nTotal LBP,,,,5000,0\n2,2026-10-31,B,USD,7,1\nTotal,,,USD,7,1\n',
      { kind: 'settlement', totals_row: 'Total', columns },
    );
    expect(
      settlements.map(({ invoice, totals }) => [invoice, totals.map(({ currency, cod }) => [currency, cod])]),
    ).toEqual([
      [
        '1',
        [
          ['USD', '10.00'],
          ['LBP', '5000.00'],
        ],
      ],
      ['2', [['USD', '7.00']]],
    ]);
  });
});

describe('a wrong sheet is refused whole, with line and column', () => {
  const row = (
    change: Partial<Record<'payout' | 'day' | 'status' | 'order' | 'type' | 'cod' | 'fee' | 'net', string>>,
  ) => {
    const { payout = '118', day = '2026-10-31', status = 'Paid', order = 'C-2', type = 'Delivery' } = change;
    const { cod = '50.00', fee = '3.00', net = '47.00' } = change;
    return [payout, day, status, order, '', type, cod, fee, '0', '0', net].join(',');
  };
  it.each<[string, string, number | null, string | null, RegExp]>([
    ['a formula', sheet(ROW, row({ cod: '=SUM(G2:G2)' })), 3, 'COD', /is not an amount/],
    ['a ragged row', sheet(ROW, '118,2026-10-31,Paid,C-2'), 3, null, /4 cells where the header has 11/],
    ['a row that is too long', sheet(ROW, `${row({})},5`), 3, null, /12 cells where the header has 11/],
    ['NaN', sheet(ROW, row({ cod: 'NaN' })), 3, 'COD', /"NaN" is not an amount/],
    ['infinity', sheet(ROW, row({ fee: 'Infinity' })), 3, 'Fee', /is not an amount/],
    ['an exponent', sheet(ROW, row({ cod: '1e5' })), 3, 'COD', /is not an amount/],
    ['a hexadecimal number', sheet(ROW, row({ cod: '0x1f' })), 3, 'COD', /is not an amount/],
    ['five decimals', sheet(ROW, row({ cod: '1.00001' })), 3, 'COD', /beyond what the ledger holds exactly/],
    [
      'a number beyond the range',
      sheet(ROW, row({ cod: '922337203685478' })),
      3,
      'COD',
      /beyond what the ledger holds/,
    ],
    [
      'a sum beyond the range',
      sheet(row({ cod: '900000000000000.00' }), row({ order: 'C-3', cod: '900000000000000.00' })),
      3,
      null,
      /add up to more than the ledger holds/,
    ],
    [
      'another currency beside an amount',
      sheet(ROW, row({ cod: '50.00 LBP' })),
      3,
      'COD',
      /is in LBP where USD is stated/,
    ],
    ['an order without a number', sheet(ROW, row({ order: '' })), 3, 'AWB', /the row has no order/],
    ['a row without a payout', sheet(ROW, row({ payout: '' })), 3, 'Payout', /the row has no payout number/],
    ['a day that is none', sheet(ROW, row({ day: '2026-02-31' })), 3, 'Paid on', /2026-02-31/],
    ['two days of one payout', sheet(ROW, row({ day: '2026-10-30' })), 3, 'Paid on', /another date here/],
    ['two statuses of one payout', sheet(ROW, row({ status: 'Pending' })), 3, 'Status', /another status here/],
    ['an unknown kind of order', sheet(ROW, row({ type: 'Adjustment' })), 3, 'Type', /neither that it is a delivery/],
    ['a row without amounts', sheet(ROW, '118,2026-10-31,Paid,C-2,,Delivery,,,,,'), 3, 'COD', /the row has no amount/],
    ...['-', '–', '—'].map((dash): [string, string, number, string, RegExp] => [
      `a row with ${dash} for each amount`,
      sheet(ROW, `118,2026-10-31,Paid,C-2,,Delivery,${Array(5).fill(dash).join(',')}`),
      3,
      'COD',
      /the row has no amount/,
    ]),
    ['two totals', sheet(ROW, TOTAL, TOTAL), 4, null, /a second total in USD; there is no row between/],
    ['a row below its total', sheet(ROW, TOTAL, row({})), 4, null, /below the total of "118" in USD on line 3/],
    ['two subtotals of one payout', sheet(ROW, TOTAL, row({}), TOTAL), 5, null, /a second total of "118" in USD/],
    ['a total of several payouts', sheet(ROW, row({ payout: '119' }), TOTAL), 4, null, /is of 2 payouts: "118", "119"/],
    ['a total of nothing', sheet(TOTAL, ROW), 2, null, /a total with no row above it/],
    ['no rows', sheet(TOTAL), null, null, /it holds no rows of orders/],
    ['a control character', sheet(ROW, row({ order: 'C-\u001B[2J' })), 3, 'AWB', /a control character/],
    ['a column that is missing', 'Payout,AWB\n118,C-1\n', null, null, /it has no column "Paid on"/],
    ['two columns of one name', `${HEAD},COD\n${ROW},1\n`, null, 'COD', /two of its columns are named "COD"/],
    ['a web page', '<!DOCTYPE html><html><body>Please log in</body></html>', null, null, /it is a web page/],
    ['an open quote', sheet(ROW, '118,2026-10-31,Paid,"C-2'), 3, null, /a quote opens and is never closed/],
  ])('%s', (_, text, line, column, message) => {
    const refused = refusalOf(text);
    expect(refused.message).toMatch(message);
    if (line !== null) expect(refused.line).toBe(line);
    if (column !== null) expect(refused.column).toBe(column);
    expect(refused.hint).not.toBe('');
    expect(refused.message).toContain('october.csv');
  });

  function refusalOf(text: string): ImportFileError {
    try {
      read(text);
    } catch (error) {
      expect(error).toBeInstanceOf(ImportFileError);
      return error as ImportFileError;
    }
    throw new Error('it was read');
  }
});

describe('[maps.NAME] of a settlement', () => {
  it.each<[string, object, RegExp]>([
    ['no order', { ...CEDAR, columns: { invoice: 'P', issued_on: 'D', cod: 'C' } }, /lacks order, or reference/],
    ['no COD', { ...CEDAR, columns: { invoice: 'P', issued_on: 'D', order: 'O' } }, /columns lacks cod/],
    ['fee and charges', { ...CEDAR, columns: { ...CEDAR.columns, fee: 'F' } }, /has fee and charges/],
    ['a field that is none', { ...CEDAR, columns: { ...CEDAR.columns, colour: 'X' } }, /has no field colour/],
    ...(
      [
        ['charges', 'Fee'],
        ['charges', { USD: 'Fee' }],
        ['charges', { handling: 'Fee' }],
        ['taxes', ['WHT', 'VAT']],
        ['taxes', { USD: 'WHT' }],
        ['charges.handling', 'COD %'],
        ['cod.USD', 'COD'],
      ] as const
    ).map(([field, header]): [string, object, RegExp] => [
      `${field} = ${JSON.stringify(header)} among the columns`,
      { ...CEDAR, columns: { ...CEDAR.columns, [field]: header } },
      new RegExp(`^maps\\.cedar\\.columns has no field ${field}: a settlement sheet knows invoice, .*, cod, fee, net$`),
    ]),
    [
      'a currency that is none',
      { ...CEDAR, columns: { ...CEDAR.columns, cod: { $$: 'X' } } },
      /cod\.\$\$ is not a currency/,
    ],
    ['a kind with a space', { ...CEDAR, charges: { 'cod fee': 'X' } }, /charges\.cod fee: a kind is named/],
    [
      'charges of a bank',
      { kind: 'receipts', charges: { a: 'b' }, columns: { date: 'D', amount: 'A' } },
      /charges are of settlements only/,
    ],
    ['an account of a settlement', { ...CEDAR, account: 'Cash' }, /account is of receipts only/],
  ])('%s is refused', (_, settings, fault) => {
    const parsed = parseColumnMap('cedar', settings);
    expect('faults' in parsed ? parsed.faults.join('\n') : '').toMatch(fault);
  });
});

describe('a sheet whose courier changed its headers', () => {
  const changed = { ...CEDAR, columns: { ...CEDAR.columns, cod: ['COD', 'COD Amount', 'قيمة التحصيل'] } };
  const renamed = (head: string) => `${head}\n${ROW}\n`;

  it('is read by whichever of the headers it has, in any letters', () => {
    for (const header of ['COD', ' cod  AMOUNT', 'قيمة التحصيل']) {
      const { settlements } = read(renamed(HEAD.replace(',COD,', `,${header},`)), changed);
      expect(settlements[0]!.rows[0]!.amounts[0]!.cod).toBe('100.00');
    }
    const perCurrency = {
      ...CEDAR,
      columns: { ...CEDAR.columns, cod: { USD: ['COD', 'COD $'] }, net: ['Net', 'Rest'] },
    };
    const head = HEAD.replace(',COD,', ',COD $,').replace(',Net', ',Rest');
    expect(read(renamed(head), perCurrency).settlements[0]!.rows[0]!.amounts[0]!.net).toBe('95.92');
  });

  it('is refused where it has two of them, naming both', () => {
    const two = renamed(HEAD.replace(',Ref,', ',COD Amount,'));
    const { reference: _, ...columns } = changed.columns;
    expect(() => read(two, { ...changed, columns })).toThrow(
      /"COD" and "COD Amount" are both "cod" in the map "cedar"/,
    );
  });

  it('is refused with the map that reads it, where the new headers can be guessed', () => {
    const sheetText = renamed(
      HEAD.replace(',COD,', ',COD amount,').replace(',Net', ',Net payable').replace(',WHT', ',Zakat'),
    );
    const refusal = refusalOf(() => read(sheetText));
    expect(refusal.message).toContain('no column "COD", "Net", "WHT" that the map "cedar" names');
    expect(refusal.map).toContain('cod = ["COD", "COD amount"]');
    expect(refusal.map).toContain('net = ["Net", "Net payable"]');
    expect(refusal.map).toMatch(/^# taxes\.wht: none of the file's headers is like it/);
    const settings = (parse(refusal.map!) as unknown as { maps: { cedar: typeof CEDAR } }).maps.cedar;
    // As it is printed it names a header that no file has; with the right one in its place it reads both sheets.
    expect(() => read(sheetText, settings)).toThrow(/"WHT" or "\.\.\."/);
    const complete = { ...settings, taxes: { wht: ['WHT', 'Zakat'] } };
    expect(read(sheetText, complete).settlements).toEqual(read(sheet(ROW), complete).settlements);
  });

  it('is found below opening lines by the headers that stayed', () => {
    const refusal = refusalOf(() =>
      read(`Cedar Express\nStatement of October\n${renamed(HEAD.replace('AWB', 'Airway'))}`),
    );
    expect(refusal.message).toContain('no column "AWB"');
  });

  it('has no map of two headers that are alike, or of none', () => {
    for (const cod of [[], ['COD', ' cod '], ['COD', 7]]) {
      const parsed = parseColumnMap('cedar', { ...CEDAR, columns: { ...CEDAR.columns, cod } });
      expect(parsed).toMatchObject({
        faults: expect.arrayContaining([expect.stringContaining('maps.cedar.columns.cod must be')]),
      });
    }
  });
});

function refusalOf(work: () => unknown): ImportFileError {
  try {
    work();
  } catch (error) {
    if (error instanceof ImportFileError) return error;
    throw error;
  }
  throw new Error('it was read');
}

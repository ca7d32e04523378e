import iconv from 'iconv-lite';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parseColumnMap } from '../../../src/imports/maps/parse-map.ts';
import { read, refusal, sheetRow, workbook } from '../../helpers/bank-files.ts';

/** Files in shapes that banks and shops export, though no standard has them. */

const amounts = (file: ReturnType<typeof read<'receipts'>>) =>
  file.statements.flatMap(({ lines }) => lines.map(({ date, amount }) => [date, amount]));

describe('MT940', () => {
  const statement = (...lines: string[]) =>
    ['{1:F01BANKLBBXXXXX0000000000}{2:I940}{4:', ':20:1', ':25:ACC', ':60F:C261001USD10,00', ...lines].join('\r\n');

  it.each([
    [':61:261002    C5,00NTRFREF', '2026-10-02'],
    [':61:260104 1 3C5,00NTRFREF', '2026-01-03'],
    [':61:2610021003 C5,00NTRFREF', '2026-10-03'],
  ])('reads the entry date of %s', (line, date) => {
    const file = read('receipts', statement(line, ':62F:C261003USD15,00', '-}'), 'a.sta');
    expect(amounts(file)).toEqual([[date, '5.00']]);
    expect(file.statements[0]!.balanced).toBe(true);
  });

  it('takes a dash alone for text where the statement goes on after it', () => {
    const text = statement(
      ':61:261002C5,00NTRFREF',
      ':86:FROM',
      '-',
      'EXAMPLE DELIVERY',
      ':61:261003C1,00NTRFREF',
      ':86:SECOND',
      '-',
      ':62F:C261003USD16,00',
      '-}',
    );
    const file = read('receipts', text, 'a.sta');
    expect(amounts(file)).toHaveLength(2);
    expect(file.statements).toHaveLength(1);
    expect(file.statements[0]).toMatchObject({ balanced: true });
    expect(file.statements[0]!.lines[0]!.text).toBe('FROM - EXAMPLE DELIVERY');
  });

  it('takes a dash alone for the end where another statement begins', () => {
    const one = ':20:1\n:25:ACC\n:60F:C261001USD10,00\n:62F:C261001USD10,00\n-\n';
    expect(read('receipts', `${one}${one}`, 'a.sta').statements).toHaveLength(2);
    expect(refusal('receipts', `${one}:61:261002C5,00NTRFREF\n`, 'a.sta').message).toContain(':61: stands before :20:');
  });
});

describe('OFX', () => {
  const body = (list: string, after = '') =>
    `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20261001<DTEND>20261031${list}<LEDGERBAL><BALAMT>105.00<DTASOF>20261031</LEDGERBAL>${after}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
  const line = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261002<TRNAMT>5.00<FITID>1<NAME>SHOP</STMTTRN>';

  it('reads a list of lines that is not closed before the balance', () => {
    const file = read('receipts', body(line), 'a.ofx');
    expect(amounts(file)).toEqual([['2026-10-02', '5.00']]);
    expect(file.statements[0]).toMatchObject({ closing: '105.00', from: '2026-10-01' });
    expect(amounts(read('receipts', body(line, '</BANKTRANLIST>'), 'a.ofx'))).toEqual([['2026-10-02', '5.00']]);
  });

  it('refuses a line that is cut off before the balance', () => {
    const cut = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261002<TRNAMT>5.00';
    expect(refusal('receipts', body(cut), 'a.ofx').message).toContain('<STMTTRN> is never closed');
  });
});

describe('QIF', () => {
  const file = (date: string) => `!Type:Bank\nD${date}\nT5.00\nPSHOP\n^\nD12/31'09\nT-1.00\nPFEE\n^\n`;
  it.each([
    ['1/ 1/10', undefined, '2010-01-01'],
    ['1/ 1/10', 'MM/DD/YY', '2010-01-01'],
    ["1/ 5' 5", undefined, '2005-01-05'],
    ["1/ 5' 5", 'MM/DD/YY', '2005-01-05'],
    [' 1/ 5/2010', 'MM/DD/YYYY', '2010-01-05'],
  ])('reads %s, padded, by the form %s', (date, form, day) => {
    const text = form === 'MM/DD/YYYY' ? file(date).replace("12/31'09", '12/31/2009') : file(date);
    const map = { currency: 'USD', ...(form === undefined ? {} : { date: form }) };
    expect(amounts(read('receipts', text, 'a.qif', map))[0]).toEqual([day, '5.00']);
  });
});

describe('windows-1252', () => {
  it.each(['windows-1252', 'cp1252', '1252', 'iso-8859-1'])('reads €, dashes and quotes by the name %s', (encoding) => {
    const text = 'date,amount,currency,text,invoice\n2026-10-01,1.00,EUR,Café — “it’s €5”,\n';
    const bytes = iconv.encode(text, 'windows-1252');
    expect(read('receipts', bytes, 'b.csv', { encoding }).statements[0]!.lines[0]!.text).toBe('Café — “it’s €5”');
  });
});

describe('a table', () => {
  const columns = { date: 'Date', amount: 'Amount', text: 'Details' };
  const map = { columns, currency: 'USD' };

  it('may have empty cells after its header and its rows', () => {
    const text = 'Date,Details,Amount,,\n2026-10-01,a,5.00\n2026-10-02,b,6.00,\n2026-10-03,c,7.00,,\n';
    expect(amounts(read('receipts', text, 'b.csv', map))).toHaveLength(3);
    expect(refusal('receipts', `${text}2026-10-04,d,8.00,x\n`, 'b.csv', map).message).toBe(
      'b.csv, line 5: the row has 4 cells where the header has 3',
    );
    expect(refusal('receipts', `${text}2026-10-04,d\n`, 'b.csv', map).message).toBe(
      'b.csv, line 5: the row has 2 cells where the header has 3',
    );
  });

  it('is found below a preamble, with and without a map', () => {
    const preamble = 'Bank of Example;;\nAccount;LB62 0999\n\nStatement from 1 October 2026, in USD\n';
    const named = read(
      'receipts',
      `${preamble}Date;Details;Amount\n01.10.2026;a;5,50\n31.10.2026;b;6,50\n`,
      'b.csv',
      map,
    );
    expect(named.statements[0]!.lines.map(({ line, amount }) => [line, amount])).toEqual([
      [6, '5.50'],
      [7, '6.50'],
    ]);
    const own = 'Our cash book\n\ndate,amount,currency,text,invoice\n2026-10-01,5.00,USD,a,\n';
    expect(amounts(read('receipts', own, 'b.csv'))).toEqual([['2026-10-01', '5.00']]);
  });

  it('is found below a preamble in a sheet', () => {
    const rows = [
      sheetRow(1, 'Bank of Example'),
      sheetRow(3, 'Account', 'LB62 0999'),
      sheetRow(5, 'Date', 'Details', 'Amount'),
      sheetRow(6, '2026-10-01', 'a', '5.00'),
    ];
    const bytes = workbook([{ name: 'S', rows: rows.join('') }]);
    expect(amounts(read('receipts', bytes, 'b.xlsx', map))).toEqual([['2026-10-01', '5.00']]);
  });

  it('is not looked for where the map says how many lines are above it', () => {
    const text = 'Bank of Example\nDate,Details,Amount\n2026-10-01,a,5.00\n';
    expect(refusal('receipts', text, 'b.csv', { ...map, skip_rows: 0 }).message).toContain('it has no column "Date"');
  });

  it('passes over totals and remarks below it, and says so', () => {
    const text =
      'Date,Details,Amount\n2026-10-01,a,5.00\n2026-10-02,b,6.00\n,Total,11.00\nTotal credits: 11.00\n"End of statement"\n';
    const file = read('receipts', text, 'b.csv', map);
    expect(amounts(file)).toHaveLength(2);
    expect(file.skipped).toEqual([
      { line: 4, why: 'not a movement: "Total"' },
      { line: 5, why: 'not a movement: "Total credits: 11.00"' },
      { line: 6, why: 'not a movement: "End of statement"' },
    ]);
    expect(refusal('receipts', 'Date,Details,Amount\n,Total Petrol,5.00\n', 'b.csv', map).message).toContain(
      'the row has no date',
    );
  });

  it('passes over what a bank prints below its lines, and over a page that ends among them', () => {
    const text = [
      'Date,Details,Amount,Balance',
      '2026-10-01,a,5.00,105.00',
      'Page 1 of 2,,,',
      'Date,Details,Amount,Balance',
      '2026-10-02,b,6.00,111.00',
      'Number of transactions: 2',
      '*** End of Statement ***',
      'Generated on 01/11/2026 10:33 by online banking,,,',
      'This statement needs no signature.',
      '',
    ].join('\n');
    const file = read('receipts', text, 'b.csv', map);
    expect(amounts(file)).toHaveLength(2);
    expect(file.statements[0]).toMatchObject({ balanced: true, closing: '111.00' });
    expect(file.skipped.map(({ line, why }) => [line, why])).toEqual([
      [3, 'not a movement: "Page 1 of 2"'],
      [4, 'not a movement: the header again'],
      [6, 'not a movement: "Number of transactions: 2"'],
      [7, 'not a movement: "*** End of Statement ***"'],
      [8, 'not a movement: "Generated on 01/11/2026 10:33 by online banking"'],
      [9, 'not a movement: "This statement needs no signature."'],
    ]);
  });

  it('refuses a lone cell among its lines, a date alone, and a file that ends in the middle of a cell', () => {
    const rows = 'Date,Details,Amount\n2026-10-01,a,5.00\n';
    expect(refusal('receipts', `${rows}Paid by the shop\n2026-10-02,b,6.00\n`, 'b.csv', map).message).toBe(
      'b.csv, line 3: the row has 1 cells where the header has 3',
    );
    expect(refusal('receipts', `${rows}2 October 2026\n`, 'b.csv', map).message).toContain('the row has 1 cells');
    expect(refusal('receipts', `${rows}Paid by the`, 'b.csv', map).message).toContain('the row has 1 cells');
    expect(refusal('receipts', `${rows}2 October 2026,,\n`, 'b.csv', map).message).toContain('the row has no amount');
  });

  it('passes over the totals and remarks of a sheet, also beyond its last column', () => {
    const rows = [
      sheetRow(1, 'Date', 'Details', 'Amount'),
      sheetRow(2, '2026-10-01', 'a', '5.00'),
      sheetRow(3, '', '', '', 'Total', '5.00'),
      sheetRow(4, 'Printed for Shop SARL'),
    ];
    const file = read('receipts', workbook([{ name: 'S', rows: rows.join('') }]), 'b.xlsx', map);
    expect(amounts(file)).toEqual([['2026-10-01', '5.00']]);
    expect(file.skipped.map(({ line }) => line)).toEqual([3, 4]);
  });

  describe('with a running balance', () => {
    const header = 'Date,Details,Amount,Balance\n';
    const whole = (text: string) => read('receipts', header + text, 'b.csv', map).statements[0]!;

    it.each([
      ['2026-10-01,a,5.00,105.00\n2026-10-02,b,-6.00,99.00\n', '100.00', '99.00', true],
      ['2026-10-02,b,-6.00,99.00\n2026-10-01,a,5.00,105.00\n', '100.00', '99.00', true],
      ['2026-10-01,Opening balance,,100.00\n2026-10-02,b,-6.00,94.00\n', '100.00', '94.00', true],
      ['2026-10-01,a,5.00,\n2026-10-01,b,1.00,106.00\n2026-10-02,c,-6.00,100.00\n', '100.00', '100.00', true],
      ['2026-10-01,a,5.00,105.00\n2026-10-03,c,1.00,99.00\n', '100.00', '99.00', false],
    ])('%s: from %s to %s, adds up: %s', (text, opening, closing, balanced) => {
      expect(whole(text)).toMatchObject({ opening, closing, balanced });
    });

    it('proves nothing where there is one line, and says what the account held', () => {
      expect(whole('2026-10-01,a,5.00,105.00\n')).toMatchObject({
        opening: '100.00',
        closing: '105.00',
        balanced: null,
      });
    });
  });
});

describe('a refusal says what is missing', () => {
  it('the currency, with the map to add', () => {
    const error = refusal('receipts', 'date,amount,text,invoice\n2026-10-01,5.00,a,\n', 'b.csv');
    expect(error.message).toBe('b.csv: no column says the currency of its amounts');
    expect(error.map).toBe(
      '[maps.mine]\nkind = "receipts"\ncurrency = "USD"\ncolumns = { date = "date", amount = "amount", text = "text", invoice = "invoice" }',
    );
    expect(
      amounts(read('receipts', 'date,amount,text,invoice\n2026-10-01,5.00,a,\n', 'b.csv', { currency: 'USD' })),
    ).toEqual([['2026-10-01', '5.00']]);
    const tariff = refusal('tariff', 'workflow,district,fee\nstandard,Beirut,3.00\n', 'prices.csv');
    expect(tariff.message).toBe('prices.csv: no column says the currency of its amounts');
  });

  it('the currency alone, where the headers say all the rest', () => {
    const error = refusal('receipts', 'Booking Date,Withdrawals,Deposits,Narrative\n2026-10-01,5,,x', 'b.csv');
    expect(error.message).toBe('b.csv: no column says the currency of its amounts');
    expect(error.hint).toContain('see that it has the right columns');
  });

  it('its columns, with the settings of a map that names none', () => {
    const text = 'Booking Date;Withdrawals;Deposits;Narrative\n2026-10-01;5,50;;x';
    const settings = { currency: 'LBP', decimal: ',', delimiter: ';' } as const;
    const { map } = refusal('receipts', text, 'b.csv', settings);
    expect((parse(map!) as { maps: { test: object } }).maps.test).toMatchObject(settings);
  });

  it.each([
    ['receipts', 'Booking Date,Ccy,Withdrawals,Deposits,Narrative\n2026-10-01,USD,5,,x\n'],
    ['receipts', 'Booking Date,Withdrawals,Deposits,Narrative\n2026-10-01,5,,x\n'],
    ['tariff', 'workflow,district,fee\nstandard,Beirut,3.00\n'],
    ['tariff', 'City,Price\nBeirut,3.00\n'],
    ['orders', 'Order No,Amount to collect\n653,3.00\n'],
  ] as const)('with a map of %s that reads the file as it is: %j', (kind, text) => {
    const { map } = refusal(kind, text, 'b.csv');
    const { mine } = (parse(map!) as { maps: Record<string, Record<string, unknown>> }).maps;
    expect(parseColumnMap('mine', mine)).toHaveProperty('map');
    expect(read(kind, text, 'b.csv', mine)).toMatchObject({ format: 'csv' });
  });

  it('a column, with the map to add', () => {
    const error = refusal('receipts', 'Booking Date,Narrative,Ccy,Moved\n2026-10-01,a,USD,5.00\n', 'b.csv');
    expect(error.message).toBe(
      'b.csv: no column is known as the amount; its columns are "Booking Date", "Narrative", "Ccy", "Moved"',
    );
    expect(error.map).toContain('amount = "..."');
  });

  it('where the header is far down, the lines above it', () => {
    const text = `${'x,y\n'.repeat(60)}Date,Details,Amount\n2026-10-01,a,5.00\n`;
    expect(
      refusal('receipts', text, 'b.csv', { columns: { date: 'Date', amount: 'Amount' }, currency: 'USD' }).hint,
    ).toContain('skip_rows');
  });
});

describe('a tariff', () => {
  it.each([
    'workflow,district,area,merchant_location,from,to,currency,fee',
    'workflow,district,area,merchant_location,from,to,currency,fee,per_package',
    'Workflow,District,Area,Merchant location,From,To,Currency,Fee,Per package',
    'district,currency,fee',
  ])('headed %s is known', (header) => {
    const cells: Record<string, string> = { currency: 'USD', fee: '3.00', district: 'Beirut' };
    const row = header.split(',').map((name) => cells[name.toLowerCase()] ?? '');
    const file = read('tariff', `${header}\n${row.join(',')}\n`, 'prices.csv');
    expect(file.rows).toMatchObject([{ district: 'Beirut', currency: 'USD', fee: '3.00' }]);
  });
});

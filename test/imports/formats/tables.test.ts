import { describe, expect, it } from 'vitest';
import { read, refusal } from '../../helpers/bank-files.ts';

describe('bank lines in CSV, by a map', () => {
  const columns = { date: 'Booking date', amount: 'Amount', text: 'Details' };

  it('skips the lines above the header, finds the delimiter, and counts rows that are none', () => {
    const text =
      'Bank of Example\nAccount 1\nBooking date;Details;Amount\n01.10.2026;Sale, 10009;1.200,50\n;Carried over;\n31.10.2026;Fee;-3,00\n';
    const file = read('receipts', text, 'bank.csv', { columns, skip_rows: 2, currency: 'USD' });
    expect(file.statements[0]).toMatchObject({ account: null, currency: 'USD', from: '2026-10-01', to: '2026-10-31' });
    expect(file.statements[0]!.lines.map(({ line, amount, text: said }) => [line, amount, said])).toEqual([
      [4, '1200.50', 'Sale, 10009'],
      [6, '-3.00', 'Fee'],
    ]);
    expect(file.skipped).toEqual([{ line: 5, why: 'neither a date nor an amount' }]);
  });

  it('reads debit and credit columns, with or without a minus, and refuses both on a row', () => {
    const map = { columns: { date: 'D', debit: 'Out', credit: 'In' }, currency: 'USD' };
    const amounts = (rows: string) =>
      read('receipts', `D,Out,In\n${rows}`, 'b.csv', map).statements[0]!.lines.map(({ amount }) => amount);
    expect(amounts('2026-10-01,5.00,\n2026-10-02,,7.50\n2026-10-03,0.00,1.00')).toEqual(['-5.00', '7.50', '1.00']);
    expect(amounts('2026-10-01,-5.00,\n2026-10-02,,7.50')).toEqual(['-5.00', '7.50']);
    expect(amounts('2026-10-01,5.00,\n2026-10-02,-2.00,')).toEqual(['-5.00', '2.00']);
    expect(refusal('receipts', 'D,Out,In\n2026-10-01,5,7', 'b.csv', map).message).toContain(
      'both a debit and a credit',
    );
    expect(refusal('receipts', 'D,Out,In\n2026-10-01,,', 'b.csv', map).message).toContain(
      'neither a debit nor a credit',
    );
  });

  it('reads a sign column by its credit words', () => {
    const map = { columns: { date: 'D', amount: 'A', sign: 'S' }, credit_words: ['C', 'CR'], currency: 'USD' };
    const file = read('receipts', 'D,A,S\n2026-10-01,5.00,cr\n2026-10-02,7.50,DR', 'b.csv', map);
    expect(file.statements[0]!.lines.map(({ amount }) => amount)).toEqual(['5.00', '-7.50']);
    expect(refusal('receipts', 'D,A,S\n2026-10-01,-5.00,CR', 'b.csv', map).message).toContain(
      'has a minus beside the sign',
    );
    expect(refusal('receipts', 'D,A,S\n2026-10-01,5.00,', 'b.csv', map).message).toContain('the row has no sign');
  });

  it('makes one statement an account and currency', () => {
    const map = { columns: { date: 'D', amount: 'A', currency: 'C', account: 'N' } };
    const file = read(
      'receipts',
      'D,A,C,N\n2026-10-01,5.00,USD,1\n2026-10-02,7.50,LBP,1\n2026-10-03,1.00,USD,1',
      'b.csv',
      map,
    );
    expect(file.statements.map(({ account, currency, lines }) => [account, currency, lines.length])).toEqual([
      ['1', 'USD', 2],
      ['1', 'LBP', 1],
    ]);
  });

  it('reads the currency beside the amount where no column says it, and refuses a row without', () => {
    const map = { columns: { date: 'D', amount: 'A' } };
    const file = read('receipts', 'D,A\n2026-10-01,5.00 USD\n2026-10-02,€7.50', 'b.csv', map);
    expect(file.statements.map(({ currency }) => currency)).toEqual(['USD', 'EUR']);
    const error = refusal('receipts', 'D,A\n2026-10-01,5.00 USD\n2026-10-02,7.50', 'b.csv', map);
    expect(error.message).toContain('line 3, A: nothing says which currency "7.50" is in');
    expect(refusal('receipts', 'D,A\n2026-10-01,$5.00', 'b.csv', map).message).toContain('does not say whose $');
  });

  it('names the column that the map has and the file has not', () => {
    expect(refusal('receipts', 'Date,Amount\n2026-10-01,5', 'b.csv', { columns, currency: 'USD' }).message).toContain(
      'it has no column "Booking date", "Details"',
    );
    expect(
      refusal('receipts', 'Booking date,Amount,Amount,Details\n2026-10-01,5,6,x', 'b.csv', { columns }).message,
    ).toContain('two of its columns are named "Amount"');
  });

  it('refuses headers that nobody knows, with a map to correct', () => {
    const error = refusal('receipts', 'Booking Date,Ccy,Withdrawals,Deposits,Narrative\n2026-10-01,USD,5,,x', 'b.csv');
    expect(error.message).toContain('its columns are not known as receipts');
    expect(error.map).toBe(
      '[maps.mine]\nkind = "receipts"\ncolumns = { debit = "Withdrawals", credit = "Deposits", date = "Booking Date", currency = "Ccy", text = "Narrative" }',
    );
  });

  it('takes the delimiter that the first line names, as Excel does', () => {
    const file = read('receipts', 'sep=;\r\ndate;amount;currency;text;invoice\r\n2026-10-01;1,50;USD;a,b;', 'b.csv');
    expect(file.statements[0]!.lines[0]).toMatchObject({ line: 3, amount: '1.50', text: 'a,b' });
  });

  it('asks for the delimiter where two make a table', () => {
    const text = 'a;b,c\n1;2,3\n';
    expect(refusal('receipts', text, 'b.csv').message).toContain('may be parted by "," or ";"');
  });
});

describe('a rate card', () => {
  const HEADER = 'workflow,district,area,merchant_location,from,to,currency,fee,per_package';
  /** Of the delivery, a fee whatever the COD and the weight. */
  const OF_ANY = {
    ...{ charge: 'delivery', percent: null, min: null, max: null },
    ...{ cod_from: null, cod_to: null, weight_from: null, weight_to: null },
  };

  it('reads a price a row; what is empty holds for any', () => {
    expect(
      read('tariff', `${HEADER}\ndelivery,Beirut,,,2026-01-01,,USD,3.00,\n,,,,,,LBP,90000,1.50`, 't.csv').rows,
    ).toEqual([
      {
        line: 2,
        workflow: 'delivery',
        district: 'Beirut',
        area: null,
        merchant_location: null,
        from: '2026-01-01',
        to: null,
        currency: 'USD',
        fee: '3.00',
        ...OF_ANY,
        per_package: null,
        courier: null,
      },
      {
        line: 3,
        workflow: null,
        district: null,
        area: null,
        merchant_location: null,
        from: null,
        to: null,
        currency: 'LBP',
        fee: '90000.00',
        ...OF_ANY,
        per_package: '1.50',
        courier: null,
      },
    ]);
  });

  it.each([
    [',,,,2026-02-01,2026-01-01,USD,3.00,', 'ends before it begins'],
    [',,,,,,USD,,', 'line 2, fee: the row has no fee'],
    [',,,,,,USD,-3,', 'a fee is negative'],
    [',,,,,,,3,', 'nothing says which currency'],
    ['', 'it holds no prices'],
  ])('refuses %j', (row, message) => {
    expect(refusal('tariff', `${HEADER}\n${row}`, 't.csv').message).toContain(message);
  });
});

describe('rates', () => {
  it('reads them exactly', () => {
    expect(
      read('rates', 'date,from,to,rate\n2026-10-01,usd,LBP,89500\n2026-10-01,LBP,USD,0.00001117318436', 'r.csv').rows,
    ).toEqual([
      { line: 2, date: '2026-10-01', from: 'USD', to: 'LBP', rate: '89500' },
      { line: 3, date: '2026-10-01', from: 'LBP', to: 'USD', rate: '0.00001117318436' },
    ]);
  });

  it.each([
    ['2026-10-01,USD,LBP,0', 'is not a rate'],
    ['2026-10-01,USD,LBP,-5', 'is not a rate'],
    ['2026-10-01,USD,USD,1', 'rates USD in itself'],
    ['2026-10-01,USD,LBP,1.5\n2026-10-01,USD,LBP,1.6', 'stands on line 2 already'],
    ['2026-10-01,USD,LBP,"89,500"', 'can be read in two ways'],
  ])('refuses %j', (rows, message) => {
    expect(refusal('rates', `date,from,to,rate\n${rows}`, 'r.csv').message).toContain(message);
  });
});

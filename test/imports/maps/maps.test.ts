import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { guessMap } from '../../../src/imports/maps/guess-map.ts';
import { mapText } from '../../../src/imports/maps/map-text.ts';
import { parseColumnMap } from '../../../src/imports/maps/parse-map.ts';

const faults = (value: unknown): readonly string[] => {
  const parsed = parseColumnMap('bank', value);
  return 'faults' in parsed ? parsed.faults : [];
};

describe('a column map', () => {
  it('is taken as it is written', () => {
    const text = `[maps.bank]
kind = "receipts"
columns = { date = "Booking date", amount = "Amount", sign = "C/D" }
credit_words = ["C", "CR"]
date = "DD/MM/YYYY"
decimal = ","
thousands = "."
currency = "usd"
encoding = "windows-1256"
delimiter = ";"
skip_rows = 3
sheet = "October"
format = "csv"`;
    const maps = parse(text).maps as Record<string, unknown>;
    expect(parseColumnMap('bank', maps.bank)).toEqual({
      map: {
        name: 'bank',
        kind: 'receipts',
        columns: { date: 'Booking date', amount: 'Amount', sign: 'C/D' },
        credit_words: ['C', 'CR'],
        date: 'DD/MM/YYYY',
        decimal: ',',
        thousands: '.',
        currency: 'USD',
        encoding: 'windows-1256',
        delimiter: ';',
        skip_rows: 3,
        sheet: 'October',
        format: 'csv',
      },
    });
  });

  it('needs no columns', () => {
    expect(parseColumnMap('bank', { kind: 'receipts', format: 'qif', currency: 'USD' })).toHaveProperty('map');
  });

  it('has all its faults told at once', () => {
    expect(
      faults({
        kind: 'receipt',
        date: 'DD/MM',
        decimal: ';',
        thousands: 'x',
        currency: '$',
        encoding: 'latin-99',
        delimiter: '::',
        skip_rows: -1,
        sheet: '',
        format: 'docx',
        colums: {},
      }),
    ).toHaveLength(11);
  });

  it.each([
    [{ kind: 'receipts', columns: { date: 'D' } }, 'must give amount, or debit and credit'],
    [{ kind: 'receipts', columns: { date: 'D', amount: 'A', debit: 'B', credit: 'C' } }, 'not both'],
    [{ kind: 'receipts', columns: { date: 'D', debit: 'B' } }, 'must give both debit and credit'],
    [{ kind: 'receipts', columns: { amount: 'A' } }, 'lacks date'],
    [{ kind: 'receipts', columns: { date: 'D', amount: 'A', sign: 'S' } }, 'needs amount, and credit_words'],
    [{ kind: 'receipts', columns: { date: 'D', amount: 'A' }, credit_words: ['C'] }, 'need a sign column'],
    [{ kind: 'orders', columns: { reference: 'R', price: 'P' } }, 'has no field price'],
    [{ kind: 'orders', columns: { cod: 'R' } }, 'lacks reference'],
    [{ kind: 'orders', columns: { reference: 5 } }, "must be a column's header"],
    [{ kind: 'rates', decimal: ',', thousands: ',' }, 'must differ'],
    [{}, 'kind is missing'],
    ['receipts', 'must be a table'],
  ])('%j is refused', (value, fault) => {
    expect(faults(value).join('\n')).toContain(fault);
  });

  it('that is proposed can be added as it is', () => {
    const guess = guessMap('receipts', ['Posting Date', 'Amount "net"', 'DESCRIPTION', 'Amount', 'Dr/Cr'], 'my bank');
    expect(guess).toEqual({
      name: 'my bank',
      kind: 'receipts',
      columns: { amount: 'Amount', sign: 'Dr/Cr', date: 'Posting Date', text: 'DESCRIPTION' },
      credit_words: ['C', 'CR'],
      currency: 'USD',
    });
    const maps = parse(mapText({ ...guess, columns: { ...guess.columns, text: 'Quote " \\ \u202E end' } }))
      .maps as Record<string, unknown>;
    const parsed = parseColumnMap('my bank', maps['my bank']);
    expect(parsed).toMatchObject({ map: { columns: { text: 'Quote " \\ \u202E end' } } });
  });
});

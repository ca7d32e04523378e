import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, refusal } from '../../helpers/bank-files.ts';

const book = (texts: readonly string[]) =>
  `date,amount,currency,text,invoice\n${texts.map((text) => `"${text}",1.50,USD,x,`).join('\n')}`;
const dates = (texts: readonly string[], date?: string) =>
  read('receipts', book(texts), 'book.csv', date === undefined ? null : { date }).statements.flatMap(({ lines }) =>
    lines.map((line) => line.date),
  );
const refused = (texts: readonly string[], date?: string) =>
  refusal('receipts', book(texts), 'book.csv', date === undefined ? null : { date });

describe('a date as people and banks write it', () => {
  it.each([
    ['2026-10-03', '2026-10-03'],
    ['2026/10/3', '2026-10-03'],
    ['20261003', '2026-10-03'],
    ['2026-01-24 17:34:28 +0500', '2026-01-24'],
    ['2026-10-03T23:59:59.999Z', '2026-10-03'],
    ['3 Oct 2026', '2026-10-03'],
    ['03-OCT-26', '2026-10-03'],
    ['October 3, 2026', '2026-10-03'],
    ['31/12/2023 22:36', '2023-12-31'],
    ['12/31/2023 10:36 PM', '2023-12-31'],
    ['25.03.26', '2026-03-25'],
    ['07/07/2026', '2026-07-07'],
    ['\u200F٢٥/٠٣/٢٠٢٦', '2026-03-25'],
    ["25/3'04", '2004-03-25'],
  ])('%j is %s', (text, iso) => {
    expect(dates([text])).toEqual([iso]);
  });

  it.each([
    '2026-02-30',
    '31/02/2026',
    '2026-13-01',
    '00/10/2026',
    'yesterday',
    '45000',
    '3/4',
    '2026-10-03x',
    '25/25/2026',
  ])('%j is refused with its line', (text) => {
    const error = refused(['2026-10-01', text]);
    expect([error.line, error.column]).toEqual([3, 'date']);
  });

  it('refuses a row without its date', () => {
    expect(refused(['2026-10-01', '']).message).toBe('book.csv, line 3, date: the row has no date');
  });

  it('refuses what can be read in two ways, with the map that decides it', () => {
    const error = refused(['03/04/2026']);
    expect(error.message).toContain('"03/04/2026" can be read in two ways');
    expect(error.hint).toContain('[maps.mine]');
    expect(error.hint).toContain('date = "DD/MM/YYYY"');
    expect(dates(['03/04/2026'], 'DD/MM/YYYY')).toEqual(['2026-04-03']);
    expect(dates(['03/04/2026'], 'MM/DD/YYYY')).toEqual(['2026-03-04']);
  });

  it.each(['03/04/2026', '03.04.26', '3-4-2026', '03.04.26 10:15', "3/ 4'26"])(
    '%s is read by each of the two maps that are proposed for it',
    (text) => {
      const { hint } = refused([text]);
      const [dayFirst, monthFirst] = [...hint.matchAll(/date = "([^"]+)"/g)].map(([, form]) => form!);
      expect(dates([text], dayFirst)).toEqual(['2026-04-03']);
      expect(dates([text], monthFirst)).toEqual(['2026-03-04']);
      expect(hint).toContain(`[maps.mine]\nkind = "receipts"\ndate = "${dayFirst}"`);
    },
  );

  it('takes the order from a day after the 12th, wherever it is', () => {
    expect(dates(['03/04/2026', '25/04/2026'])).toEqual(['2026-04-03', '2026-04-25']);
    expect(dates(['03/04/2026', '04/25/2026'])).toEqual(['2026-03-04', '2026-04-25']);
    expect(refused(['25/04/2026', '04/25/2026']).message).toContain('where dates before it have the month');
  });

  it('holds every date to the form of the map', () => {
    expect(dates(['3.4.26', '03.04.26 10:15'], 'D.M.YY')).toEqual(['2026-04-03', '2026-04-03']);
    expect(dates(['03042026'], 'DDMMYYYY')).toEqual(['2026-04-03']);
    expect(refused(['2026-04-03'], 'DD/MM/YYYY').message).toContain('is not a date written as DD/MM/YYYY');
  });

  it('reads back every day in every form', () => {
    const forms = ['DD/MM/YYYY', 'MM/DD/YYYY', 'D.M.YYYY', 'YYYY-MM-DD', 'YYYYMMDD'];
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2079-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 10 }), fc.constantFrom(...forms), (days, form) => {
        const iso = days.map((one) => one.toISOString().slice(0, 10));
        const written = iso.map((one) => {
          const [year = '', month = '', date = ''] = one.split('-');
          return form
            .replace('YYYY', year)
            .replace('MM', month)
            .replace('DD', date)
            .replace('M', String(Number(month)))
            .replace('D', String(Number(date)));
        });
        expect(dates(written, form)).toEqual(iso);
      }),
      { numRuns: 50 },
    );
  });
});

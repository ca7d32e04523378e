import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { said } from '../../src/base/sentence.ts';
import { column, integer, money, rendered, reportOf, text } from '../helpers/render.ts';

describe('a report as JSON', () => {
  it('has the fields of the contract, in their order', async () => {
    const columns = [text('order_id'), integer('orders'), money('cod')];
    const rows = [{ cod: '1.00', order_id: '007', orders: 3, internal: 'x' }, { order_id: '008' }];
    const extras = { totals: () => [{ currency: 'USD', cod: '1.00' }], notes: () => [said('A note.')] };
    const document = JSON.parse((await rendered(reportOf(columns, rows, extras), 'json')).toString());
    expect(JSON.stringify(document)).toBe(
      JSON.stringify({
        report: 'orders',
        title: 'Orders',
        period: '2026-10',
        generated_at: '2026-11-01T08:00:00.000Z',
        columns: [
          { name: 'order_id', type: 'text' },
          { name: 'orders', type: 'integer' },
          { name: 'cod', type: 'money' },
        ],
        rows: [
          { order_id: '007', orders: 3, cod: '1.00' },
          { order_id: '008', orders: null, cod: null },
        ],
        totals: [{ currency: 'USD', cod: '1.00' }],
        notes: ['A note.'],
      }),
    );
  });

  it('types a column by what it holds: a count is never money, and what is sometimes money is text', async () => {
    const types = ['id', 'number', 'text', 'wide', 'count', 'days', 'money', 'measure', 'date', 'datetime'] as const;
    const document = JSON.parse(
      (
        await rendered(
          reportOf(
            types.map((type) => column(type, type)),
            [],
          ),
          'json',
        )
      ).toString(),
    );
    expect(Object.fromEntries(document.columns.map(({ name, type }: Record<string, string>) => [name, type]))).toEqual({
      id: 'text',
      number: 'integer',
      text: 'text',
      wide: 'text',
      count: 'integer',
      days: 'integer',
      money: 'money',
      measure: 'text',
      date: 'date',
      datetime: 'datetime',
    });
  });

  it('holds nothing that a terminal would obey, and reads back as it was', async () => {
    const wild = 'x\u009b2J\u007f\u202e\u2066\u200f\u0085y';
    const extras = { notes: () => [said(wild)], totals: () => [{ text: wild }], title: wild };
    const json = (await rendered(reportOf([text('text')], [{ text: wild }], extras), 'json')).toString();
    expect(json).not.toMatch(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    const document = JSON.parse(json);
    expect([document.rows[0].text, document.notes[0], document.title]).toEqual([wild, wild, wild]);
  });

  it('asks for totals and notes only when the last row has been read', async () => {
    let read = 0;
    const rows = (async function* () {
      for (; read < 3; read += 1) yield { text: String(read) };
    })();
    const report = reportOf([text('text')], rows, { notes: () => [said(`${read} rows`)] });
    expect(JSON.parse((await rendered(report, 'json')).toString()).notes).toEqual(['3 rows']);
  });

  it('is valid and exact for any text, and for no row at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (texts) => {
        const document = JSON.parse(
          (
            await rendered(
              reportOf(
                [text('text')],
                texts.map((t) => ({ text: t })),
              ),
              'json',
            )
          ).toString(),
        );
        expect(document.rows.map((row: { text: string }) => row.text)).toEqual(texts.map((t) => t));
      }),
    );
  });
});

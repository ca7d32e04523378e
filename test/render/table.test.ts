import { describe, expect, it } from 'vitest';
import { said } from '../../src/base/sentence.ts';
import { column, integer, money, rendered, reportOf, rowsOf, text } from '../helpers/render.ts';

const table = async (...args: Parameters<typeof reportOf>) => (await rendered(reportOf(...args), 'table')).toString();

describe('a report as a table', () => {
  it('groups money to the right, with totals under the rows and notes below', async () => {
    const rows = [
      { order: 'A1', currency: 'USD', cod: '1234567.50', count: 3 },
      { order: 'B22', currency: 'LBP', cod: '-0.05', count: null },
    ];
    const extras = {
      totals: () => [{ currency: 'USD', cod: '1234567.50' }],
      notes: () => [said('LBP has no totals.')],
    };
    expect(await table([text('order'), text('currency'), money('cod'), integer('count')], rows, extras)).toBe(
      [
        'Orders, 2026-10',
        '',
        'order  currency           cod  count',
        '─────  ────────  ────────────  ─────',
        'A1     USD       1,234,567.50      3',
        'B22    LBP              -0.05',
        '─────  ────────  ────────────  ─────',
        'Total  USD       1,234,567.50',
        '',
        'LBP has no totals.',
        '',
      ].join('\n'),
    );
  });

  it('leaves a count that stands among amounts a whole number', async () => {
    const rows = [
      { expected: '1090', unit: 'count' },
      { expected: '1090.00', unit: 'money' },
      { expected: '1090', unit: 'money' },
      { expected: '-2', unit: 'days' },
    ];
    const shown = await table([column('expected', 'measure')], rows);
    expect(shown.split('\n').slice(4, 8)).toEqual(['   1,090', '1,090.00', '1,090.00', '      -2']);
  });

  it('shows a date-time with the offset that its document states, and other text as it is', async () => {
    const times = ['2026-09-08T00:00:00+03:00', '2026-09-07T21:00:00.123456Z', '2026-09-07 21:00', 'tomorrow'];
    const shown = await table(
      [column('issued_at', 'datetime')],
      times.map((issued_at) => ({ issued_at })),
    );
    expect(shown.split('\n').slice(4, 8)).toEqual([
      '2026-09-08 00:00:00 +03:00',
      '2026-09-07 21:00:00 UTC',
      '2026-09-07 21:00 UTC',
      'tomorrow',
    ]);
  });

  it('names no period where a report has none', async () => {
    const shown = await rendered(reportOf([text('text')], rowsOf(['x']), { title: 'Runs', period: '' }), 'table');
    expect(shown.toString()).toMatch(/^Runs\n\n/);
  });

  it('says so when there is nothing to show', async () => {
    expect(await table([text('text')], [])).toContain('Nothing to show.');
  });

  it('shows escapes and control characters instead of obeying them', async () => {
    const shown = await table(
      [text('text')],
      rowsOf(['\u001b[31mred\u001b]0;title\u0007', 'a\r\nb', '\u009b2J', 'x\u202Ey']),
      {
        notes: () => [said('note\u001b[2J')],
      },
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/);
    expect(shown).toContain('␛[31mred');
    expect(shown).toContain('a b');
  });

  it('aligns wide letters and emoji, and keeps the columns in place amid Arabic', async () => {
    const columns = [text('text'), money('cod')];
    const lines = (
      await table(columns, [
        { text: '日本', cod: '1.00' },
        { text: '👩‍👩‍👧x', cod: '2.00' },
      ])
    ).split('\n');
    expect(lines[4]).toBe('日本  1.00');
    expect(lines[5]).toBe('👩‍👩‍👧x   2.00');
    const arabic = (
      await table(columns, [
        { text: 'مُحَمَّد', cod: '1.00' },
        { text: 'abcd', cod: '2.00' },
      ])
    ).split('\n');
    expect(arabic[4]).toBe('مُحَمَّد \u200E 1.00');
    expect(arabic[5]).toBe('abcd \u200E 2.00');
  });

  it('cuts texts, never numbers, into a terminal of a given width', async () => {
    const report = reportOf([text('text'), money('cod')], [{ text: 'x'.repeat(100), cod: '123456789.00' }]);
    const shown = (await rendered(report, 'table', { width: 40 })).toString().split('\n');
    expect(Math.max(...shown.map((line) => line.length))).toBe(40);
    expect(shown[4]).toMatch(/^x+… {2}123,456,789\.00$/);
    const whole = await rendered(reportOf([text('text')], rowsOf(['x'.repeat(300)])), 'table');
    expect(whole.toString()).toContain('x'.repeat(300));
    expect(whole.toString()).not.toContain('cut');
  });

  it.each([
    ['Latin letters', 'x'],
    ['Arabic letters', 'ل'],
    ['emoji', '\u{1F4E6}'],
  ])('cuts a text of 100 kB in %s, and says so; other formats hold it whole', async (_what, letter) => {
    const long = letter.repeat(100_000 / letter.length);
    const texts = [...rowsOf(Array.from({ length: 10 }, () => long)), ...rowsOf(['short'])];
    for (const width of [null, 80]) {
      const shown = (await rendered(reportOf([text('text')], texts), 'table', { width })).toString();
      if (width === null) expect(shown).toContain(`${letter.repeat(299)}…\n`);
      expect(shown).not.toContain(letter.repeat(300));
      expect(shown).toContain('\n10 texts are cut to 300 characters; --format csv, json and html have them whole.\n');
    }
    for (const format of ['csv', 'json', 'html'] as const) {
      expect((await rendered(reportOf([text('text')], texts), format)).toString()).toContain(long);
    }
  });

  it('goes on in a second table, with the keys again, where a terminal is too narrow for all columns', async () => {
    const columns = [text('month'), { ...text('currency'), key: true }, money('cod'), money('fee'), money('net')];
    const rows = [{ month: '2026-10', currency: 'USD', cod: '1234567.50', fee: '-1.00', net: '1234566.50' }];
    const extras = { totals: () => [{ currency: 'USD', cod: '1234567.50', fee: '-1.00', net: '1234566.50' }] };
    const drawn = async (width: number) =>
      (await rendered(reportOf(columns, rows, extras), 'table', { width })).toString();
    expect(await drawn(45)).toBe(
      [
        'Orders, 2026-10',
        '',
        'month    currency           cod    fee',
        '───────  ────────  ────────────  ─────',
        '2026-10  USD       1,234,567.50  -1.00',
        '───────  ────────  ────────────  ─────',
        'Total    USD       1,234,567.50  -1.00',
        '',
        'month    currency           net',
        '───────  ────────  ────────────',
        '2026-10  USD       1,234,566.50',
        '───────  ────────  ────────────',
        'Total    USD       1,234,566.50',
        '',
      ].join('\n'),
    );
    const unsummed = reportOf(columns, rows, { totals: () => [{ currency: 'USD', cod: '1234567.50' }] });
    const parts = (await rendered(unsummed, 'table', { width: 45 })).toString().split('\n\n');
    expect(parts.map((part) => part.includes('Total'))).toEqual([false, true, false]);
    const widthOf = (shown: string) => Math.max(...shown.split('\n').map((line) => line.length));
    expect(widthOf(await drawn(52))).toBe(52);
    expect(widthOf(await drawn(31))).toBe(31);
    // No table can be narrower than its keys and one number.
    expect(widthOf(await drawn(10))).toBe(31);
  });

  it('colours only when asked to', async () => {
    const report = () => reportOf([money('cod')], [{ cod: '-1.00' }]);
    expect((await rendered(report(), 'table')).toString()).not.toContain('\u001b');
    expect((await rendered(report(), 'table', { color: true })).toString()).toContain('\u001b[31m-1.00\u001b[39m');
  });

  it('draws a long report in one piece, all columns as wide as the widest row anywhere', async () => {
    const rows = Array.from({ length: 350 }, (_, i) => ({ text: i === 349 ? 'wide'.repeat(5) : `${i}`, cod: '1.00' }));
    const lines = (await table([text('text'), money('cod')], rows)).trimEnd().split('\n').slice(4);
    expect(lines).toHaveLength(350);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([26]));
  });
});

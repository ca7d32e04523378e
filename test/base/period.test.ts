import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { addMonths, formatPeriod, parsePeriod } from '../../src/base/period.ts';

/** Five minutes into November in UTC, while in Auckland (the tests' time zone) it is the afternoon; and the reverse. */
const NOW = new Date('2026-11-01T00:05:00Z');

describe('parsePeriod', () => {
  it.each([
    ['2026-10', ['2026-10']],
    [' 2026-10 ', ['2026-10']],
    ['2026-Q4', ['2026-10', '2026-11', '2026-12']],
    ['2026-q1', ['2026-01', '2026-02', '2026-03']],
    ['2026-08..2026-10', ['2026-08', '2026-09', '2026-10']],
    ['2025-12..2026-01', ['2025-12', '2026-01']],
    ['2026-10..2026-10', ['2026-10']],
    ['this-month', ['2026-11']],
    ['last-month', ['2026-10']],
  ])('reads %s', (text, months) => {
    expect(parsePeriod(text, NOW, 'UTC')).toEqual(months);
  });

  it('reads a year as its twelve months', () => {
    const months = parsePeriod('2026', NOW, 'UTC');
    expect(months).toHaveLength(12);
    expect([months[0], months[11]]).toEqual(['2026-01', '2026-12']);
  });

  it('goes by the clock of the zone that it is given, whatever the time zone of the machine', () => {
    expect(parsePeriod('this-month', new Date('2026-10-31T23:59:59Z'), 'UTC')).toEqual(['2026-10']);
    expect(parsePeriod('last-month', new Date('2026-01-01T00:00:00Z'), 'UTC')).toEqual(['2025-12']);
    expect(parsePeriod('this-month', new Date('2026-10-31T23:59:59Z'), 'Asia/Beirut')).toEqual(['2026-11']);
    expect(parsePeriod('last-month', new Date('2026-01-01T00:00:00Z'), 'America/Lima')).toEqual(['2025-11']);
  });

  it.each(['1969-12-31T23:59:59Z', '2100-01-01T00:00:00Z'])('takes no month from a clock that says %s', (now) => {
    for (const text of ['this-month', 'last-month']) {
      expect(() => parsePeriod(text, new Date(now), 'UTC')).toThrow(
        `the clock of this machine says ${now.slice(0, 10)}`,
      );
    }
    expect(parsePeriod('2026-10', new Date(now), 'UTC')).toEqual(['2026-10']);
  });

  it.each([
    ['2026-13', 'there is no month 13'],
    ['2026-00', 'there is no month 00'],
    ['2026-1', 'is not a month'],
    ['2026-Q5', 'is not a month'],
    ['2026-10-01', 'is not a month'],
    ['october', '"october"'],
    ['', 'is not a period'],
    ['2026-10..', 'is not a month'],
    ['2026-10..2026-08', 'ends before it begins'],
    ['2026-08..2026-10..2026-12', 'is not a period'],
    ['1000-01..2999-12', 'the year 1000'],
    ['2000-01..2026-01', 'more than 240 months'],
    ['1969-12', 'the year 1969'],
    ['2100-01', 'the year 2100'],
    ['0026', 'the year 0026'],
  ])('refuses %j and says why', (text, why) => {
    const refused = () => parsePeriod(text, NOW, 'UTC');
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(why);
    try {
      refused();
    } catch (error) {
      expect((error as UsageError).hint).toMatch(/2026-|years/);
    }
  });
});

describe('formatPeriod', () => {
  it('is the inverse of parsePeriod', () => {
    const month = fc.integer({ min: 2000 * 12, max: 2030 * 12 }).map((i) => addMonths('0000-01', i));
    fc.assert(
      fc.property(month, fc.integer({ min: 0, max: 40 }), (first, more) => {
        const months = parsePeriod(`${first}..${addMonths(first, more)}`, NOW, 'UTC');
        expect(months).toHaveLength(more + 1);
        expect(parsePeriod(formatPeriod(months), NOW, 'UTC')).toEqual(months);
      }),
    );
  });

  it.each([
    [['2026-10'], '2026-10'],
    [['2026-10', '2026-11', '2026-12'], '2026-Q4'],
    [['2026-09', '2026-10', '2026-11'], '2026-09..2026-11'],
    [['2026-08', '2026-10'], '2026-08, 2026-10'],
    [[], ''],
  ])('writes %j as %s', (months, text) => {
    expect(formatPeriod(months)).toBe(text);
  });
});

describe('months', () => {
  it('steps over the turn of the year both ways', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01');
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(addMonths('2026-10', -22)).toBe('2024-12');
  });
});

import { describe, expect, it } from 'vitest';
import { dateChanges, dayIn, endOfDay, isTimeZone, machineZone, monthIn } from '../../src/base/day.ts';

describe('the day of an instant', () => {
  it.each([
    ['2026-10-31T23:30:00+00:00', 'UTC', '2026-10-31'],
    ['2026-10-31T23:30:00+00:00', 'Asia/Beirut', '2026-11-01'],
    ['2026-11-01T01:30:00+02:00', 'UTC', '2026-10-31'],
    ['2026-11-01T01:30:00+02:00', 'America/New_York', '2026-10-31'],
    // Kathmandu is 5:45 ahead: its day begins at a quarter past six in the evening.
    ['2026-10-31T18:14:59.999Z', 'Asia/Kathmandu', '2026-10-31'],
    ['2026-10-31T18:15:00Z', 'Asia/Kathmandu', '2026-11-01'],
  ])('%s in %s is %s', (instant, zone, day) => {
    expect(dayIn(instant, zone)).toBe(day);
    expect(dayIn(new Date(instant), zone)).toBe(day);
    expect(monthIn(instant, zone)).toBe(day.slice(0, 7));
  });

  it('follows summer time: an hour before midnight UTC is the next day in Beirut in winter too, two and a half only in summer', () => {
    expect(dayIn('2026-07-31T21:30:00Z', 'Asia/Beirut')).toBe('2026-08-01');
    expect(dayIn('2026-12-31T21:30:00Z', 'Asia/Beirut')).toBe('2026-12-31');
    // The night in which the clock of New York goes back an hour.
    expect(dayIn('2026-11-01T03:59:59Z', 'America/New_York')).toBe('2026-10-31');
    expect(dayIn('2026-11-01T04:00:00Z', 'America/New_York')).toBe('2026-11-01');
    expect(dayIn('2026-11-02T04:59:59Z', 'America/New_York')).toBe('2026-11-01');
    expect(dayIn('2026-11-02T05:00:00Z', 'America/New_York')).toBe('2026-11-02');
  });

  it('is what a date without a time says, in every zone', () => {
    expect(dayIn('2026-10-31', 'Pacific/Auckland')).toBe('2026-10-31');
  });
});

describe('the end of a day', () => {
  it.each([
    ['2026-10-31', 'UTC', '2026-10-31T23:59:59.999Z'],
    ['2026-10-31', 'Asia/Beirut', '2026-10-31T21:59:59.999Z'],
    ['2026-07-31', 'Asia/Beirut', '2026-07-31T20:59:59.999Z'],
    ['2026-11-01', 'America/New_York', '2026-11-02T04:59:59.999Z'],
    ['2026-10-31', 'Asia/Kathmandu', '2026-10-31T18:14:59.999Z'],
    ['2026-10-31', 'Pacific/Kiritimati', '2026-10-31T09:59:59.999Z'],
    // The day that Samoa left out.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T09:59:59.999Z'],
  ])('%s in %s is %s', (day, zone, end) => {
    expect(endOfDay(day, zone).toISOString()).toBe(end);
  });
});

describe('a time zone', () => {
  it('has a name that the machine knows', () => {
    expect(['Asia/Beirut', 'UTC', 'Europe/Paris'].map(isTimeZone)).toEqual([true, true, true]);
    expect(['Beirut', '+03:00', '', 'Asia/Nowhere'].map(isTimeZone)).toEqual([false, false, false, false]);
  });

  it('is the environment’s where it names one, else the machine’s', () => {
    expect(machineZone({ TZ: 'Asia/Beirut' })).toBe('Asia/Beirut');
    expect(machineZone({ TZ: ':/etc/localtime' })).toBe('Pacific/Auckland');
    expect(machineZone({})).toBe('Pacific/Auckland');
  });
});

describe('the minutes at which a zone’s date may change', () => {
  const QUARTER = 900_000;

  // St John's put its clock back at a minute past midnight, so that its date changed three times that night.
  it.each([
    ['UTC', '2026-01-01', '2026-12-31'],
    ['Asia/Beirut', '2026-01-01', '2026-12-31'],
    ['Africa/Cairo', '2014-01-01', '2014-12-31'],
    ['Africa/Casablanca', '2026-01-01', '2026-12-31'],
    ['Asia/Kathmandu', '2026-01-01', '2026-12-31'],
    ['America/New_York', '2026-01-01', '2026-12-31'],
    ['Australia/Lord_Howe', '2026-01-01', '2026-12-31'],
    ['America/St_Johns', '2009-01-01', '2009-12-31'],
    ['Pacific/Apia', '2011-09-01', '2012-05-01'],
  ])('in %s are all that change it from %s to %s', (zone, from, to) => {
    const minutes = dateChanges(zone, from, to);
    const end = Date.parse(`${to}T23:59:59Z`);
    let before = dayIn(new Date(Date.parse(`${from}T00:00:00Z`) - QUARTER), zone);
    for (let at = Date.parse(`${from}T00:00:00Z`); at < end; at += QUARTER) {
      const day = dayIn(new Date(at), zone);
      if (day !== before) expect(minutes, new Date(at).toISOString()).toContain((at % 86_400_000) / 60_000);
      before = day;
    }
    // Few: the ledger compares each delivery with each of them.
    expect(minutes.length).toBeLessThan(6);
  });
});

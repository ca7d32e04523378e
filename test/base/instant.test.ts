import { expect, test } from 'vitest';
import { parseInstant } from '../../src/base/instant.ts';

test.each([
  ['2026-10-31T23:30:00.123456+03:00', '2026-10-31T20:30:00.123Z'],
  ['2026-10-31T23:30:00Z', '2026-10-31T23:30:00.000Z'],
  ['2026-10-31T23:30:00.5z', '2026-10-31T23:30:00.500Z'],
  ['2026-10-31 23:30:00-0230', '2026-11-01T02:00:00.000Z'],
  [' 2026-10-31T23:30+02 ', '2026-10-31T21:30:00.000Z'],
  // Without an offset: UTC, though this machine's zone is another (vitest.config.ts sets one far away).
  ['2026-10-31T23:30:00', '2026-10-31T23:30:00.000Z'],
  ['2026-10-31T23:30:00.000001', '2026-10-31T23:30:00.000Z'],
])('%s is an instant', (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant);
});

test.each([
  '',
  'soon',
  '2026-10-31',
  '2026-13-01T00:00:00Z',
  '2026-10-31T25:00:00Z',
  '31/10/2026 10:00',
  '2026-W44T10:00',
])('%s is none', (text) => {
  expect(parseInstant(text)).toBeNull();
});

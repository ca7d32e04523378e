import { expect, it } from 'vitest';
import { sizeText } from '../../src/base/counted.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [999_999_999_999, '1.0 TB'],
  [5_000_000_000_000_000, '5000.0 TB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

import type { CustomTypesConfig } from 'pg';

const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

/** How values arrive: whole numbers as numbers, as from SQLite; anything else as text, and bytes as a Buffer. */
export function typesOf(standard: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser(oid: number, format?: unknown) {
      if (oid === INT8) return wholeNumber;
      // Sums of 64-bit integers are of this type.
      if (oid === NUMERIC) return (text: string) => (/^-?\d+$/.test(text) ? wholeNumber(text) : text);
      if (oid === BOOL) return (text: string) => (text === 't' ? 1 : 0);
      return standard.getTypeParser(oid, format as 'text');
    },
  } as CustomTypesConfig;
}

/** @throws RangeError for what a number cannot hold: it would be read as another one */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is beyond the integers that can be read exactly`);
}

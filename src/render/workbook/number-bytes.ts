/** Numbers as text, byte by byte: a string for each of a long table's amounts would cost more than the amount. */

const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const UNITS = 10_000;
const BILLION = 1_000_000_000;

/** Writes a whole number, not negative, at a place. @returns the place behind it */
export function writeWhole(bytes: Uint8Array, at: number, whole: number): number {
  if (whole < BILLION) return writeDigits(bytes, at, whole, digitsOf(whole));
  const billions = Math.floor(whole / BILLION);
  return writeDigits(bytes, writeWhole(bytes, at, billions), whole - billions * BILLION, 9);
}

/** Writes a count of ledger units below 1e15 as the shortest decimal, as JavaScript prints the number. @returns the place behind it */
export function writeCount(bytes: Uint8Array, at: number, count: number): number {
  let end = at;
  if (count < 0) {
    bytes[end] = MINUS;
    end += 1;
  }
  const magnitude = Math.abs(count);
  const whole = Math.floor(magnitude / UNITS);
  let parts = magnitude - whole * UNITS;
  end = writeWhole(bytes, end, whole);
  if (parts === 0) return end;
  bytes[end] = POINT;
  end += 1;
  for (let unit = UNITS / 10; parts > 0; unit /= 10) {
    const digit = Math.floor(parts / unit);
    bytes[end] = ZERO + digit;
    end += 1;
    parts -= digit * unit;
  }
  return end;
}

function digitsOf(whole: number): number {
  let digits = 1;
  for (let bound = 10; whole >= bound; bound *= 10) digits += 1;
  return digits;
}

/** @param whole below 10^9, so that its arithmetic is that of 32-bit integers */
function writeDigits(bytes: Uint8Array, at: number, whole: number, digits: number): number {
  let rest = whole | 0;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const left = (rest / 10) | 0;
    bytes[place] = ZERO + (rest - left * 10);
    rest = left;
  }
  return at + digits;
}

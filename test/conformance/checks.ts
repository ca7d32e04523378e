import { expect } from 'vitest';

/** Holds one value against what the specification says of its field. */
export type Check = (value: unknown, where: string) => void;

export const text: Check = (value, where) => expect(value, where).toBeTypeOf('string');
export const boolean: Check = (value, where) => expect(value, where).toBeTypeOf('boolean');
export const integer: Check = (value, where) => expect(Number.isSafeInteger(value), `${where}: ${value}`).toBe(true);

export const matching =
  (pattern: RegExp): Check =>
  (value, where) =>
    expect(value, where).toMatch(pattern);

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, where) =>
    expect(values, where).toContain(value);

export const textUpTo =
  (length: number): Check =>
  (value, where) => {
    text(value, where);
    expect([...(value as string)].length, where).toBeLessThanOrEqual(length);
  };

export const integerWithin =
  (least: number, most: number): Check =>
  (value, where) => {
    integer(value, where);
    expect(value, where).toBeGreaterThanOrEqual(least);
    expect(value, where).toBeLessThanOrEqual(most);
  };

export const orNull =
  (check: Check): Check =>
  (value, where) => {
    if (value !== null) check(value, where);
  };

export const orEmpty =
  (check: Check): Check =>
  (value, where) => {
    if (value !== '') check(value, where);
  };

export const url: Check = (value, where) => {
  text(value, where);
  expect(URL.canParse(value as string), `${where}: ${value}`).toBe(true);
  expect(new URL(value as string).protocol, where).toMatch(/^https?:$/);
};

export const listOf =
  (check: Check): Check =>
  (value, where) => {
    expect(Array.isArray(value), where).toBe(true);
    for (const [i, item] of (value as unknown[]).entries()) check(item, `${where}[${i}]`);
  };

/** An object with these fields, each as its check says; others may stand beside them. */
export const objectOf =
  (fields: Record<string, Check>): Check =>
  (value, where) => {
    expect(value, where).toBeTypeOf('object');
    for (const [name, check] of Object.entries(fields)) {
      expect(value, where).toHaveProperty(name);
      check((value as Record<string, unknown>)[name], `${where}.${name}`);
    }
  };

/** ISO 8601 with a UTC offset, or Z. */
export const dateTime = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/);
/** ISO 8601 with a UTC offset and microseconds. */
export const dateTimeMicros = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);

/** Spec, 'Common conventions': pairs of a currency code and a decimal amount with two decimals. */
export const money: Check = listOf((pair, where) => {
  expect(Array.isArray(pair), where).toBe(true);
  expect(pair, where).toHaveLength(2);
  const [currency, amount] = pair as unknown[];
  expect(currency, where).toMatch(/^[A-Z]{3}$/);
  expect(amount, where).toMatch(/^-?\d+\.\d{2}$/);
});

export const decimal = matching(/^-?\d+(\.\d+)?$/);
/** Spec, 'Area': an optional minus sign, up to 3 integer digits and up to 15 fractional ones. */
export const coordinate = matching(/^-?\d{1,3}(\.\d{1,15})?$/);
export const email = matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);
export const hexColour = matching(/^#[0-9A-Fa-f]{6}$/);

import { plainText } from '../plain-text.ts';
import type { TariffLine, TariffSubject } from './model.ts';

/** From the most to the least specific: a line that names an area wins over all that do not, and so on. */
const FIELDS = ['area', 'district', 'merchantLocation', 'workflow'] as const;

/** Which fields a line names, and with what: lines of one scope cover the same orders. */
export function scopeOf(line: TariffLine): string {
  return FIELDS.map((field) => part(line[field])).join('\n');
}

/** The scopes that cover an order, the most specific first; those of one group are equally specific. */
export function* scopesCovering(subject: TariffSubject): Generator<readonly string[]> {
  const values: readonly (readonly (string | null)[])[] = [
    subject.areas,
    subject.district === null ? [] : [subject.district],
    subject.merchantLocations,
    subject.workflow === null ? [] : [subject.workflow],
  ];
  for (let named = 2 ** FIELDS.length - 1; named >= 0; named -= 1) {
    const choices = values.map((known, at) => (named & (1 << (FIELDS.length - 1 - at)) ? unique(known) : ['']));
    if (choices.some((choice) => choice.length === 0)) continue;
    yield choices.reduce<string[]>(
      (scopes, choice, at) =>
        scopes.flatMap((scope) => choice.map((value) => (at === 0 ? value : `${scope}\n${value}`))),
      [''],
    );
  }
}

/** A value in a scope; empty is any. */
function part(value: string | null): string {
  return value === null ? '' : plainText(value);
}

function unique(values: readonly (string | null)[]): string[] {
  return [...new Set(values.map(part))].filter((value) => value !== '');
}

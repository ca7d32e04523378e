import type { PriceFigure } from '../../money/fields.ts';
import type { Units } from '../../money/units.ts';
import { plainText } from '../plain-text.ts';

/** A line of the rate card. Null is any. */
export interface TariffLine extends Readonly<Record<PriceFigure, Units | null>> {
  /** Its place, for messages: `tariff.csv:12`. */
  readonly place: string;
  /** The courier whose price it is; null is any that no line names. */
  readonly courier: string | null;
  readonly workflow: string | null;
  readonly district: string | null;
  /** An area's name, code or id. */
  readonly area: string | null;
  /** A pickup location's name or id. */
  readonly merchantLocation: string | null;
  /** The first and the last day on which it holds, `2026-01-01`; null is open. */
  readonly from: string | null;
  readonly to: string | null;
  /** The kind of charge that it prices. */
  readonly charge: string;
  readonly currency: string;
  /** For the order, however many packages it has. */
  readonly fee: Units;
}

/** What the rate card is asked about. */
export interface TariffSubject {
  readonly workflow: string | null;
  readonly district: string | null;
  /** All that the area goes by: id, code, names. */
  readonly areas: readonly string[];
  /** All that the pickup location goes by: id, name. */
  readonly merchantLocations: readonly string[];
  /** The day that counts; see {@link tariffDay}. */
  readonly day: string;
  /** At least 1. */
  readonly packages: number;
  /** What it collects, by currency. */
  readonly cod: ReadonlyMap<string, Units>;
  /** Null where nobody says it. */
  readonly weight: Units | null;
}

/** What an order is priced by and that may not be known of it. */
export type TariffUnknown = 'district' | 'area' | 'merchantLocation' | 'packages';

/** The day whose prices count: the order's first delivery, else the invoice's date. */
export function tariffDay(firstDeliveredOn: string | null, invoiceDate: string): string {
  return firstDeliveredOn ?? invoiceDate;
}

/** From the most to the least specific: a line that names an area wins over all that do not, and so on. */
const FIELDS = ['area', 'district', 'merchantLocation', 'workflow'] as const;

/** Which fields a line names, and with what: lines of one scope cover the same orders. */
export function scopeOf(line: TariffLine): string {
  return FIELDS.map((field) => part(line[field])).join('\n');
}

/** Which fields a line names, as a number: the greater, the more specific. */
export function shapeOf(line: TariffLine): number {
  return FIELDS.reduce((shape, field) => shape * 2 + (part(line[field]) === '' ? 0 : 1), 0);
}

/**
 * The scopes that cover an order, the most specific first; those of one group are equally specific.
 *
 * @param shapes those of the rate card's lines, the most specific first: no line can have another scope
 */
export function* scopesCovering(subject: TariffSubject, shapes: readonly number[]): Generator<readonly string[]> {
  const values = valuesOf(subject);
  for (const shape of shapes) {
    const choices = values.map((known, at) => (shape & (1 << (FIELDS.length - 1 - at)) ? known : ANY));
    if (choices.some((choice) => choice.length === 0)) continue;
    yield choices.reduce<string[]>(
      (scopes, choice, at) =>
        scopes.flatMap((scope) => choice.map((value) => (at === 0 ? value : `${scope}\n${value}`))),
      [''],
    );
  }
}

/** Whether a line might cover an order: each field that it names is the order's, or one of `open`, which may be anything. */
export function mayCover(line: TariffLine, subject: TariffSubject, open: ReadonlySet<string>): boolean {
  const values = valuesOf(subject);
  return FIELDS.every((field, at) => {
    const named = part(line[field]);
    return named === '' || open.has(field) || values[at]!.includes(named);
  });
}

/** What an order goes by, field by field. */
function valuesOf(subject: TariffSubject): readonly (readonly string[])[] {
  return [subject.areas, [subject.district], subject.merchantLocations, [subject.workflow]].map(unique);
}

const ANY: readonly string[] = [''];

/** A value in a scope; empty is any. */
function part(value: string | null): string {
  return value === null ? '' : plainText(value);
}

function unique(values: readonly (string | null)[]): string[] {
  return [...new Set(values.map(part))].filter((value) => value !== '');
}

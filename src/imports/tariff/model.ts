import type { PriceFigure } from '../../money/fields.ts';
import type { Units } from '../../money/units.ts';

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

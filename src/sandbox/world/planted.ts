/** A planted mismatch as a check reports it. */
export interface Planted {
  code: string;
  invoice_number: number | null;
  order_id: string | null;
  currency: string | null;
  /** The field at fault, where one plant makes several findings that differ in nothing else. */
  field?: string;
  /** The month of the listing at fault, `YYYY-MM`, where neither an invoice nor an order is. */
  period?: string;
  /** The shop's own reference, where the courier has no such order. */
  reference_id?: string;
  /** What came in, where a receipt is at fault. */
  amount?: string;
  /**
   * How far the courier's figure departs because of it from what the merchant should receive: a signed decimal in `currency`,
   * negative where the merchant is short. Absent where no figure of the courier's is touched.
   */
  effect?: string;
}

/** Which plants are wanted, by code and variant. */
export type PlantFilter = (plant: { readonly code: string; readonly variant?: string | undefined }) => boolean;

/** The whole of a planted mismatch, from what differs from nothing. */
export function planted(code: string, facts: Partial<Omit<Planted, 'code'>>): Planted {
  return { code, invoice_number: null, order_id: null, currency: null, ...facts };
}

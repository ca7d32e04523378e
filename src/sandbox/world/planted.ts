/** A planted mismatch as a check reports it. */
export interface Planted {
  code: string;
  invoice_number: number | null;
  order_id: string | null;
  currency: string | null;
  /** The field at fault, where one plant causes several findings that differ in nothing else. */
  field?: string;
  /** The month, `YYYY-MM`, of the list at fault, where no invoice or order is. */
  period?: string;
  /** The shop's own reference of an order that the courier does not have. */
  reference_id?: string;
  /** The amount of the receipt at fault. */
  amount?: string;
  /**
   * How much more the courier's figure gives the merchant than is right, a decimal in `currency`: negative where the
   * merchant is short. Absent where no figure changes.
   */
  effect?: string;
}

/** Which plants are wanted, by code and variant. */
export type PlantFilter = (plant: { readonly code: string; readonly variant?: string | undefined }) => boolean;

/** A planted mismatch with the fields that were not given as null. */
export function planted(code: string, facts: Partial<Omit<Planted, 'code'>>): Planted {
  return { code, invoice_number: null, order_id: null, currency: null, ...facts };
}

/** How a delivery company's invoices show what the merchant pays on RETURN orders. */

/** The conventions by name. `+return-fees`: the fees of RETURN rows count too; with `as-stated` they always do. */
export const RETURNS_CONVENTIONS = [
  'as-stated',
  'deducted',
  'deducted+return-fees',
  'charged',
  'charged+return-fees',
  'separate',
  'separate+return-fees',
] as const;

export type ReturnsConvention = (typeof RETURNS_CONVENTIONS)[number];

/** The setting `returns`: `auto` learns the convention from the invoices. */
export const RETURNS_SETTINGS = ['auto', ...RETURNS_CONVENTIONS] as const;

export type ReturnsSetting = (typeof RETURNS_SETTINGS)[number];

/** The convention by which a check counted, as it is recorded; those in `among` would have given the same figures. */
export interface AdoptedReturns {
  readonly convention: ReturnsConvention;
  readonly basis: 'setting' | 'learnt' | 'provisional';
  readonly among: readonly ReturnsConvention[];
}

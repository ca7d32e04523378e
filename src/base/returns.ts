/** How a delivery company's invoices show what the merchant pays on RETURN orders (docs/checks.md, 'Returns'). */

/**
 * The conventions by name. The COD of RETURN rows is added to that of STANDARD rows with its sign (`as-stated`), taken
 * off it (`deducted`), added to the fee (`charged`), or taken off the net alone (`separate`). `+return-fees`: the fees
 * of RETURN rows count too; with `as-stated` they always do. So with STANDARD rows of 100.00 and a RETURN row of 20.00
 * the header's COD is 120.00 (`as-stated`), 80.00 (`deducted`), or else 100.00.
 */
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

/** The convention by which a check counted, as it is recorded. */
export interface AdoptedReturns {
  readonly convention: ReturnsConvention;
  /** `provisional`: the only one that fits every invoice, while too few invoices decide. */
  readonly basis: 'setting' | 'learnt' | 'provisional';
  /** The conventions that would have given the same figures. */
  readonly among: readonly ReturnsConvention[];
}

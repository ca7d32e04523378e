/**
 * How the RETURN rows of an invoice count under each convention (`base/returns.ts`). Until remit has learnt the
 * courier's convention, nobody knows.
 */
import type { ReturnsConvention } from '../base/returns.ts';
import type { NetField } from './fields.ts';
import type { Units } from './units.ts';

/** How a row's COD and fee count in what the merchant gets: COD is added, a fee is taken off. */
export interface RowSigns {
  readonly cod: 1 | -1;
  /** 0: the fee is stated and does not count. */
  readonly delivery_fee: 0 | -1;
}

export const STANDARD_SIGNS: RowSigns = { cod: 1, delivery_fee: -1 };

/** The COD and fee of a row or of several, in units of one currency. */
export type RowUnits = Readonly<Record<NetField, Units>>;

/** How a RETURN row counts: `as-stated` like any row; else its `cod` is taken off, and its fee with `+return-fees`. */
export function returnSigns(convention: ReturnsConvention): RowSigns {
  if (convention === 'as-stated') return STANDARD_SIGNS;
  return { cod: -1, delivery_fee: convention.endsWith('+return-fees') ? -1 : 0 };
}

/** How a row of a workflow counts. @param returns how a RETURN row counts; null if nobody knows */
export function signsOfWorkflow(workflow: string, returns: RowSigns | null): RowSigns | null {
  return workflow === 'RETURN' ? returns : STANDARD_SIGNS;
}

/** What a row adds to the merchant's net, in units; null if nobody knows. @param returns see {@link signsOfWorkflow} */
export function netOfRow(row: RowUnits & { readonly workflow: string }, returns: RowSigns | null): Units | null {
  const signs = signsOfWorkflow(row.workflow, returns);
  if (signs !== null) return netUnits(row, signs);
  return row.cod === 0n && row.delivery_fee === 0n ? 0n : null;
}

/**
 * COD and fee as they count for the merchant: what a return costs is negative COD; a fee stays positive.
 * Zero if nobody knows.
 */
export function countedOfRow(row: RowUnits & { readonly workflow: string }, returns: RowSigns | null): RowUnits {
  const signs = signsOfWorkflow(row.workflow, returns);
  if (signs === null) return { cod: 0n, delivery_fee: 0n };
  return { cod: row.cod * BigInt(signs.cod), delivery_fee: -row.delivery_fee * BigInt(signs.delivery_fee) };
}

/** What COD and fee add to the merchant's net, in units. */
export function netUnits({ cod, delivery_fee }: RowUnits, signs: RowSigns): Units {
  return cod * BigInt(signs.cod) + delivery_fee * BigInt(signs.delivery_fee);
}

/** An invoice's header in one currency, in units. */
export type HeaderUnits = RowUnits & { readonly net_due_to_merchant: Units };

/**
 * The header that a convention makes of an invoice's rows. Rows of COD 100 and fee 10, with a RETURN row of COD 5 and
 * fee 2, give COD, fee and net: `as-stated` 105, 12, 93; `deducted` 95, 10, 85; `charged` 100, 15, 85; `separate` 100,
 * 10, 85; with `+return-fees` the net is 83.
 *
 * @param standard the sums of all other rows
 * @param returned the sums of the RETURN rows
 */
export function headerUnder(convention: ReturnsConvention, standard: RowUnits, returned: RowUnits): HeaderUnits {
  const { cod, fee } = headerParts(convention, returned);
  return {
    cod: standard.cod + cod,
    delivery_fee: standard.delivery_fee + fee,
    net_due_to_merchant: netUnits(standard, STANDARD_SIGNS) + netUnits(returned, returnSigns(convention)),
  };
}

/** The net that follows from a header's COD and fee under a convention. @param returned the sums of the RETURN rows */
export function netUnder(convention: ReturnsConvention, { cod, delivery_fee }: RowUnits, returned: RowUnits): Units {
  return cod - delivery_fee + headerParts(convention, returned).onlyInNet;
}

/**
 * What RETURN rows add to a header: to its COD (`cod`), to its fee (`fee`, of which `countedFee` are delivery fees),
 * and to its net alone (`onlyInNet`), because neither the COD nor the fee has it.
 */
function headerParts(convention: ReturnsConvention, returned: RowUnits) {
  const signs = returnSigns(convention);
  // Such as `charged` of `charged+return-fees`.
  const [base] = convention.split('+');
  const countedFee = signs.delivery_fee === 0 ? 0n : returned.delivery_fee;
  const fee = base === 'charged' ? countedFee + returned.cod : countedFee;
  let cod = 0n;
  if (base === 'as-stated') cod = returned.cod;
  else if (base === 'deducted') cod = -returned.cod;
  return { cod, countedFee, fee, onlyInNet: netUnits(returned, signs) - (cod - fee) };
}

/**
 * What a convention does to a header's figures because of RETURN rows, in the order in which it is shown. Their figures
 * do not count as stated (`rows_left_out`). Instead their COD is taken off the COD (`returns_deducted`) or added to the
 * fee (`returns_charged`), or they are taken off the net alone (`returns_apart`).
 */
export type ReturnStep = 'rows_left_out' | 'returns_deducted' | 'returns_charged' | 'returns_apart';

/** One step from the sums of the rows to a figure of the header. */
export type FigureStep<Step> = { readonly figure: keyof HeaderUnits; readonly step: Step; readonly units: Units };

/**
 * The steps from the sums of all rows to the header under a convention. The rows' COD plus its steps is the header's
 * COD, and so is the fee; the header's COD less its fee plus the steps of the net is its net. `deducted`, a RETURN row
 * of 5 in COD 105: -5 left out and -5 deducted make the header's 95.
 */
export function stepsOfReturns(convention: ReturnsConvention, returned: RowUnits): FigureStep<ReturnStep>[] {
  if (convention === 'as-stated') return [];
  const { cod, countedFee, fee, onlyInNet } = headerParts(convention, returned);
  const steps: FigureStep<ReturnStep>[] = [
    { figure: 'cod', step: 'rows_left_out', units: -returned.cod },
    { figure: 'cod', step: 'returns_deducted', units: cod },
    { figure: 'delivery_fee', step: 'rows_left_out', units: countedFee - returned.delivery_fee },
    { figure: 'delivery_fee', step: 'returns_charged', units: fee - countedFee },
    { figure: 'net_due_to_merchant', step: 'returns_apart', units: onlyInNet },
  ];
  return steps.filter(({ units }) => units !== 0n);
}

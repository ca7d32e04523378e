import { UsageError } from '../../base/errors.ts';
import { eachField, MONEY_FIELDS, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../money/fields.ts';
import { requireRange } from '../../money/sum.ts';
import type { Units } from '../../money/units.ts';
import type { Store } from '../store/store.ts';

/**
 * How this company counts RETURN orders in an invoice's header. The `cod` of a RETURN order is what the merchant pays
 * on the return; the company's fee is already counted in it, unless `+return-fees` adds the row's fee.
 *
 * Deliveries of COD 100 and fee 3, with a return of COD 20 and fee 2, give `deducted` COD 80, fee 3; `charged` COD 100,
 * fee 23; `separate` COD 100, fee 3; and each a net of 77. `as-stated` (the row says -20) gives COD 80, fee 5, net 75.
 */
export interface ReturnsRule {
  readonly rule: 'as-stated' | 'deducted' | 'charged' | 'separate';
  /** The fees of RETURN rows count in addition to their `cod`. */
  readonly withFees: boolean;
}

const AS_STATED: ReturnsRule = { rule: 'as-stated', withFees: true };

const SETTING = 'operator.returns';

/**
 * Reads `as-stated`, `deducted`, `charged` or `separate`; all but the first may end in `+return-fees`.
 *
 * @throws UsageError for any other text
 */
export function parseReturns(text: string): ReturnsRule {
  const [, rule, suffix] = /^(as-stated|deducted|charged|separate)(\+return-fees)?$/.exec(text) ?? [];
  if (!rule || (rule === 'as-stated' && suffix)) {
    throw new UsageError(
      `${JSON.stringify(text)} is not a way to count returns`,
      'Write as-stated, deducted, charged or separate; +return-fees may follow the last three, as in deducted+return-fees.',
    );
  }
  return { rule: rule as ReturnsRule['rule'], withFees: rule === 'as-stated' || suffix !== undefined };
}

/** Sets the service's convention. Call it within `store.write`. */
export function setReturns(store: Store, returns: ReturnsRule): void {
  store.setSetting(SETTING, JSON.stringify(returns));
}

/** Reads the service's convention; undefined if none was set: then no RETURN order of the world has money. */
export function readReturnsRule(store: Store): ReturnsRule | undefined {
  const value = store.setting(SETTING);
  return value === undefined ? undefined : JSON.parse(value);
}

/** Sums of an invoice's rows in one currency, in units. */
export type SumsOfRows = Readonly<Record<OrderMoneyField, Units>>;

/**
 * An invoice header's figures in one currency, in units.
 *
 * @param standard the sums of the STANDARD rows
 * @param returned the sums of the RETURN rows
 * @throws MoneyError when a figure is beyond the range of units
 */
export function headerOf(standard: SumsOfRows, returned: SumsOfRows, { rule, withFees }: ReturnsRule = AS_STATED) {
  const fees = standard.delivery_fee + (withFees ? returned.delivery_fee : 0n);
  const figures = (cod: Units, delivery_fee: Units, takenOffNet: Units = 0n) => {
    const header = {
      ...eachField(ORDER_MONEY_FIELDS, (field) => standard[field] + returned[field]),
      cod,
      delivery_fee,
      net_due_to_merchant: cod - delivery_fee - takenOffNet,
    };
    return eachField(MONEY_FIELDS, (field) => requireRange(header[field], null));
  };
  switch (rule) {
    case 'as-stated':
      return figures(standard.cod + returned.cod, fees);
    case 'deducted':
      return figures(standard.cod - returned.cod, fees);
    case 'charged':
      return figures(standard.cod, fees + returned.cod);
    case 'separate':
      return figures(standard.cod, fees, returned.cod);
  }
}

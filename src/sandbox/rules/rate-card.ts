/**
 * The delivery company's rate card: the fee of an order by workflow, district and date. Every fee has a part in USD;
 * far and remote districts add a surcharge in LBP, in which drivers pay for fuel.
 */

import type { WORKFLOWS } from '../../api/wire.ts';
import { UsageError } from '../../base/errors.ts';
import { parseUnits, type Units } from '../../money/units.ts';

export interface AmountUnits {
  currency: string;
  units: Units;
}

type Workflow = (typeof WORKFLOWS)[number];
type Zone = 'capital' | 'near' | 'far' | 'remote';

/** The districts of each zone; a district that is not here is remote. */
const ZONES: readonly (readonly [zone: Zone, districts: readonly string[]])[] = [
  ['capital', ['Beirut']],
  ['near', ['Baabda', 'Metn', 'Aley', 'Keserwan']],
  ['far', ['Jbeil', 'Chouf', 'Saida', 'Batroun', 'Koura', 'Tripoli', 'Zgharta', 'Zahle', 'Nabatieh']],
];

/** The prices from a day on, as plain decimal texts, by workflow and zone. */
export interface Rates {
  /** The first day of these prices, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly usd: Readonly<Record<Workflow, Readonly<Record<Zone, string>>>>;
  /** A surcharge on each order, even one without COD. */
  readonly lbp: Readonly<Partial<Record<Zone, string>>>;
}

/** Newest first. */
export const RATE_CARD: readonly Rates[] = [
  {
    from: '2026-01-01',
    usd: {
      STANDARD: { capital: '3.00', near: '3.75', far: '4.75', remote: '6.00' },
      RETURN: { capital: '2.50', near: '3.00', far: '3.75', remote: '4.75' },
    },
    lbp: { far: '30000.00', remote: '45000.00' },
  },
  {
    from: '0000-01-01',
    usd: {
      STANDARD: { capital: '3.00', near: '3.50', far: '4.50', remote: '5.50' },
      RETURN: { capital: '2.25', near: '2.75', far: '3.50', remote: '4.50' },
    },
    lbp: { far: '25000.00', remote: '40000.00' },
  },
];

/** The zone of a district, by which it is priced; null is remote. */
export function zoneOfDistrict(district: string | null): Zone {
  return ZONES.find(([, districts]) => districts.includes(district ?? ''))?.[0] ?? 'remote';
}

/**
 * The fee of one order, exact, in units: USD first, then LBP if the district is far or remote.
 *
 * @param order.district the district of the customer's area, or null
 * @param order.date the day of the order as `YYYY-MM-DD`; anything after the day is ignored
 * @throws UsageError for an unknown workflow, or a date of another form (the calendar is not asked)
 */
export function quoteFee(order: { workflow: string; district: string | null; date: string }): AmountUnits[] {
  const day = order.date.slice(0, 10);
  const rates = /^\d{4}-\d{2}-\d{2}$/.test(day) && RATE_CARD.find((card) => card.from <= day);
  if (!rates) {
    throw new UsageError(`no rates for the date ${JSON.stringify(order.date)}`, 'Give a date such as 2026-10-31.');
  }
  const prices = Object.hasOwn(rates.usd, order.workflow) ? rates.usd[order.workflow as Workflow] : undefined;
  if (!prices) {
    const what = `no rates for the workflow ${JSON.stringify(order.workflow)}`;
    throw new UsageError(what, 'The workflows are STANDARD and RETURN.');
  }
  const zone = zoneOfDistrict(order.district);
  const fee: AmountUnits[] = [{ currency: 'USD', units: parseUnits(prices[zone]) }];
  const surcharge = rates.lbp[zone];
  if (surcharge !== undefined) fee.push({ currency: 'LBP', units: parseUnits(surcharge) });
  return fee;
}

import { sql } from 'kysely';
import type { Check } from './check.ts';
import { finding, sayOrder, shown } from './finding.ts';
import { population } from './population.ts';
import { rowPlaces } from './row-place.ts';
import { rowsWhere } from './row-states.ts';

export const paidStateConflict: Check = {
  code: 'paid-state-conflict',
  severity: 'warning',
  requires: [],
  title: 'The orders of a paid invoice are paid to the merchant, and those of an unpaid one are not.',
  claim: 'The invoice and its order do not agree on whether it was paid.',
  async find(context) {
    const conflicts = await rowsWhere(
      context,
      sql`((i.status = 'PAID' and o.payment_state <> 'PAID_TO_MERCHANT')
        or (i.status <> 'PAID' and o.payment_state = 'PAID_TO_MERCHANT'))`,
    );
    const placeOf = await rowPlaces(context);
    const findings = conflicts.map((row) =>
      finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        field: 'payment_state',
        place: placeOf(row).place,
        message: `Invoice ${row.number} is ${shown(row.status)} but its ${sayOrder(row.order_id, row.reference)} is ${shown(row.payment_state)}: look whether the money came in, then ask the delivery company to correct the one that is wrong.`,
      }),
    );
    return { findings, compared: (await population(context)).rows, notComparable: [] };
  },
};

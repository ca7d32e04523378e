import { sql } from 'kysely';
import { differs } from '../ledger/exact-sum.ts';
import { unitsText } from '../ledger/sql.ts';
import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, inPeriods, say, sayOff } from './finding.ts';
import { population } from './population.ts';

type Line = Record<'period' | 'currency' | 'cod' | 'fee' | 'net', string> & {
  number: number;
  vanished_at: string | null;
};

export const invoiceNet: Check = {
  code: 'invoice-net',
  severity: 'error',
  requires: [],
  title: 'An invoice’s net due is its COD less its delivery fee.',
  claim: "The invoice's net due is not its COD less its delivery fee.",
  async find(context) {
    const off = await sql<Line>`
      select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.cod')} as cod,
        ${unitsText('a.delivery_fee')} as fee, ${unitsText('a.net_due_to_merchant')} as net
      from invoice i join invoice_amount a on a.invoice_number = i.number
      where ${inPeriods(context.periods)} and ${differs(sql`a.cod`, sql`a.delivery_fee`, sql`a.net_due_to_merchant`)}
      order by i.number, a.currency`.execute(context.db);
    const findings = off.rows.map(({ number, period, vanished_at, currency, ...units }) => {
      const [cod, fee, actual] = [amountOfUnits(units.cod), amountOfUnits(units.fee), amountOfUnits(units.net)];
      const expected = cod.minus(fee);
      const difference = actual.minus(expected);
      return finding({
        period,
        invoice_number: number,
        currency,
        field: 'net_due_to_merchant',
        ...amounts(expected, actual),
        effect: vanished_at === null ? difference : null,
        message: `Invoice ${number} states a net due of ${say(actual, currency)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} that its COD of ${say(cod, currency)} less its fee of ${say(fee, currency)} leaves: ask the delivery company to correct the net.`,
      });
    });
    return { findings, compared: (await population(context)).invoices, notComparable: [] };
  },
};

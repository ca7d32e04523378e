import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits, formatAmount } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, inPeriods, say, sayOff } from './finding.ts';

export const invoiceNet: Check = {
  code: 'invoice-net',
  severity: 'error',
  needs: 'invoices',
  title: 'An invoice’s net due is its COD less its delivery fee.',
  async find({ db, periods }) {
    const off = await sql<{ number: number; period: string; currency: string; cod: string; fee: string; net: string }>`
      select i.number, i.period, a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee,
        ${unitsText('a.net_due_to_merchant')} as net
      from invoice i join invoice_amount a on a.invoice_number = i.number
      where ${inPeriods(periods)} and a.cod - a.delivery_fee <> a.net_due_to_merchant
      order by i.number, a.currency`.execute(db);
    return off.rows.map(({ number, period, currency, ...units }) => {
      const [cod, fee, actual] = [amountOfUnits(units.cod), amountOfUnits(units.fee), amountOfUnits(units.net)];
      const expected = cod.minus(fee);
      const difference = actual.minus(expected);
      return finding({
        period,
        invoice_number: number,
        currency,
        field: 'net_due_to_merchant',
        ...amounts(expected, actual),
        effect: formatAmount(difference),
        message: `Invoice ${number} states a net due of ${say(actual, currency)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} that its COD of ${say(cod, currency)} less its fee of ${say(fee, currency)} leaves: ask the delivery company to correct the net.`,
      });
    });
  },
};

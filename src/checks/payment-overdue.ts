import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { parseInstant } from '../instant.ts';
import { unitsText } from '../ledger/sql.ts';
import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { days, finding, inPeriods, say, sayList } from './finding.ts';
import { population } from './population.ts';
import type { Settlements } from './receipts/settlements.ts';
import { settlements } from './remittances.ts';

const DAY = 86_400_000;

type Line = Record<'period' | 'issued_at' | 'currency' | 'net', string> & { number: number };

export const paymentOverdue: Check = {
  code: 'payment-overdue',
  severity: 'warning',
  requires: [],
  title: 'An invoice that owes the merchant money is paid within the agreed days.',
  claim: 'The invoice has been unpaid for more days than were agreed.',
  ages: true,
  async find(context) {
    const { overdueDays } = context.settings;
    const owed = await sql<Line>`
      select i.number, i.period, i.issued_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
      from invoice i join invoice_amount a on a.invoice_number = i.number
      where ${inPeriods(context.periods)} and i.status <> 'PAID' and a.net_due_to_merchant > 0
      order by i.number, a.currency`.execute(context.db);
    // Where no receipts were imported there is the courier's word alone.
    const settled = context.knowledge.imported.has('receipts') ? await settlements(context) : null;
    const open = settled ? owed.rows.flatMap((line) => stillOwed(line, settled)) : owed.rows;
    const findings = [...groupBy(open, ({ number }) => number)].flatMap(([number, nets]) => {
      const { period, issued_at } = nets[0]!;
      const age = context.now.getTime() - (parseInstant(issued_at)?.getTime() ?? context.now.getTime());
      if (age <= overdueDays * DAY) return [];
      const whole = Math.floor(age / DAY);
      const due = sayList(
        nets.map(({ net, currency }) => say(amountOfUnits(net), currency)),
        20,
      );
      return finding({
        period,
        invoice_number: number,
        field: 'status',
        ...days(overdueDays, whole),
        message: `Invoice ${number} still owes ${due} after ${whole} days, where ${overdueDays} are agreed: ask the delivery company when it will pay.`,
      });
    });
    return { findings, compared: (await population(context)).invoices, notComparable: [] };
  },
};

/** What came in is owed no longer, whatever the courier calls the invoice. */
function stillOwed(line: Line, { of }: Settlements): Line[] {
  const settled = of(line.number, line.currency);
  if (settled?.by !== 'receipts') return [line];
  return settled.outstanding > 0n ? [{ ...line, net: String(settled.outstanding) }] : [];
}

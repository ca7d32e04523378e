import { differenceInHours } from 'date-fns/differenceInHours';
import { parseInstant } from '../instant.ts';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { counts, finding, say, sayList } from './finding.ts';
import { groupBy } from './lists.ts';

export const paymentOverdue: Check = {
  code: 'payment-overdue',
  severity: 'warning',
  needs: 'invoices',
  title: 'An invoice that owes the merchant money is paid within the agreed days.',
  ages: true,
  async find({ db, periods, settings, now }) {
    const owed = await db
      .selectFrom('invoice as i')
      .innerJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
      .select(['i.number', 'i.period', 'i.issued_at', 'a.currency', unitsText('a.net_due_to_merchant').as('net')])
      .where('i.period', 'in', [...periods])
      .where('i.vanished_at', 'is', null)
      .where('i.status', '<>', 'PAID')
      .where('a.net_due_to_merchant', '>', 0n as never)
      .orderBy('i.number')
      .orderBy('a.currency')
      .execute();
    return [...groupBy(owed, ({ number }) => number)].flatMap(([number, nets]) => {
      const { period, issued_at } = nets[0]!;
      const issued = parseInstant(issued_at);
      const age = issued ? Math.floor(differenceInHours(now, issued) / 24) : 0;
      if (age <= settings.overdueDays) return [];
      const due = sayList(
        nets.map(({ net, currency }) => say(amountOfUnits(net), currency)),
        20,
      );
      return finding({
        period,
        invoice_number: number,
        field: 'status',
        ...counts(settings.overdueDays, age),
        message: `Invoice ${number} still owes ${due} after ${age} days, where ${settings.overdueDays} are agreed: ask the delivery company when it will pay.`,
      });
    });
  },
};

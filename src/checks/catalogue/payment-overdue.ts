import { dayIn, dayNumber } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { readUnflaggedNets, type UnflaggedNet } from '../../ledger/queries/invoices/headers.ts';
import { formatAmount } from '../../money/decimal.ts';
import { amountOfUnits } from '../../money/units.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { population } from '../facts/population.ts';
import type { Settlements } from '../facts/receipts/settlements.ts';
import { settlementsOfMonth } from '../facts/remittances.ts';
import { days, finding } from '../finding.ts';
import { NEW_INVOICE } from '../plant.ts';

/** `amount`: what is still owed; `age` and `agreed`: in days. */
type Says = {
  id: 'payment-overdue';
  number: number;
  currency: string;
  amount: string;
  age: number;
  agreed: number;
};

export const paymentOverdue = defineCheck<Says>({
  code: 'payment-overdue',
  severity: 'warning',
  title: {
    en: 'An invoice that owes the merchant money is paid within the agreed days.',
    ar: 'الفاتورة التي فيها مال مستحق للتاجر تُدفع خلال الأيام المتفق عليها.',
  },
  finds: { en: 'An invoice is overdue', ar: 'فاتورة تأخّر سدادها' },
  claim: {
    en: 'The invoice has been unpaid for more days than were agreed.',
    ar: 'مضى على الفاتورة دون سداد أكثر من الأيام المتفق عليها.',
  },
  ages: true,
  isAboutPayment: true,
  async find(context) {
    const { overdueDays, timeZone } = context.settings;
    const today = dayNumber(dayIn(context.now, timeZone));
    const ageOf = ({ issued_at }: UnflaggedNet) => today - dayNumber(dayIn(issued_at, timeZone));
    const late = (await readUnflaggedNets(context.db, context.periods)).filter((line) => ageOf(line) > overdueDays);
    const open: UnflaggedNet[] = [];
    for (const [period, lines] of groupBy(late, (line) => line.period)) {
      const settled = await settlementsOfMonth(context, period);
      open.push(...lines.flatMap((line) => stillOwed(line, settled)));
    }
    const findings = open.map((line) => {
      const { number, period, currency, net } = line;
      const [amount, age] = [amountOfUnits(net), ageOf(line)];
      return finding<Says>({
        period,
        invoice_number: number,
        currency,
        field: 'status',
        ...days(overdueDays, age),
        amount,
        sentence: { id: 'payment-overdue', number, currency, amount: formatAmount(amount), age, agreed: overdueDays },
      });
    });
    return { findings, compared: (await population(context)).invoices };
  },
  words: {
    en: {
      'payment-overdue': ({ number, currency, amount, age, agreed }, { money }) =>
        `Invoice ${number} still owes ${money(amount, currency)} after ${age} days, where ${agreed} are agreed: ask the delivery company when it will pay.`,
    },
    ar: {
      'payment-overdue': ({ number, currency, amount, age, agreed }, { count, money }) =>
        `ما زال على شركة التوصيل من الفاتورة ${number} مبلغ ${money(amount, currency)}، وقد مضى على صدورها ${count(age, arabicNoun('يوم', 'أيام'))} والمتفق عليه ${agreed}: اسأل شركة التوصيل متى تدفع.`,
    },
  },
  guide: {
    compares:
      'An unpaid invoice with money due to you, less what receipts brought, is at most `overdue_days` days of your `time_zone` old.',
    remedy: 'Ask when it will be paid.',
  },
  plant: { night: (books) => void books.bill(NEW_INVOICE, '2026-11-01', ['C1'], 'PENDING_PAYMENT') },
});

/** The line with what is still unpaid of it, whatever its status, also if the invoice vanished; none if all is paid. */
function stillOwed(line: UnflaggedNet, settlements: Settlements): UnflaggedNet[] {
  const settled = settlements.of(line.number, line.currency);
  if (!settled) return [line];
  const { vanished_at, received, differences } = settled;
  const owed = vanished_at === null ? settled.outstanding : BigInt(line.net) - received - differences;
  return owed > 0n ? [{ ...line, net: String(owed) }] : [];
}

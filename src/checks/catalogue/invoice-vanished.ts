import { dayIn } from '../../base/day.ts';
import { countEverListed, readMovedNets, readVanishedNets } from '../../ledger/queries/invoices/vanished.ts';
import { formatAmount, ZERO } from '../../money/decimal.ts';
import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { invoiceKey } from '../facts/receipts/match-books.ts';
import { returnsOf } from '../facts/returns/convention.ts';
import { amountOf, amounts, finding } from '../finding.ts';
import { november } from '../plant.ts';
import { twoSyncs } from '../requirement.ts';

type Says = {
  id: 'invoice-vanished';
  number: number;
  month: string;
  since: string;
  /** Its net, and the part that is on other invoices now (null for none); null for an invoice without an amount. */
  net: { currency: string; stated: string; moved: string | null } | null;
};

export const invoiceVanished = defineCheck<Says>({
  code: 'invoice-vanished',
  severity: 'error',
  requires: [twoSyncs],
  outsideInvoices: true,
  title: { en: 'An invoice that was once listed stays listed.', ar: 'الفاتورة التي ذُكرت في القائمة مرة تبقى فيها.' },
  finds: { en: 'An invoice vanished from the list', ar: 'فاتورة اختفت من القائمة' },
  claim: {
    en: 'The invoice is gone from your list of the month, though you say that an issued invoice cannot be modified or deleted.',
    ar: 'اختفت الفاتورة من قائمتكم للشهر، مع قولكم إن الفاتورة الصادرة لا تُعدَّل ولا تُحذف.',
  },
  async find(context) {
    const { db, periods, settings } = context;
    const { signs } = await returnsOf(context);
    const nets = await readMovedNets(db, periods, signs);
    const movedNets = new Map(nets.map((line) => [invoiceKey(line), amountOfUnits(line.net)]));
    const findings = (await readVanishedNets(db, periods)).map((line) => {
      const { number, period, currency } = line;
      const about = { period, invoice_number: number, field: 'net_due_to_merchant' };
      const since = dayIn(line.vanished_at, settings.timeZone);
      const gone = { id: 'invoice-vanished', number, month: period, since } as const;
      if (currency === null) return finding<Says>({ ...about, sentence: { ...gone, net: null } });
      const stated = amountOf(line.net);
      const movedNet = movedNets.get(invoiceKey(line)) ?? ZERO;
      const moved = movedNet.isZero() ? null : formatAmount(movedNet);
      return finding<Says>({
        ...about,
        currency,
        ...amounts(stated, ZERO),
        effect: stated.minus(movedNet).negated(),
        sentence: { ...gone, net: { currency, stated: formatAmount(stated), moved } },
      });
    });
    return { findings, compared: await countEverListed(db, periods) };
  },
  words: {
    en: {
      'invoice-vanished': ({ number, month, since, net }, { money }) => {
        const moved =
          net === null || net.moved === null
            ? ''
            : ` (${money(net.moved, net.currency)} of it is on other invoices now)`;
        const what =
          net === null
            ? ''
            : `, and with it a net due of ${money(net.stated, net.currency)} where now 0.00 is stated${moved}`;
        return `Invoice ${number} is gone from the list of ${month} since ${since}${what}: ask the delivery company what became of it.`;
      },
    },
    ar: {
      'invoice-vanished': ({ number, month, since, net }, { money }) => {
        const moved =
          net === null || net.moved === null ? '' : ` (منه ${money(net.moved, net.currency)} في فواتير أخرى الآن)`;
        const what =
          net === null ? '' : `، ومعها صافٍ مستحق قدره ${money(net.stated, net.currency)} والمذكور الآن 0.00${moved}`;
        return `اختفت الفاتورة ${number} من قائمة ${month} منذ ${since}${what}: اسأل شركة التوصيل عمّا حلّ بها.`;
      },
    },
  },
  guide: { remedy: 'Ask what became of it.' },
  plant: {
    night(books) {
      books.bills.delete(1003);
      for (const id of ['B4', 'B5']) books.orders.get(id)!.merchant_invoice = null;
    },
    alsoFoundBy: ['remittance-over'],
    // The net of invoice 1003.
    effects: november({ USD: '-44.00' }),
  },
});

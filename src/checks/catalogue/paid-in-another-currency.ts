import { sayFraction } from '../../imports/rates.ts';
import { formatUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { exchangedCods } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { finding } from '../finding.ts';
import { ownBook, rates } from '../requirement.ts';

type Says = {
  id: 'paid-in-another-currency';
  order: string;
  reference: string;
  asked: { amount: string; currency: string };
  collected: { amount: string; currency: string };
  /** How much was collected for one unit of the currency asked for, a plain decimal. */
  implied: string;
  /** The file and line of the imported rate. */
  line: string;
};

export const paidInAnotherCurrency = defineCheck<Says>({
  code: 'paid-in-another-currency',
  severity: 'info',
  requires: [rates, ownBook],
  title: {
    en: 'COD was collected in the currency that the shop asked for.',
    ar: 'حُصّل المبلغ بالعملة التي طلبها المتجر.',
  },
  finds: { en: 'COD collected in another currency, worth the same', ar: 'محصَّل بعملة أخرى وبالقيمة نفسها' },
  async find(context) {
    const exchanged = await exchangedCods(context);
    const within = exchanged.filter(({ outcome }) => outcome === 'within');
    const months = await comparedMonths(
      context,
      within.map(({ order_id }) => order_id),
    );
    const findings = within.map(({ order_id, courier, exchange, line, invoice_number }) => {
      const { asked, collected } = exchange;
      return finding<Says>({
        ...months.get(order_id)!.ofFinding,
        invoice_number,
        order_id,
        reference_id: courier.reference,
        field: 'cod',
        sentence: {
          id: 'paid-in-another-currency',
          order: order_id,
          reference: courier.reference,
          asked: { amount: formatUnits(asked.amount), currency: asked.currency },
          collected: { amount: formatUnits(collected.amount), currency: collected.currency },
          implied: sayFraction(exchange.implied),
          line: line!.place,
        },
      });
    });
    return { findings, compared: exchanged.length, notComparable: [] };
  },
  words: {
    en: {
      'paid-in-another-currency': ({ order, reference, asked, collected, implied, line }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} was to bring ${speech.money(asked.amount, asked.currency)} and brought ${speech.money(collected.amount, collected.currency)} instead: worth the same, at ${implied} ${collected.currency} for one ${asked.currency} (${line}).`,
    },
    ar: {
      'paid-in-another-currency': ({ order, reference, asked, collected, implied, line }, speech) =>
        `كان المطلوب تحصيله عن ${speech.order(order, reference)} ${speech.money(asked.amount, asked.currency)} فحُصّل بدلًا منه ${speech.money(collected.amount, collected.currency)}: القيمة نفسها، بسعر ${speech.text(`${implied} ${collected.currency}`)} لكل ${asked.currency} (${speech.text(line)}).`,
    },
  },
  guide: {
    compares:
      'COD was collected in the currency that your own book asked for. What came in another one, worth the same at the imported rate within `rate_tolerance`, is listed here and is no `book-cod-differs`; needs `import orders` and `import rates`.',
    remedy: 'Nothing, unless the courier was to take one currency alone.',
  },
  plant: {
    merchantFiles(files) {
      // A2 brought 40.50 dollars and 900,000 pounds. The book now asks for 50.50 dollars: in place of the 10.00 that
      // lack came 900,000 pounds, at the 90,000 of the table.
      files.orders.set('ref-A2,USD', { status: 'handed_over', cod: '50.50' });
      files.orders.set('ref-A2,LBP', { status: 'handed_over', cod: '0.00' });
    },
    findings: 1,
  },
});

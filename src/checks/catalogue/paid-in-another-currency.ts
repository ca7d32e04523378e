import { defineCheck } from '../check.ts';
import { type ExchangeWords, exchangedCods, sayExchange } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { finding } from '../finding.ts';
import { ownBook, rates } from '../requirement.ts';

/** `line`: the file and line of the imported rate. */
type Says = ExchangeWords & { id: 'paid-in-another-currency'; line: string };

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
    const months = await comparedMonths(context, within);
    const findings = within.map((cod) =>
      finding<Says>({
        ...months.get(cod.order_id)!.ofFinding,
        invoice_number: cod.invoice_number,
        reference_id: cod.courier.reference,
        field: 'cod',
        sentence: { id: 'paid-in-another-currency', ...sayExchange(cod), line: cod.line!.place },
      }),
    );
    return { findings, compared: exchanged.length };
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
  },
});

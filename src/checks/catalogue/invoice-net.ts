import { type NetLine, readInvoiceNetsToCheck, readRowNetsToCheck } from '../../ledger/queries/invoices/headers.ts';
import { formatAmount } from '../../money/decimal.ts';
import { signsOfWorkflow } from '../../money/returns.ts';
import { amountOfUnits } from '../../money/units.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { rowPlaces } from '../facts/billed-orders.ts';
import { type FigureSentence, headersCompared } from '../facts/headers.ts';
import { headersWithReturns, returnsOf } from '../facts/returns/convention.ts';
import { amounts, finding, netAmount, type OrderNames, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

type NetSentence<Code extends string> = FigureSentence<Code> & { cod: string; fee: string };

/** `returns`: what RETURN rows take off the net besides COD and fee; null unless the courier shows it apart. */
type Says =
  | (NetSentence<'invoice-net'> & { returns: string | null })
  | (NetSentence<'invoice-net/row'> & OrderNames & { isReturn: boolean });

export const invoiceNet = defineCheck<Says>({
  code: 'invoice-net',
  severity: 'error',
  title: {
    en: 'An invoice’s net due is its COD less its delivery fee.',
    ar: 'صافي الفاتورة هو المحصَّل ناقص رسم التوصيل.',
  },
  finds: { en: 'Stated net is not COD less fee', ar: 'الصافي المذكور ليس المحصَّل ناقص الرسم' },
  claim: {
    en: 'A net on the invoice is not its COD less its delivery fee.',
    ar: 'صافٍ في الفاتورة ليس المحصَّل ناقص رسم التوصيل.',
  },
  async find(context) {
    const findings = (await wrongNets(context)).map(({ number, period, vanished_at, currency, ...units }) => {
      const [cod, fee, actual] = [amountOfUnits(units.cod), amountOfUnits(units.fee), amountOfUnits(units.net)];
      const expected = units.expected === null ? cod.minus(fee) : amountOfUnits(units.expected);
      const returns = cod.minus(fee).minus(expected);
      const figures = amounts(expected, actual);
      return finding<Says>({
        period,
        invoice_number: number,
        currency,
        field: 'net_due_to_merchant',
        ...figures,
        // The money of a vanished invoice is an effect of `invoice-vanished` alone.
        effect: vanished_at === null ? actual.minus(expected) : null,
        sentence: {
          id: 'invoice-net',
          number,
          currency,
          cod: formatAmount(cod),
          fee: formatAmount(fee),
          returns: returns.isZero() ? null : formatAmount(returns),
          ...figures,
        },
      });
    });
    return {
      findings: [...findings, ...(await findRowNets(context))],
      ...(await headersCompared(context, 'net_due_to_merchant')),
    };
  },
  words: {
    en: {
      'invoice-net': ({ number, currency, cod, fee, returns, expected, actual, difference }, { money, off }) =>
        `Invoice ${number} states a net due of ${money(actual, currency)}, ${off(difference, currency)} than the ${money(expected, currency)} that its COD of ${money(cod, currency)} less its fee of ${money(fee, currency)}${returns === null ? '' : ` and the ${money(returns, currency)} of its returns`} leaves: ask the delivery company to correct the net.`,
      'invoice-net/row': ({ number, order, reference, currency, cod, fee, isReturn, ...figures }, speech) =>
        `Invoice ${number} states a net of ${speech.money(figures.actual, currency)} for ${speech.order(order, reference)}, ${speech.off(figures.difference, currency)} than the ${speech.money(figures.expected, currency)} that ${isReturn ? 'a return with a' : 'its'} COD of ${speech.money(cod, currency)} ${isReturn ? 'and a' : 'less its'} fee of ${speech.money(fee, currency)} leaves: ask the delivery company which of the three is right.`,
    },
    ar: {
      'invoice-net': ({ number, currency, cod, fee, returns, expected, actual, difference }, { money, off }) =>
        `تذكر الفاتورة ${number} صافيًا مستحقًا قدره ${money(actual, currency)}، ${off(difference, currency)} من ${money(expected, currency)} التي يتركها المحصَّل ${money(cod, currency)} ناقص الرسم ${money(fee, currency)}${returns === null ? '' : ` وناقص مرتجعاتها ${money(returns, currency)}`}: اطلب من شركة التوصيل تصحيح الصافي.`,
      'invoice-net/row': ({ number, order, reference, currency, cod, fee, isReturn, ...figures }, speech) =>
        `تذكر الفاتورة ${number} صافيًا قدره ${speech.money(figures.actual, currency)} عن ${speech.order(order, reference)}، ${speech.off(figures.difference, currency)} من ${speech.money(figures.expected, currency)} التي ${isReturn ? 'يتركها مرتجع محصَّله' : 'يتركها المحصَّل'} ${speech.money(cod, currency)} ${isReturn ? 'ورسمه' : 'ناقص الرسم'} ${speech.money(fee, currency)}: اسأل شركة التوصيل أي الثلاثة صحيح.`,
    },
  },
  guide: {
    compares:
      "An invoice's net due is its COD less its delivery fee. A warning where a row of a settlement sheet states another net than it leaves: its money is in the payout's net.",
    remedy: 'Ask for a corrected net, and check what was paid against COD less fee.',
  },
  plant: {
    night(books) {
      // COD and fee are the sums of the rows; the net is 2.00 less.
      books.bill(NEW_INVOICE, ISSUED, ['C1']).header = { USD: ['0', '0', '-2.00'] };
    },
    effects: november({ USD: '-2.00' }),
  },
});

type WrongNet = NetLine & {
  /** The net that the header should state, in units; null if that is COD less fee. */
  readonly expected: bigint | null;
};

/** The headers whose net is not COD less fee (and less RETURN rows, if the courier takes those off apart). */
async function wrongNets(context: CheckContext): Promise<WrongNet[]> {
  const { headers, invoiceNumbers } = await headersWithReturns(context);
  const withReturns = headers
    .filter(({ header, expected }) => header.net_due_to_merchant !== expected.net_due_to_merchant)
    .map(({ header, expected, ...line }) => ({
      ...line,
      cod: String(header.cod),
      fee: String(header.delivery_fee),
      net: String(header.net_due_to_merchant),
      expected: expected.net_due_to_merchant,
    }));
  const withoutReturns = (await readInvoiceNetsToCheck(context.db, context.periods))
    .filter(({ number }) => !invoiceNumbers.has(number))
    .map((line) => ({ ...line, expected: null }));
  return [...withoutReturns, ...withReturns].sort((a, b) => a.number - b.number || (a.currency < b.currency ? -1 : 1));
}

/** The rows of sheets whose stated net is not COD less fee. They have no effect: what is paid is the header's net. */
async function findRowNets(context: CheckContext): Promise<Finding[]> {
  const returns = await returnsOf(context);
  const placeOf = await rowPlaces(context);
  return (await readRowNetsToCheck(context.db, context.periods)).flatMap((row) => {
    const { number, order_id, reference, workflow, currency } = row;
    const [cod, fee, net] = [amountOfUnits(row.cod), amountOfUnits(row.fee), amountOfUnits(row.net)];
    const signs = signsOfWorkflow(workflow, returns.signs);
    // Nobody knows how a return counts.
    if (signs === null) return [];
    const expected = netAmount({ cod, delivery_fee: fee }, signs);
    if (expected.eq(net)) return [];
    const figures = amounts(expected, net);
    return finding<Says>({
      severity: 'warning',
      ...ofRow(row),
      currency,
      field: 'net_due_to_merchant',
      place: placeOf(row).place,
      ...figures,
      sentence: {
        ...{ id: 'invoice-net/row', number, order: order_id, reference, currency },
        ...{ isReturn: workflow === 'RETURN', cod: formatAmount(cod), fee: formatAmount(fee) },
        ...figures,
      },
    });
  });
}

import { sayFraction } from '../../imports/rates.ts';
import { readPeriods } from '../../ledger/queries/invoices/changes.ts';
import { readMatches } from '../../ledger/queries/receipts/matches.ts';
import { amountOfUnits } from '../../money/units.ts';
import { type CheckContext, defineCheck, type NotComparable } from '../check.ts';
import { type ExchangeWords, exchangedCods, type MoneyText, sayExchange, sayMoney } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { readBeyondRate } from '../facts/rates.ts';
import { finding } from '../finding.ts';
import { exchanges } from '../requirement.ts';

type Says =
  | Found
  | Matched
  | { id: 'implied-rate/cause'; line: string; count: number }
  | { id: 'implied-rate/matched-cause'; count: number };
/** A receipt in another currency that pays more than it is worth. */
type Matched = {
  id: 'implied-rate/matched';
  receipt: number;
  invoice: number;
  /** What it pays beyond its worth at the imported rate; all that it pays if there is none. */
  beyond: MoneyText;
  rate: string;
  /** The imported rate, and its file and line; null if there is none. */
  table: string | null;
  line: string | null;
};
/** `table`: the imported rate, a plain decimal; `line`: its file and line. */
type Found = ExchangeWords & { id: 'implied-rate'; table: string; line: string };

export const impliedRate = defineCheck<Says>({
  code: 'implied-rate',
  severity: 'info',
  requires: exchanges,
  title: {
    en: 'What was collected or paid in another currency than was asked for implies the rate of the table.',
    ar: 'ما حُصّل أو دُفع بغير العملة المطلوبة يطابق سعر الصرف في الجدول.',
  },
  finds: { en: 'An exchange rate off the table', ar: 'سعر الصرف الضمني ليس سعر الجدول' },
  async find(context) {
    const { sources } = context;
    const matched = await findMatchesBeyondRate(context);
    // The check also runs without these files, for receipts that were matched at a rate.
    const canCompare = sources.imported.has('orders') && sources.imported.has('rates');
    const exchanged = canCompare ? await exchangedCods(context) : [];
    const outsideTolerance = exchanged.filter(({ outcome }) => outcome === 'outside');
    const months = await comparedMonths(context, outsideTolerance);
    const withoutRate = exchanged.filter(({ outcome }) => outcome === 'no-rate').length;
    const findings = outsideTolerance.map((cod) => {
      const parameters = sayExchange(cod);
      const tableRate = sayFraction(cod.table!);
      return finding<Says>({
        ...months.get(cod.order_id)!.ofFinding,
        invoice_number: cod.invoice_number,
        reference_id: cod.courier.reference,
        field: 'cod',
        expected: tableRate,
        actual: parameters.implied,
        sentence: { id: 'implied-rate', ...parameters, table: tableRate, line: cod.line!.place },
      });
    });
    const notComparable: NotComparable[] = [{ why: { id: 'no-rate-by-day' }, count: withoutRate }];
    const compared = exchanged.length - withoutRate + matched.length;
    return { findings: [...findings, ...matched], compared, notComparable };
  },
  cause: ({ sentence }) => {
    const found = JSON.parse(sentence) as Found | Matched;
    if (found.id === 'implied-rate') return { id: 'implied-rate/cause', line: found.line };
    return { id: 'implied-rate/matched-cause' };
  },
  words: {
    en: {
      'implied-rate': ({ order, reference, asked, collected, implied, table, line }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} was to bring ${speech.money(asked.amount, asked.currency)} and brought ${speech.money(collected.amount, collected.currency)} instead, which is ${implied} ${collected.currency} for one ${asked.currency} where the table (${line}) says ${table}: check whether that rate was agreed.`,
      'implied-rate/matched': ({ receipt, invoice, beyond, rate, table, line }, speech) =>
        `Receipt ${receipt} pays invoice ${invoice} at ${rate} for one ${beyond.currency}, ${table === null ? 'and no rate of its day is imported' : `where the table (${speech.text(line!)}) says ${table}`}: ${speech.money(sizeText(beyond), beyond.currency)} of it is not covered by what ${isDebit(beyond) ? 'was paid' : 'came in'}. Check whether that rate was agreed.`,
      'implied-rate/cause': ({ line, count }, speech) =>
        `${speech.count(count, { one: 'order was', other: 'orders were' })} collected at another rate than the table (${speech.text(line)}) says`,
      'implied-rate/matched-cause': ({ count }, speech) =>
        `${speech.count(count, { one: 'receipt was', other: 'receipts were' })} matched at a rate that no table says`,
    },
    ar: {
      'implied-rate': ({ order, reference, asked, collected, implied, table, line }, speech) =>
        `كان المطلوب تحصيله عن ${speech.order(order, reference)} ${speech.money(asked.amount, asked.currency)} فحُصّل بدلًا منه ${speech.money(collected.amount, collected.currency)}، أي ${speech.text(`${implied} ${collected.currency}`)} لكل ${asked.currency} والجدول (${speech.text(line)}) يذكر ${table}: تحقّق هل اتُّفق على هذا السعر.`,
      'implied-rate/matched': ({ receipt, invoice, beyond, rate, table, line }, speech) =>
        `المقبوض رقم ${receipt} يسدّد الفاتورة ${invoice} بسعر ${rate} لكل ${beyond.currency}، ${table === null ? 'ولم يُستورد سعر ليومه' : `والجدول (${speech.text(line!)}) يذكر ${table}`}: منها ${speech.money(sizeText(beyond), beyond.currency)} لا يغطّيها ${isDebit(beyond) ? 'ما دُفع' : 'ما وصل'}. تحقّق هل اتُّفق على هذا السعر.`,
      'implied-rate/cause': ({ line, count }, speech) => `طلبات حُصّلت بغير سعر الجدول (${speech.text(line)}): ${count}`,
      'implied-rate/matched-cause': ({ count }) => `مقبوضات طوبقت بسعر لا يذكره أي جدول: ${count}`,
    },
  },
  guide: {
    compares:
      'COD that was collected in another currency than your own book asked for, and a receipt that was matched at a rate, imply the rate of the table; needs `import rates`, and `import orders` for COD.',
    remedy: 'Check whether that rate was agreed.',
  },
  plant: {
    merchantFiles(files) {
      // A2 brought 40.50 dollars and 900,000 pounds. The book now asks for 63.00 dollars: in place of the 22.50 that
      // lack came 900,000 pounds, 40,000 for one, where the table says 90,000.
      files.orders.set('ref-A2,USD', { status: 'handed_over', cod: '63.00' });
      files.orders.set('ref-A2,LBP', { status: 'handed_over', cod: '0.00' });
    },
    alsoFoundBy: ['book-cod-differs'],
  },
});

/** A finding for each receipt that pays more than it is worth, on the invoice that it pays last (`shares[0]`). */
async function findMatchesBeyondRate({ db, settings, periods }: CheckContext) {
  const beyondRate = await readBeyondRate(db, await readMatches(db), settings.rateTolerance);
  const numbers = beyondRate.flatMap(({ shares }) => shares.map(({ number }) => number));
  const periodOf = await readPeriods(db, numbers);
  return beyondRate.flatMap(({ match, shares, amount, rateOfDay }) => {
    const [receipt, invoice] = [match.receipts[0]!.id, shares[0]!.number];
    const period = periodOf.get(invoice);
    if (period === undefined || !periods.includes(period)) return [];
    const tableRate = rateOfDay && sayFraction(rateOfDay.rate);
    return finding<Says>({
      period,
      subject: `receipt ${receipt}`,
      invoice_number: invoice,
      currency: match.currency,
      field: 'rate',
      expected: tableRate,
      actual: match.rate,
      amount: amountOfUnits(amount),
      sentence: {
        id: 'implied-rate/matched',
        receipt,
        invoice,
        beyond: sayMoney({ amount, currency: match.currency }),
        rate: match.rate!,
        table: tableRate,
        line: rateOfDay?.line.place ?? null,
      },
    });
  });
}

/** Whether the receipt is a debit, with which you paid what you owe: what it pays is negative. */
function isDebit({ amount }: MoneyText): boolean {
  return amount.startsWith('-');
}

function sizeText({ amount }: MoneyText): string {
  return amount.replace('-', '');
}

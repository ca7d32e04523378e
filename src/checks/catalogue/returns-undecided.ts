import type { Speech } from '../../base/sentence.ts';
import { type HeaderUnits, headerUnder } from '../../money/returns.ts';
import { formatUnits } from '../../money/units.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { returnsOf } from '../facts/returns/convention.ts';
import { finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

/** A header's figures in one currency, as decimal text. */
type Header = Readonly<Record<'currency' | 'cod' | 'fee' | 'net', string>>;

type Undecided = {
  /** The number of invoices on which the conventions give different figures. */
  invoices: number;
  /** The latest of these invoices, and what its header states. */
  number: number;
  stated: readonly Header[];
  ways: readonly {
    readonly convention: string;
    /** The number of invoices whose figures this convention explains. */
    readonly tallies: number;
    /** The number of those that no other convention explains. */
    readonly alone: number;
    /** What the latest invoice would state under this convention. */
    readonly header: readonly Header[];
  }[];
};
type Says = ({ id: 'returns-undecided' } & Undecided) | ({ id: 'returns-undecided/contradicted' } & Undecided);

export const returnsUndecided = defineCheck<Says>({
  code: 'returns-undecided',
  severity: 'warning',
  title: {
    en: 'The invoices show how the courier counts what you pay on returns.',
    ar: 'تبيّن الفواتير كيف تحتسب الشركة ما تدفعه على المرتجعات.',
  },
  finds: { en: 'Nobody knows how returns are counted', ar: 'لا يُعرف كيف تُحتسب المرتجعات' },
  async find(context) {
    const { invoices, uncompared } = await returnsOf(context);
    const uncomparedHere = uncompared.filter(({ period }) => context.periods.includes(period));
    const findings = uncomparedHere.length === 0 ? [] : [await undecided(context)];
    // Compared are the invoices of all months, as the convention is learnt from all of them.
    return { findings, compared: invoices.size - uncompared.length };
  },
  words: {
    en: {
      'returns-undecided': (parameters, { money, count }) =>
        `The invoices do not show how the delivery company counts RETURN orders: ${count(parameters.invoices, { one: 'invoice', other: 'invoices' })} could show it, and no one convention explains enough of them. ${inEnglish(parameters, money)}`,
      'returns-undecided/contradicted': (parameters, { money, count }) =>
        `The invoices show RETURN orders in more than one way: of ${count(parameters.invoices, { one: 'invoice', other: 'invoices' })} several conventions each explain three or more that no other does. ${inEnglish(parameters, money)}`,
    },
    ar: {
      'returns-undecided': (parameters, { money, count }) =>
        `لا تبيّن الفواتير كيف تحتسب شركة التوصيل طلبات الإرجاع: يمكن الاستدلال من ${count(parameters.invoices, AR_INVOICES)}، ولا طريقة واحدة تفسّر ما يكفي منها. ${inArabic(parameters, money)}`,
      'returns-undecided/contradicted': (parameters, { money, count }) =>
        `تعرض الفواتير طلبات الإرجاع بأكثر من طريقة: من بين ${count(parameters.invoices, AR_INVOICES)} تفسّر كلٌّ من عدة طرق ثلاث فواتير أو أكثر لا تفسّرها غيرها. ${inArabic(parameters, money)}`,
    },
  },
  guide: {
    compares:
      'The invoices with RETURN orders show how the company counts them: see [returns](#returns). Until they do, their headers and their months are not compared. One mismatch of them all.',
    remedy:
      'Ask whether the COD of a return is taken off the COD, added to the fee, or off the net; then set `returns`.',
  },
  plant: {
    night(books) {
      books.place('R1', '2026-11-28', { USD: ['10.00', '2.00'] }).workflow = 'RETURN';
      // These change the sum of its rows: a COD of 35.00 is stated as 32.00. No convention makes 32.00 of the 25.00 of C1
      // and the 10.00 of R1.
      books.bill(NEW_INVOICE, ISSUED, ['C1', 'R1']).header = { USD: ['-3.00', '0', '-3.00'] };
    },
    monthsUndecided: ['2026-11'],
  },
});

const AR_INVOICES = arabicNoun('فاتورة', 'فواتير', 'genitive');

function inEnglish({ number, stated, ways }: Undecided, money: Speech['money']): string {
  const inCurrency = ({ currency, cod, fee, net }: Header) =>
    `COD ${money(cod, currency)}, fee ${money(fee, currency)}, net ${money(net, currency)}`;
  const header = (currencies: readonly Header[]) => currencies.map(inCurrency).join('; ');
  const figures = ways.map(
    (way) => `${way.convention}: ${header(way.header)} (explains ${way.tallies}, alone ${way.alone})`,
  );
  return `Invoice ${number} states ${header(stated)}. By convention: ${figures.join(' | ')}. Ask the delivery company whether the COD of a return is taken off the COD, added to the fee or taken off the net, and whether its fee counts; then set \`returns\` in remit.toml.`;
}

function inArabic({ number, stated, ways }: Undecided, money: Speech['money']): string {
  const inCurrency = ({ currency, cod, fee, net }: Header) =>
    `المحصَّل ${money(cod, currency)} والرسم ${money(fee, currency)} والصافي ${money(net, currency)}`;
  const header = (currencies: readonly Header[]) => currencies.map(inCurrency).join('؛ ');
  const figures = ways.map(
    (way) => `${way.convention}: ${header(way.header)} (تفسّر ${way.tallies}، وحدها ${way.alone})`,
  );
  return `تذكر الفاتورة ${number}: ${header(stated)}. بحسب كل طريقة: ${figures.join(' | ')}. اسأل شركة التوصيل هل يُطرح محصَّل المرتجع من المحصَّل أم يُضاف إلى الرسم أم يُطرح من الصافي، وهل يُحتسب رسمه؛ ثم اضبط \`returns\` في remit.toml.`;
}

/** One finding for all invoices that cannot be compared, in the month of the latest, and shown in the months of all. */
async function undecided(context: CheckContext): Promise<Finding> {
  const { uncompared, candidates, contradicted } = await returnsOf(context);
  const latest = uncompared.reduce((last, each) => (each.period >= last.period ? each : last));
  const textOf = (currency: string, header: HeaderUnits): Header => ({
    currency,
    cod: formatUnits(header.cod),
    fee: formatUnits(header.delivery_fee),
    net: formatUnits(header.net_due_to_merchant),
  });
  return finding<Says>({
    period: latest.period,
    periods: [...new Set(uncompared.map(({ period }) => period))].sort(),
    subject: 'returns',
    field: 'returns',
    sentence: {
      id: contradicted ? 'returns-undecided/contradicted' : 'returns-undecided',
      invoices: uncompared.length,
      number: latest.number,
      stated: latest.lines.map(({ currency, header }) => textOf(currency, header)),
      ways: candidates.map(({ convention, tallies, alone }) => {
        const header = latest.lines.map(({ currency, standard, returned }) =>
          textOf(currency, headerUnder(convention, standard, returned)),
        );
        return { convention, tallies, alone, header };
      }),
    },
  });
}

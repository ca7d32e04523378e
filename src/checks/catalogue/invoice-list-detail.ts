import { parseInstant } from '../../base/instant.ts';
import { readListedAmountsOff, readListedTextsOff } from '../../ledger/queries/invoices/listed.ts';
import { MONEY_FIELDS, type MoneyField } from '../../money/fields.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import type { FigureSentence } from '../facts/headers.ts';
import { coverageOfListed, unseenByList } from '../facts/population.ts';
import { amountOf, amounts, finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

type Says =
  | (FigureSentence<'invoice-list-detail'> & { field: MoneyField })
  | { id: 'invoice-list-detail/date'; number: number; detail: string; list: string }
  | { id: 'invoice-list-detail/status'; number: number; detail: string; list: string };

export const invoiceListDetail = defineCheck<Says>({
  code: 'invoice-list-detail',
  severity: 'error',
  title: {
    en: 'The month’s list and the invoice itself state the same amounts, date and status.',
    ar: 'تذكر قائمة الشهر والفاتورة نفسها المبالغ والتاريخ والحالة ذاتها.',
  },
  finds: { en: 'List and invoice disagree', ar: 'القائمة والفاتورة نفسها لا تتفقان' },
  claim: {
    en: 'The list of the month states something else than the invoice itself.',
    ar: 'تذكر قائمة الشهر غير ما تذكره الفاتورة نفسها.',
  },
  async find(context) {
    const findings = [...(await findAmounts(context)), ...(await findDates(context)), ...(await findStatuses(context))];
    return { findings, ...(await coverageOfListed(context)) };
  },
  unseen: unseenByList,
  words: {
    en: {
      'invoice-list-detail': ({ number, field, currency, expected, actual, difference }, speech) =>
        `The list states a ${speech.field(field)} of ${speech.money(actual, currency)} for invoice ${number}, ${speech.off(difference, currency)} than the ${speech.money(expected, currency)} of the invoice itself: go by the invoice, and ask the delivery company why its list differs.`,
      'invoice-list-detail/date': ({ number, detail, list }, { text }) =>
        `The list says that invoice ${number} was issued at ${text(list)} and the invoice itself says ${text(detail)}: ask the delivery company which date holds, because it decides when payment is due.`,
      'invoice-list-detail/status': ({ number, detail, list }, { state }) =>
        `The list says ${state(list)} for invoice ${number} and the invoice itself says ${state(detail)}: run \`remit sync --full\`, and if they still differ ask the delivery company whether it has paid.`,
    },
    ar: {
      'invoice-list-detail': ({ number, field, currency, expected, actual, difference }, speech) =>
        `تذكر القائمة للفاتورة ${number} في بند «${speech.field(field)}» مبلغ ${speech.money(actual, currency)}، ${speech.off(difference, currency)} من ${speech.money(expected, currency)} في الفاتورة نفسها: اعتمد الفاتورة، واسأل شركة التوصيل عن سبب اختلاف قائمتها.`,
      'invoice-list-detail/date': ({ number, detail, list }, { text }) =>
        `تقول القائمة إن الفاتورة ${number} صدرت في ${text(list)}، وتقول الفاتورة نفسها ${text(detail)}: اسأل شركة التوصيل عن التاريخ الصحيح، لأن موعد الدفع يُحسب منه.`,
      'invoice-list-detail/status': ({ number, detail, list }, { state }) =>
        `حالة الفاتورة ${number} في القائمة ${state(list)}، وفي الفاتورة نفسها ${state(detail)}: شغّل \`remit sync --full\`، فإن بقي الاختلاف فاسأل شركة التوصيل هل دفعت.`,
    },
  },
  guide: {
    compares:
      "The month's list states the amounts and the date of the invoice itself; a different status is a warning.",
    remedy: 'Go by the invoice; ask why the list differs. For a status, sync again first.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']).listed = { cod: [['USD', '20.00']] };
    },
  },
});

async function findAmounts({ db, periods }: CheckContext): Promise<Finding[]> {
  return (await readListedAmountsOff(db, periods)).flatMap((row) =>
    MONEY_FIELDS.flatMap((field) => {
      const [expected, actual] = [amountOf(row[`detail_${field}`]), amountOf(row[`list_${field}`])];
      if (actual.equals(expected)) return [];
      const { number, period, currency } = row;
      const figures = amounts(expected, actual);
      return finding<Says>({
        period,
        invoice_number: number,
        currency,
        field,
        ...figures,
        sentence: { id: 'invoice-list-detail', number, field, currency, ...figures },
      });
    }),
  );
}

/** The dates that differ as instants: the same instant written with another offset is no difference. */
async function findDates({ db, periods }: CheckContext): Promise<Finding[]> {
  return (await readListedTextsOff(db, periods, 'issued_at'))
    .filter(({ detail, list }) => parseInstant(detail)?.getTime() !== parseInstant(list)?.getTime())
    .map(({ number, period, detail, list }) =>
      finding<Says>({
        period,
        invoice_number: number,
        field: 'issued_at',
        sentence: { id: 'invoice-list-detail/date', number, detail, list },
      }),
    );
}

async function findStatuses({ db, periods }: CheckContext): Promise<Finding[]> {
  return (await readListedTextsOff(db, periods, 'status')).map(({ number, period, detail, list }) =>
    finding<Says>({
      period,
      invoice_number: number,
      field: 'status',
      severity: 'warning',
      sentence: { id: 'invoice-list-detail/status', number, detail, list },
    }),
  );
}

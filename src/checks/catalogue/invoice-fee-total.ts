import { groupBy } from '../../base/group.ts';
import { type ChargeOff, readChargesOff } from '../../ledger/queries/invoices/settlements.ts';
import { amountOfUnits, formatUnits } from '../../money/units.ts';
import { defineCheck, type Finding } from '../check.ts';
import { type FigureSentence, headerOutcome, inInvoicePages } from '../facts/headers.ts';
import { invoiceKey } from '../facts/receipts/match-books.ts';
import { amounts, effectOf, finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

/** `name`: of a charge or tax, on a settlement sheet that lists them by kind. */
type Says =
  | FigureSentence<'invoice-fee-total'>
  | (FigureSentence<'invoice-fee-total/kind'> & { readonly name: string });

export const invoiceFeeTotal = defineCheck<Says>({
  code: 'invoice-fee-total',
  severity: 'error',
  title: {
    en: 'The delivery fee in an invoice’s header is the sum of its rows.',
    ar: 'رسم التوصيل في رأس الفاتورة هو مجموع أسطرها.',
  },
  finds: { en: 'A header’s fee is not the sum of its rows', ar: 'الرسم في رأس الفاتورة ليس مجموع أسطرها' },
  claim: {
    en: 'The delivery fee in the header of the invoice is not the sum of its rows.',
    ar: 'رسم التوصيل في رأس الفاتورة ليس مجموع أسطرها.',
  },
  async find(context) {
    const outcome = await headerOutcome(context, 'invoice-fee-total', 'delivery_fee');
    const wholeFees = new Map(
      outcome.findings.map((fee) => [invoiceKey({ number: fee.invoice_number!, currency: fee.currency }), fee]),
    );
    // The charges and taxes of sheets whose stated total is not the sum of their rows.
    const differing = await inInvoicePages(context, (page) => readChargesOff(context.db, page));
    const charges = groupBy(differing, invoiceKey);
    // Findings by kind replace that of the whole fee if they add up to its difference, or to zero where the whole
    // agrees. They do not where the convention for RETURN rows leaves fees out of the whole.
    const byKind = [...charges].filter(([key, kinds]) => {
      const difference = kinds.reduce((sum, { header, rows }) => sum + header - rows, 0n);
      return formatUnits(difference) === (wholeFees.get(key)?.difference ?? '0.00');
    });
    for (const [key] of byKind) wholeFees.delete(key);
    const kindFindings = byKind.flatMap(([, kinds]) => kinds.map(findingOfKind));
    return { ...outcome, findings: [...wholeFees.values(), ...kindFindings] };
  },
  words: {
    en: {
      'invoice-fee-total': ({ number, currency, expected, actual, difference }, { money, off }) =>
        `Invoice ${number} states a delivery fee of ${money(actual, currency)}, ${off(difference, currency)} than the ${money(expected, currency)} of its rows: ask the delivery company to correct the header, or the row that is wrong.`,
      'invoice-fee-total/kind': ({ number, currency, name, expected, actual, difference }, { money, off, text }) =>
        `Invoice ${number} states ${money(actual, currency)} of ${text(name)}, ${off(difference, currency)} than the ${money(expected, currency)} of its rows: ask the delivery company to correct the total, or the row that is wrong.`,
    },
    ar: {
      'invoice-fee-total': ({ number, currency, expected, actual, difference }, { money, off }) =>
        `تذكر الفاتورة ${number} رسم توصيل قدره ${money(actual, currency)}، ${off(difference, currency)} من مجموع أسطرها البالغ ${money(expected, currency)}: اطلب من شركة التوصيل تصحيح الرأس أو السطر الخاطئ.`,
      'invoice-fee-total/kind': ({ number, currency, name, expected, actual, difference }, { money, off, text }) =>
        `تذكر الفاتورة ${number} في بند ${text(name)} مبلغ ${money(actual, currency)}، ${off(difference, currency)} من مجموع أسطرها البالغ ${money(expected, currency)}: اطلب من شركة التوصيل تصحيح المجموع أو السطر الخاطئ.`,
    },
  },
  guide: {
    compares: "The header's fee is the sum of its rows; of a settlement sheet, each charge and tax by its kind.",
    remedy: 'Ask for a corrected invoice: the header, or a row, is wrong.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']).header = { USD: ['0', '0.50', '-0.50'] };
    },
    effects: november({ USD: '-0.50' }),
  },
});

function findingOfKind({ number, period, vanished_at, kind, name, currency, ...units }: ChargeOff): Finding {
  const [expected, actual] = [amountOfUnits(units.rows), amountOfUnits(units.header)];
  const figures = amounts(expected, actual);
  return finding<Says>({
    period,
    invoice_number: number,
    currency,
    field: `${kind} ${name}`,
    ...figures,
    // The money of a vanished invoice is an effect of `invoice-vanished` alone.
    effect: vanished_at === null ? effectOf('delivery_fee', actual.minus(expected)) : null,
    sentence: { id: 'invoice-fee-total/kind', number, currency, name, ...figures },
  });
}

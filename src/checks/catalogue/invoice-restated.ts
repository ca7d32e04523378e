import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import type { Plural } from '../../base/sentence.ts';
import {
  type RestatedVersion,
  readRestatedAmounts,
  readRestatedVersions,
  VERSION_FIELDS,
  type VersionFigures,
} from '../../ledger/queries/invoices/vanished.ts';
import { parseAmount } from '../../money/decimal.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../money/fields.ts';
import { defineCheck, type Finding } from '../check.ts';
import { population } from '../facts/population.ts';
import { amounts, counts, finding } from '../finding.ts';
import { twoSyncs } from '../requirement.ts';

/** The day and SHA-256 of the first version that was seen, and of the latest. */
type Proof = { firstOn: string; firstHash: string; lastOn: string; lastHash: string; wasPaid: boolean };
type Says =
  | ({
      id: 'invoice-restated';
      number: number;
      field: string;
      /** Whether the figure is the sum of the rows, and not the header's. */
      ofRows: boolean;
      currency: string;
      before: string;
      after: string;
    } & Proof)
  | ({ id: 'invoice-restated/rows'; number: number; before: number; after: number } & Proof);

export const invoiceRestated = defineCheck<Says>({
  code: 'invoice-restated',
  severity: 'warning',
  requires: [twoSyncs],
  title: {
    en: 'An invoice’s amounts and rows stay as they were first seen.',
    ar: 'تبقى مبالغ الفاتورة وأسطرها كما شوهدت أول مرة.',
  },
  finds: { en: 'An invoice was restated', ar: 'فاتورة عُدّلت بعد صدورها' },
  claim: {
    en: 'The invoice was changed after it was issued, though you say that an issued invoice cannot be modified or deleted.',
    ar: 'عُدّلت الفاتورة بعد صدورها، مع قولكم إن الفاتورة الصادرة لا تُعدَّل ولا تُحذف.',
  },
  async find(context) {
    const { db, periods } = context;
    const versions = groupBy(await readRestatedVersions(db, periods), ({ number }) => number);
    // `content` is a hash of the amounts and rows: of an invoice that was changed back nothing is found.
    const changed = [...versions.values()].filter((ofInvoice) => ofInvoice[0]!.content !== ofInvoice.at(-1)!.content);
    const money = groupBy(await readRestatedAmounts(db, periods), ({ number, version }) => `${number} ${version}`);
    const findings = changed.flatMap((ofInvoice) => restatements(ofInvoice, money, context.settings.timeZone));
    return { findings, compared: (await population(context)).invoices };
  },
  words: {
    en: {
      'invoice-restated': ({ number, field, ofRows, currency, before, after, ...proof }, speech) =>
        `The ${ofRows ? 'rows’ ' : ''}${speech.field(field)} of invoice ${number} changed from ${speech.money(before, currency)} to ${speech.money(after, currency)}; ${proofInEnglish(proof)}.`,
      'invoice-restated/rows': ({ number, before, after, ...proof }, speech) =>
        `The rows of invoice ${number} changed (${speech.count(before, EN_ROWS)} before, ${speech.count(after, EN_ROWS)} now) though its sums did not; ${proofInEnglish(proof)}.`,
    },
    ar: {
      'invoice-restated': ({ number, field, ofRows, currency, before, after, ...proof }, speech) =>
        `تغيّر بند «${speech.field(field)}» في ${ofRows ? 'أسطر ' : ''}الفاتورة ${number} من ${speech.money(before, currency)} إلى ${speech.money(after, currency)}؛ ${proofInArabic(proof)}.`,
      'invoice-restated/rows': ({ number, before, after, ...proof }) =>
        `تغيّرت أسطر الفاتورة ${number} (كان عددها ${before} وصار ${after}) دون أن تتغيّر مجاميعها؛ ${proofInArabic(proof)}.`,
    },
  },
  guide: {
    compares: "An invoice's amounts and rows are what they were when it was first seen; an error where it was `PAID`.",
    remedy: 'Show both documents by their SHA-256, and ask why.',
  },
  plant: {
    night: (books) => void books.addRow(books.bills.get(1003)!, 'C1'),
    alsoFoundBy: ['fee-off-tariff'],
    // Its COD, its fee and its net.
    findings: 3,
  },
});

const EN_ROWS: Plural = { one: 'row', other: 'rows' };

function proofInEnglish({ firstOn, firstHash, lastOn, lastHash, wasPaid }: Proof): string {
  return `first seen on ${firstOn} (SHA-256 ${firstHash}), now as of ${lastOn} (SHA-256 ${lastHash})${wasPaid ? ', and it was PAID' : ''}: ask the delivery company why it was changed`;
}

function proofInArabic({ firstOn, firstHash, lastOn, lastHash, wasPaid }: Proof): string {
  return `شوهدت أول مرة في ${firstOn} (SHA-256 ${firstHash})، وهي الآن كما في ${lastOn} (SHA-256 ${lastHash})${wasPaid ? '، وكانت مدفوعة' : ''}: اسأل شركة التوصيل عن سبب التغيير`;
}

/** The header's field to which a sum of rows belongs: `cod` for `order_cod`. */
const HEADER_OF: ReadonlyMap<string, OrderMoneyField> = new Map(
  ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, field]),
);

/** @param money by invoice and version */
function restatements(
  versions: readonly RestatedVersion[],
  money: ReadonlyMap<string, readonly VersionFigures[]>,
  zone: string,
): Finding[] {
  const [first, last] = [versions[0]!, versions.at(-1)!];
  const { number, period } = last;
  // A version came when the invoice was already marked as paid.
  const wasPaid = versions.some(({ status_before }) => status_before === 'PAID');
  const about = { period, invoice_number: number, ...(wasPaid ? { severity: 'error' as const } : {}) };
  const [firstOn, lastOn] = [dayIn(first.seen_at, zone), dayIn(last.seen_at, zone)];
  const proof: Proof = { firstOn, firstHash: first.sha256, lastOn, lastHash: last.sha256, wasPaid };
  const amountsOf = ({ version }: RestatedVersion) => money.get(`${number} ${version}`) ?? [];
  const moved = movedAmounts(amountsOf(first), amountsOf(last));
  // A sum of rows is reported only if the header's figure did not change too.
  const toReport = moved.filter(
    ({ field, currency }) =>
      !moved.some((header) => header.currency === currency && header.field === HEADER_OF.get(field)),
  );
  if (toReport.length === 0) {
    const [before, after] = [first.row_count, last.row_count];
    const sentence: Says = { id: 'invoice-restated/rows', number, before, after, ...proof };
    return [finding({ ...about, field: 'orders', ...counts(before, after), sentence })];
  }
  return toReport.map(({ currency, field, figures }) => {
    const header = HEADER_OF.get(field);
    return finding<Says>({
      ...about,
      currency,
      field,
      ...figures,
      // The net alone: COD and fee would count the same money again.
      amount: field === 'net_due_to_merchant' ? parseAmount(figures.difference) : null,
      sentence: {
        id: 'invoice-restated',
        number,
        field: header ?? field,
        ofRows: header !== undefined,
        currency,
        before: figures.expected,
        after: figures.actual,
        ...proof,
      },
    });
  });
}

/** The amounts that differ between two versions; a currency that one of them lacks counts as zero. */
function movedAmounts(before: readonly VersionFigures[], after: readonly VersionFigures[]) {
  const currencies = [...new Set([...before, ...after].map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) =>
    VERSION_FIELDS.flatMap((field) => {
      const amountIn = (version: readonly VersionFigures[]) =>
        parseAmount(version.find((line) => line.currency === currency)?.[field] ?? '0');
      const [expected, actual] = [amountIn(before), amountIn(after)];
      return expected.equals(actual) ? [] : [{ currency, field, figures: amounts(expected, actual) }];
    }),
  );
}

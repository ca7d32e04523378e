import { dayIn } from '../../base/day.ts';
import type { Plural, Speech } from '../../base/sentence.ts';
import { readMonthsOfUnreadable, readUnreadable } from '../../ledger/queries/sync/to-fetch.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

type Document =
  | { kind: 'invoice'; number: number }
  | { kind: 'order'; order: string }
  /** A page of a month's list or of the order book. */
  | { kind: 'page'; place: string }
  /** A row of a month's list, by its invoice's number, or by its place if that cannot be read. */
  | { kind: 'listed'; month: string; row: number | string };
type Says =
  | {
      id: 'document-malformed';
      document: Document;
      on: string;
      /** Which field cannot be read, and why. */
      why: string;
      /** SHA-256 of the body that it was in; null if that was too large to keep. */
      sha256: string | null;
    }
  | { id: 'document-malformed/cause'; kind: Document['kind']; count: number };

export const documentMalformed = defineCheck<Says>({
  code: 'document-malformed',
  severity: 'error',
  title: { en: 'Every answer of the API can be read as what was asked for.', ar: 'كل ردّ من الواجهة يُقرأ كما طُلب.' },
  finds: { en: 'An answer that cannot be read', ar: 'ردّ من الشركة لا يُقرأ' },
  async find(context) {
    const { db, settings } = context;
    const documents = await readUnreadable(db);
    const orders = documents.filter(({ kind }) => kind === 'order').map(({ subject }) => ({ order_id: subject }));
    const months = await orderMonths(context, orders);
    const invoiced = await readMonthsOfUnreadable(db);
    const findings = documents.map((document) => {
      const { kind, subject, at, why, sha256 } = document;
      const monthsOfRecord = kind === 'order' ? months.get(subject)?.ofFinding : undefined;
      const monthOfLatestInvoice = kind === 'order' ? invoiced.get(subject) : undefined;
      // The month in which the invoice counts, or that of the list, or of the order's invoice, or when it was received.
      const period = document.counts_in ?? document.period ?? monthOfLatestInvoice ?? document.at.slice(0, 7);
      const named = documentOf(kind, subject);
      return finding<Says>({
        ...(monthsOfRecord ?? { period, periods: [period] }),
        subject: kind === 'invoice' || kind === 'order' ? `${kind} ${subject}` : `listing ${subject}`,
        invoice_number: numberOf(named),
        // `record 1f3a...`: a record without a readable id, by its SHA-256.
        order_id: kind === 'order' && !subject.startsWith('record ') ? subject : null,
        field: kind === 'listed' ? 'listing' : null,
        sentence: { id: 'document-malformed', document: named, on: dayIn(at, settings.timeZone), why, sha256 },
      });
    });
    const { invoices, orders: records } = await population(context);
    return { findings, compared: invoices + records + findings.length };
  },
  cause: ({ sentence }) => {
    const { kind } = (JSON.parse(sentence) as { document: Document }).document;
    return { id: 'document-malformed/cause', kind };
  },
  words: {
    en: {
      'document-malformed': ({ document, on, why, sha256 }, speech) =>
        `${nameInEnglish(document, speech)}, received on ${on}, cannot be read: ${speech.text(why)}${sha256 === null ? '' : ` (its body is kept: SHA-256 ${sha256})`}; until it can be, older figures are shown: ask the delivery company to correct it.`,
      'document-malformed/cause': ({ kind, count }, speech) =>
        `${speech.count(count, EN_DOCUMENTS[kind])} cannot be read`,
    },
    ar: {
      'document-malformed': ({ document, on, why, sha256 }, speech) =>
        `لا يُقرأ ما وصل في ${on} عن ${nameInArabic(document, speech)}: ${speech.text(why)}${sha256 === null ? '' : ` (نصّه محفوظ: SHA-256 ${sha256})`}؛ وإلى أن يُقرأ تظهر أرقام أقدم: اطلب من شركة التوصيل تصحيحه.`,
      'document-malformed/cause': ({ kind, count }, speech) => `تعذّرت قراءة ${speech.count(count, AR_DOCUMENTS[kind])}`,
    },
  },
  guide: {
    compares:
      "Every answer can be read as an invoice, a list's row or an order. Until it can, older figures are shown.",
    remedy: 'Send the company the message; the answer is kept.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']).isUnreadable = true;
    },
  },
});

const EN_DOCUMENTS: Readonly<Record<Document['kind'], Plural>> = {
  invoice: { one: 'invoice', other: 'invoices' },
  order: { one: 'order', other: 'orders' },
  page: { one: 'page of a list', other: 'pages of lists' },
  listed: { one: 'row of a list', other: 'rows of lists' },
};

const AR_DOCUMENTS: Readonly<Record<Document['kind'], Plural>> = {
  invoice: arabicNoun('فاتورة', 'فواتير', 'genitive'),
  order: arabicNoun('طلب', 'طلبات', 'genitive'),
  page: { one: 'صفحة من قائمة', two: 'صفحتين من قوائم', few: 'صفحات من قوائم', other: 'صفحة من قوائم' },
  listed: {
    one: 'سطر من قائمة',
    two: 'سطرين من قوائم',
    few: 'أسطر من قوائم',
    many: 'سطرًا من قوائم',
    other: 'سطر من قوائم',
  },
};

function nameInEnglish(document: Document, { text }: Speech): string {
  if (document.kind === 'invoice') return `Invoice ${document.number}`;
  if (document.kind === 'order') return `Order ${text(document.order)}`;
  if (document.kind === 'page') return `A page of the list of ${text(document.place)}`;
  const { month, row } = document;
  return `The list of ${month} at ${typeof row === 'number' ? `invoice ${row}` : `row ${text(row)}`}`;
}

function nameInArabic(document: Document, { text }: Speech): string {
  if (document.kind === 'invoice') return `الفاتورة ${document.number}`;
  if (document.kind === 'order') return `الطلب ${text(document.order)}`;
  if (document.kind === 'page') return `صفحة من قائمة ${text(document.place)}`;
  const { month, row } = document;
  return `قائمة ${month} عند ${typeof row === 'number' ? `الفاتورة ${row}` : `السطر ${text(row)}`}`;
}

function documentOf(kind: string, subject: string): Document {
  if (kind === 'invoice') return { kind, number: Number(subject) };
  if (kind === 'order') return { kind, order: subject };
  if (kind === 'page') return { kind, place: subject };
  const [month = '', row = ''] = subject.split(' ');
  return { kind: 'listed', month, row: /^\d{1,15}$/.test(row) ? Number(row) : row };
}

function numberOf(document: Document): number | null {
  if (document.kind === 'invoice') return document.number;
  return document.kind === 'listed' && typeof document.row === 'number' ? document.row : null;
}

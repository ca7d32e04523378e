import { dayIn } from '../../base/day.ts';
import { lastDayOf } from '../../base/period.ts';
import type { Texts } from '../../base/sentence.ts';
import { readClosedDocuments, readClosedFigures, readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { type ClosingFigures, figureRows, readClosingDocuments } from '../../ledger/queries/closes/figures.ts';
import { readRestatedSince } from '../../ledger/queries/closes/invoices-at-close.ts';
import { sqlMonthTotals } from '../../ledger/queries/invoices/control-totals.ts';
import { type HeldMatch, readMatches } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../ledger/schema.ts';
import { parseAmount } from '../../money/decimal.ts';
import type { MoneyField } from '../../money/fields.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { readAsClosed, readClosingFigures } from '../facts/closes/figures.ts';
import type { Settlements } from '../facts/receipts/settlements.ts';
import { settlements } from '../facts/remittances.ts';
import { amounts, counts, finding } from '../finding.ts';
import { NEW_INVOICE } from '../plant.ts';
import { aClose } from '../requirement.ts';

type Figure = keyof ClosingFigures['counts'] | keyof ClosingFigures['totals'][number] | 'closing_balance';

type Says =
  | {
      id: 'closed-period-changed';
      period: string;
      figure: string;
      /** Null for a count. */
      currency: string | null;
      before: string;
      after: string;
      closedBy: string;
      closedOn: string;
      moved: Moved;
    }
  | { id: 'closed-period-changed/cause'; period: string; count: number };

/** What moved a figure since the close: invoices by number; findings on record may lack what is optional. */
type Moved = {
  changed: string[];
  new: string[];
  gone: string[];
  /** Receipts whose matches were removed since, and those that were matched. */
  unmatched?: { receipts: number[]; invoices: number[] };
  matched?: { receipts: number[]; invoices: number[] };
  /** Invoices of which something was agreed on or written off at the close, and no longer is. */
  agreed?: number[];
};

const FIGURES: Readonly<Record<string, Texts>> = {
  invoices: { en: 'number of invoices', ar: 'عدد الفواتير' },
  orders: { en: 'number of invoice rows', ar: 'عدد أسطر الفواتير' },
  cod: { en: 'COD', ar: 'المحصَّل' },
  delivery_fee: { en: 'delivery fee', ar: 'رسم التوصيل' },
  net_due_to_merchant: { en: 'net due', ar: 'الصافي المستحق' },
  order_cod: { en: 'COD of the rows', ar: 'المحصَّل في الأسطر' },
  order_delivery_fee: { en: 'fee of the rows', ar: 'الرسم في الأسطر' },
  paid: { en: 'net that is marked paid', ar: 'الصافي المذكور مدفوعًا' },
  received: { en: 'money received', ar: 'المقبوض' },
  differences: { en: 'agreed differences', ar: 'مجموع الفروق المتفق عليها' },
  outstanding: { en: 'outstanding net', ar: 'الصافي غير المسدَّد' },
  closing_balance: { en: 'closing balance due', ar: 'الرصيد الختامي المستحق' },
} satisfies Partial<Record<Figure, Texts>>;

export const closedPeriodChanged = defineCheck<Says>({
  code: 'closed-period-changed',
  severity: 'error',
  requires: [aClose],
  everywhere: true,
  outsideInvoices: true,
  title: {
    en: 'The figures of a closed month are what they were at the close.',
    ar: 'أرقام الشهر المقفل هي ما كانت عليه عند الإقفال.',
  },
  finds: { en: 'A closed month changed', ar: 'تغيّر رقم في شهر مقفل' },
  async find(context) {
    const { db } = context;
    const closes = await readClosesInForce(db);
    const settled = await settlements(context);
    const findings: Finding[] = [];
    let compared = 0;
    for (const close of closes) {
      const { frozen, now } = await figuresOf(context, close, closes, settled);
      const figures = [...new Set([...frozen.keys(), ...now.keys()])].map((key) => {
        return { key, before: frozen.get(key) ?? NOTHING, after: now.get(key) ?? NOTHING };
      });
      compared += figures.length;
      const changed = figures.filter(({ before, after }) => before !== after);
      if (changed.length === 0) continue;
      const movedBy = await evidenceSince(db, close, settled);
      for (const figure of changed) findings.push(figureChanged(close, figure, movedBy(figure.key)));
    }
    return { findings, compared };
  },
  cause: ({ period }) => ({ id: 'closed-period-changed/cause', period }),
  words: {
    en: {
      'closed-period-changed': (parameters, speech) => {
        const { period, figure, currency, closedBy, closedOn, moved } = parameters;
        const amount = (value: string) => (currency === null ? value : speech.money(value, currency));
        const ofCourier = INVOICE_CHANGES.flatMap((change) =>
          moved[change].length === 0 ? [] : [`invoice ${speech.list(moved[change])} is ${change}`],
        );
        const { unmatched, matched, agreed } = moved;
        const pair = ({ receipts, invoices }: Pair, is: string) =>
          `receipt ${speech.list(receipts)} ${is} matched to invoice ${speech.list(invoices)}`;
        const parts = [
          ...ofCourier,
          ...(unmatched ? [pair(unmatched, 'is no longer')] : []),
          ...(matched ? [pair(matched, 'is')] : []),
          ...(agreed ? [`what is agreed on invoice ${speech.list(agreed)} is changed`] : []),
        ];
        const isOfCourier = ofCourier.length > 0;
        const why = parts.length > 0 ? `${parts.join(', ')} since` : 'by what was imported, matched or decided since';
        const ask = isOfCourier ? 'ask the delivery company why' : 'see that it is right';
        return `The ${FIGURES[figure]?.en ?? figure} of ${period} was ${amount(parameters.before)} when ${speech.text(closedBy)} closed the month on ${closedOn} and is ${amount(parameters.after)} now: ${why}; the close stays as it is, and what moved is booked in the month that learned of it: ${ask}, or \`remit reopen ${period}\` and close it again.`;
      },
      'closed-period-changed/cause': ({ period, count }, speech) =>
        `${speech.count(count, { one: 'figure', other: 'figures' })} of ${period} moved since it was closed`,
    },
    ar: {
      'closed-period-changed': (parameters, speech) => {
        const { period, figure, currency, closedBy, closedOn, moved } = parameters;
        const amount = (value: string) => (currency === null ? value : speech.money(value, currency));
        const words = { changed: 'تغيّرت', new: 'جديدة', gone: 'اختفت' };
        const inWords = (invoices: readonly (string | number)[]) =>
          `${invoices.length === 1 ? 'الفاتورة' : 'الفواتير'} ${speech.list(invoices)}`;
        const ofCourier = INVOICE_CHANGES.flatMap((change) =>
          moved[change].length === 0 ? [] : [`${inWords(moved[change])} ${words[change]}`],
        );
        const { unmatched, matched, agreed } = moved;
        const pair = ({ receipts, invoices }: Pair, is: string) =>
          `${is} ${receipts.length === 1 ? 'المقبوض' : 'المقبوضات'} ${speech.list(receipts)} مع ${inWords(invoices)}`;
        const parts = [
          ...ofCourier,
          ...(unmatched ? [pair(unmatched, 'أُلغيت مطابقة')] : []),
          ...(matched ? [pair(matched, 'طوبق')] : []),
          ...(agreed ? [`تغيّر المتفق عليه في ${inWords(agreed)}`] : []),
        ];
        const isOfCourier = ofCourier.length > 0;
        const why = parts.length > 0 ? `${parts.join('، ')} بعد ذلك` : 'بسبب ما استُورد أو طوبق أو قُرّر بعد ذلك';
        const ask = isOfCourier ? 'اسأل شركة التوصيل عن السبب' : 'تأكّد من صحته';
        return `كان ${FIGURES[figure]?.ar ?? figure} لشهر ${period} يساوي ${amount(parameters.before)} حين أقفله ${speech.text(closedBy)} في ${closedOn}، وهو الآن ${amount(parameters.after)}: ${why}؛ يبقى الإقفال كما هو، ويُقيَّد ما تغيّر في الشهر الذي عُرف فيه: ${ask}، أو شغّل \`remit reopen ${period}\` وأقفله مجددًا.`;
      },
      'closed-period-changed/cause': ({ period, count }) => `أرقام تغيّرت في ${period} بعد إقفاله: ${count}`,
    },
  },
  guide: {
    compares:
      'A figure of a closed month is what it was at the close: every figure of `totals`, the counts, the closing balance. What is paid after the close is no change. Found whichever months are asked for.',
    remedy:
      'Ask why. What moved is booked in the month that learned of it; `remit reopen MONTH` where the closed figures were wrong.',
  },
  plant: {
    closes: ['2026-10'],
    // An invoice that comes late, dated in the closed month.
    night: (books) => void books.bill(NEW_INVOICE, '2026-10-31', ['C1', 'C2']),
    // Two counts, and in dollars COD, fee, net, the rows' COD and fee, what is paid, and the closing balance.
    findings: 9,
  },
});

const INVOICE_CHANGES = ['changed', 'new', 'gone'] as const;

type Pair = NonNullable<Moved['matched']>;

/** A figure in a currency that the close lacks, or the month now, counts as zero. */
const NOTHING = '0.00';

/** Values by `USD cod`; a count, which has no currency, is under ` orders`. */
type Figures = ReadonlyMap<string, string>;

/** The figures that a close froze, and the same figures computed now. */
async function figuresOf(
  { db, settings }: CheckContext,
  close: PeriodCloseTable,
  closes: readonly PeriodCloseTable[],
  settled: Settlements,
) {
  // The month is computed as if it were open, so that what became known since counts in it.
  const known = { settlements: settled, closed: closes.filter(({ period }) => period < close.period) };
  const { figures } = await readClosingFigures(db, await sqlMonthTotals(db, close.period), settings, known);
  const asClosed = await readAsClosed(db, close, settled);
  const totals = figures.totals.map((line) => ({ ...line, ...asClosed(line.currency) }));
  const now = figureRows({ ...figures, totals });
  return { frozen: comparedOf(await readClosedFigures(db, close.id)), now: comparedOf(now) };
}

/**
 * The figures that are compared. Of the roll-forward it is the closing balance alone, because the others lead up to it;
 * and amounts settled by the Paid flag are left out: receipts that show them later change nothing.
 */
function comparedOf(rows: ReturnType<typeof figureRows>): Figures {
  const compared = rows.filter(({ section, figure }) => {
    if (section === 'roll-forward') return figure === 'closing';
    return section !== 'settled' && figure !== 'paid_on_word';
  });
  return new Map(
    compared.map(({ section, currency, figure, value }) => [
      `${currency} ${section === 'roll-forward' ? 'closing_balance' : figure}`,
      value,
    ]),
  );
}

function figureChanged(
  { period, at, actor, time_zone }: PeriodCloseTable,
  { key, before, after }: { readonly key: string; readonly before: string; readonly after: string },
  moved: Moved,
): Finding {
  const [currency, figure] = key.split(' ') as [string, Figure];
  const [expected, actual] = [parseAmount(before), parseAmount(after)];
  const isCount = currency === '';
  const about = { period, subject: `close ${period}`, field: figure };
  const sentence: Says = {
    id: 'closed-period-changed',
    period,
    figure,
    currency: isCount ? null : currency,
    before,
    after,
    closedBy: actor,
    closedOn: dayIn(at, time_zone),
    moved,
  };
  if (isCount) return finding({ ...about, ...counts(expected.toNumber(), actual.toNumber()), sentence });
  return finding({ ...about, currency, ...amounts(expected, actual), sentence });
}

/** The header's field that moves a figure; the counts and the sums of the rows have none. */
const FIELD_OF: Readonly<Record<string, MoneyField>> = {
  cod: 'cod',
  delivery_fee: 'delivery_fee',
  net_due_to_merchant: 'net_due_to_merchant',
  paid: 'net_due_to_merchant',
  outstanding: 'net_due_to_merchant',
  closing_balance: 'net_due_to_merchant',
};

/** Gives a function from a figure's key to what moved it since the close. */
async function evidenceSince(db: LedgerReader, close: PeriodCloseTable, settled: Settlements) {
  const invoicesOf = (documents: Awaited<ReturnType<typeof readClosingDocuments>>) => {
    const invoices = documents.filter(({ kind }) => kind === 'invoice');
    return new Map(invoices.map((invoice) => [invoice.subject, invoice]));
  };
  const then = invoicesOf(await readClosedDocuments(db, close.id));
  const now = invoicesOf(await readClosingDocuments(db, close.period));
  const documentsOf = await documentsSince(db, close, settled, { then, now });
  const decisionsOf = await decisionsSince(db, close, settled, now);
  return (key: string): Moved => {
    const [currency, figure] = key.split(' ') as [string, string];
    const decisions = decisionsOf(figure, currency);
    // What is outstanding moves with both; any other figure is explained by the decisions alone if there are some.
    const isByDecisions = figure !== 'outstanding' && Object.keys(decisions).length > 0;
    return { ...(isByDecisions ? { changed: [], new: [], gone: [] } : documentsOf(figure, currency)), ...decisions };
  };
}

/** The month's invoices by number, with what is known of their documents. */
type Invoices = ReadonlyMap<string, Awaited<ReturnType<typeof readClosingDocuments>>[number]>;

/** Gives a function from a figure and currency to the invoices that moved it since the close. */
async function documentsSince(
  db: LedgerReader,
  close: PeriodCloseTable,
  { histories }: Settlements,
  { then, now }: { readonly then: Invoices; readonly now: Invoices },
): Promise<(figure: string, currency: string) => Pick<Moved, 'changed' | 'new' | 'gone'>> {
  const restated = new Set(await readRestatedSince(db, close.id));
  const byNumber = new Map(histories.map((history) => [String(history.number), history]));
  const isOtherAmount = (number: string, currency: string, field: MoneyField) => {
    const versions = byNumber.get(number)?.events.filter((event) => event.what === 'version') ?? [];
    const latest = versions.at(-1);
    const atClose = versions.findLast(({ evidence_id }) => evidence_id < close.id) ?? latest;
    const amountIn = (version: typeof latest) => version?.money.get(currency)?.[field] ?? 0n;
    return amountIn(latest) !== amountIn(atClose);
  };
  const isUnpaidAgain = (number: string) => then.get(number)?.status === 'PAID' && now.get(number)?.status !== 'PAID';
  return (figure, currency) => {
    const field = FIELD_OF[figure];
    const isChanged = (number: string) =>
      (restated.has(number) && (field === undefined || isOtherAmount(number, currency, field))) ||
      (field === 'net_due_to_merchant' && isUnpaidAgain(number));
    return {
      changed: [...now.keys()].filter((number) => then.has(number) && isChanged(number)),
      new: [...now.keys()].filter((number) => !then.has(number)),
      gone: [...then.keys()].filter((number) => !now.has(number)),
    };
  };
}

/** Gives a function from a figure and currency to the matches and agreements that moved it since the close. */
async function decisionsSince(
  db: LedgerReader,
  close: PeriodCloseTable,
  { books }: Settlements,
  now: Invoices,
): Promise<(figure: string, currency: string) => Pick<Moved, 'matched' | 'unmatched' | 'agreed'>> {
  const held = new Set(books.held.map(({ id }) => id));
  const removed = (await readMatches(db, close)).filter(({ id }) => !held.has(id));
  // A payment that came later and became known after the close is none of the month's, as in `readAsClosed`.
  const isOfMonth = ({ id }: { readonly id: number }) => {
    const { date, evidence_id } = books.receipts.get(id)!;
    return date <= lastDayOf(close.period) || evidence_id < close.id;
  };
  const added = books.held.filter(({ evidence_id, receipts }) => evidence_id > close.id && receipts.some(isOfMonth));
  const invoicesIn = (match: HeldMatch, currency: string, part: 'amount' | 'named') =>
    match.invoices.flatMap(({ number, [part]: units }) =>
      match.currency === currency && units !== 0n && now.has(String(number)) ? [number] : [],
    );
  const pairOf = (name: 'matched' | 'unmatched', matches: readonly HeldMatch[], currency: string) => {
    const paying = matches.filter((match) => invoicesIn(match, currency, 'amount').length > 0);
    const receipts = [...new Set(paying.flatMap((match) => match.receipts.map(({ id }) => id)))];
    const invoices = [...new Set(paying.flatMap((match) => invoicesIn(match, currency, 'amount')))];
    return receipts.length === 0 ? {} : { [name]: { receipts, invoices } };
  };
  return (figure, currency) => {
    const agreed = [...new Set(removed.flatMap((match) => invoicesIn(match, currency, 'named')))];
    const ofReceipts = { ...pairOf('matched', added, currency), ...pairOf('unmatched', removed, currency) };
    return {
      ...(figure === 'received' || figure === 'outstanding' ? ofReceipts : {}),
      ...((figure === 'differences' || figure === 'outstanding') && agreed.length > 0 ? { agreed } : {}),
    };
  };
}

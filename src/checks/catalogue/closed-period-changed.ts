import { dayIn } from '../../base/day.ts';
import { lastDayOf } from '../../base/period.ts';
import type { Texts } from '../../base/sentence.ts';
import { readClosedDocuments, readClosedFigures, readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { type ClosingFigures, figureRows, readClosingDocuments } from '../../ledger/queries/closes/figures.ts';
import { readRestatedSince } from '../../ledger/queries/closes/invoices-at-close.ts';
import { sqlMonthTotals } from '../../ledger/queries/invoices/control-totals.ts';
import { type HeldMatch, readMatches } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { PeriodCloseDocumentTable, PeriodCloseTable } from '../../ledger/schema.ts';
import { parseAmount } from '../../money/decimal.ts';
import { type MoneyField, ROW_SUM_FIELDS } from '../../money/fields.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { readClosingFigures, readPaymentsToCompare } from '../facts/closes/figures.ts';
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
      const figures = await figuresOf(context, close, closes, settled);
      compared += figures.length;
      const changed = figures.filter(({ before, after }) => before !== after);
      if (changed.length === 0) continue;
      const since = await readChangesSince(db, close, settled);
      for (const figure of changed) findings.push(figureChanged(close, figure, movedBy(figure, since)));
    }
    return { findings, compared };
  },
  cause: ({ period }) => ({ id: 'closed-period-changed/cause', period }),
  words: {
    en: {
      'closed-period-changed': (parameters, speech) => {
        const { period, figure, currency, closedBy, closedOn, moved } = parameters;
        const amount = (value: string) => (currency === null ? value : speech.money(value, currency));
        const numbered = (noun: string, numbers: readonly (string | number)[]) =>
          `${noun}${numbers.length === 1 ? '' : 's'} ${speech.list(numbers)}`;
        const is = ({ length }: readonly unknown[]) => (length === 1 ? 'is' : 'are');
        const ofCourier = INVOICE_CHANGES.flatMap((change) =>
          moved[change].length === 0 ? [] : [`${numbered('invoice', moved[change])} ${is(moved[change])} ${change}`],
        );
        const { unmatched, matched, agreed } = moved;
        const pair = ({ receipts, invoices }: Pair, matching: string) =>
          `${numbered('receipt', receipts)} ${is(receipts)} ${matching} to ${numbered('invoice', invoices)}`;
        const parts = [
          ...ofCourier,
          ...(unmatched ? [pair(unmatched, 'no longer matched')] : []),
          ...(matched ? [pair(matched, 'matched')] : []),
          ...(agreed ? [`what is agreed on ${numbered('invoice', agreed)} is changed`] : []),
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

/** A figure as the close froze it (`before`) and as it is now (`after`); zero on a side that lacks its currency. */
interface ComparedFigure {
  /** Empty for a count. */
  readonly currency: string;
  readonly figure: string;
  readonly before: string;
  readonly after: string;
}

type FigureRow = ReturnType<typeof figureRows>[number];

/** The figures that a close froze, and the same figures computed now. */
async function figuresOf(
  { db, settings }: CheckContext,
  close: PeriodCloseTable,
  closes: readonly PeriodCloseTable[],
  settled: Settlements,
): Promise<ComparedFigure[]> {
  // The month is computed as if it were open, so that what became known since counts in it.
  const known = { settlements: settled, closed: closes.filter(({ period }) => period < close.period) };
  const { figures } = await readClosingFigures(db, await sqlMonthTotals(db, close.period), settings, known);
  const paymentsNow = await readPaymentsToCompare(db, close, settled);
  const totals = figures.totals.map((line) => ({ ...line, ...paymentsNow(line.currency) }));
  const frozen = comparedFigures(await readClosedFigures(db, close.id));
  const now = comparedFigures(figureRows({ ...figures, totals }));
  return [...new Map([...frozen, ...now])].map(([key, { currency, figure }]) => {
    const before = frozen.get(key)?.value ?? '0.00';
    return { currency, figure, before, after: now.get(key)?.value ?? '0.00' };
  });
}

/** The figures that are compared, by currency and name. */
function comparedFigures(rows: readonly FigureRow[]) {
  const named = rows.filter(isCompared).map(({ section, currency, figure, value }) => {
    return { currency, figure: section === 'roll-forward' ? 'closing_balance' : figure, value };
  });
  return new Map(named.map((row) => [`${row.currency} ${row.figure}`, row]));
}

/**
 * Of the roll-forward the closing balance alone is compared, because the others lead up to it. Not compared is what is
 * settled of each invoice (the section `settled`), and what the Paid flag settles (`paid_on_word`): receipts that come
 * later are no change.
 */
function isCompared({ section, figure }: FigureRow): boolean {
  if (section === 'roll-forward') return figure === 'closing';
  return section !== 'settled' && figure !== 'paid_on_word';
}

function figureChanged(
  { period, at, actor, time_zone }: PeriodCloseTable,
  { currency, figure, before, after }: ComparedFigure,
  moved: Moved,
): Finding {
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

/**
 * The field of an invoice's header that moves a figure. A count or a sum of rows has none, because any change may move
 * it; nor have `received` and `differences`, which decisions move.
 */
const FIELD_OF: Readonly<Record<string, MoneyField>> = {
  cod: 'cod',
  delivery_fee: 'delivery_fee',
  net_due_to_merchant: 'net_due_to_merchant',
  paid: 'net_due_to_merchant',
  outstanding: 'net_due_to_merchant',
  closing_balance: 'net_due_to_merchant',
};

/** What changed since a close: the invoices that moved a figure, and the decisions about money in a currency. */
interface ChangesSince {
  readonly invoices: (figure: string, currency: string) => Pick<Moved, 'changed' | 'new' | 'gone'>;
  readonly matches: (currency: string) => Pick<Moved, 'matched' | 'unmatched'>;
  readonly agreements: (currency: string) => Pick<Moved, 'agreed'>;
}

/**
 * What a figure's finding names. Decisions move three figures only: matches what was received, agreements the
 * differences, both what is outstanding. Every other figure, the closing balance among them, names invoices alone.
 */
function movedBy({ figure, currency }: ComparedFigure, since: ChangesSince): Moved {
  const decisions = {
    ...(figure === 'received' || figure === 'outstanding' ? since.matches(currency) : {}),
    ...(figure === 'differences' || figure === 'outstanding' ? since.agreements(currency) : {}),
  };
  // Invoices move what is outstanding besides decisions. What was received or agreed they explain only without any.
  const isByDecisionsAlone = figure !== 'outstanding' && Object.keys(decisions).length > 0;
  const invoices = isByDecisionsAlone ? { changed: [], new: [], gone: [] } : since.invoices(figure, currency);
  return { ...invoices, ...decisions };
}

type ClosingDocument = Pick<PeriodCloseDocumentTable, 'kind' | 'subject' | 'status'>;

/** The month's invoices by number (`subject`), each with its status. */
type Invoices = ReadonlyMap<string, ClosingDocument>;

async function readChangesSince(
  db: LedgerReader,
  close: PeriodCloseTable,
  settled: Settlements,
): Promise<ChangesSince> {
  const invoicesOf = (documents: readonly ClosingDocument[]): Invoices => {
    const invoices = documents.filter(({ kind }) => kind === 'invoice');
    return new Map(invoices.map((invoice) => [invoice.subject, invoice]));
  };
  const atClose = invoicesOf(await readClosedDocuments(db, close.id));
  const now = invoicesOf(await readClosingDocuments(db, close.period));
  return {
    invoices: await invoicesSince(db, close, settled, { atClose, now }),
    ...(await decisionsSince(db, close, settled, now)),
  };
}

/** Finds which of the month's invoices changed, came or went since a close, and which figures each of them moved. */
async function invoicesSince(
  db: LedgerReader,
  close: PeriodCloseTable,
  { histories }: Settlements,
  { atClose, now }: { readonly atClose: Invoices; readonly now: Invoices },
): Promise<ChangesSince['invoices']> {
  const restated = new Set(await readRestatedSince(db, close.id));
  const byNumber = new Map(histories.map((history) => [String(history.number), history]));
  // Compares an invoice's latest version with the one that was known at the close.
  const isOtherAmount = (number: string, currency: string, field: MoneyField) => {
    const versions = byNumber.get(number)?.events.filter((event) => event.what === 'version') ?? [];
    const latest = versions.at(-1);
    const known = versions.findLast(({ evidence_id }) => evidence_id < close.id) ?? latest;
    const amountIn = (version: typeof latest) => version?.money.get(currency)?.[field] ?? 0n;
    return amountIn(latest) !== amountIn(known);
  };
  const isUnpaidAgain = (number: string) =>
    atClose.get(number)?.status === 'PAID' && now.get(number)?.status !== 'PAID';
  const hasCurrency = (number: string, currency: string) =>
    byNumber.get(number)?.events.some((event) => event.what === 'version' && event.money.has(currency)) ?? true;
  return (figure, currency) => {
    const field = FIELD_OF[figure];
    // The net itself does not move when an invoice is no longer paid; what is paid of it, or outstanding, does.
    const followsStatus = field === 'net_due_to_merchant' && figure !== 'net_due_to_merchant';
    // Only invoices that state money in a currency move amounts in it. Their rows may have other currencies.
    const isSumOfRows = ROW_SUM_FIELDS.some((name) => name === figure);
    const isIn = (number: string) => currency === '' || isSumOfRows || hasCurrency(number, currency);
    // A restated invoice may move any count or sum of rows, but not the number of invoices.
    const movesRestated = (number: string) =>
      field === undefined ? figure !== 'invoices' && isIn(number) : isOtherAmount(number, currency, field);
    const isChanged = (number: string) =>
      (restated.has(number) && movesRestated(number)) ||
      (followsStatus && hasCurrency(number, currency) && isUnpaidAgain(number));
    return {
      changed: [...now.keys()].filter((number) => atClose.has(number) && isChanged(number)),
      new: [...now.keys()].filter((number) => !atClose.has(number) && isIn(number)),
      gone: [...atClose.keys()].filter((number) => !now.has(number) && isIn(number)),
    };
  };
}

/** Finds the matches about the month's invoices that were made or removed since a close. */
async function decisionsSince(
  db: LedgerReader,
  close: PeriodCloseTable,
  { books }: Settlements,
  now: Invoices,
): Promise<Pick<ChangesSince, 'matches' | 'agreements'>> {
  const held = new Set(books.held.map(({ id }) => id));
  const removed = (await readMatches(db, close)).filter(({ id }) => !held.has(id));
  // A payment that came later and became known after the close is none of the month's, as in `readPaymentsToCompare`.
  const isOfMonth = ({ id }: { readonly id: number }) => {
    const { date, evidence_id } = books.receipts.get(id)!;
    return date <= lastDayOf(close.period) || evidence_id < close.id;
  };
  const added = books.held.filter(({ evidence_id, receipts }) => evidence_id > close.id && receipts.some(isOfMonth));
  // `amount`: what the match pays of an invoice; `named`: the invoice's part of the difference that it agrees on.
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
  return {
    matches: (currency) => ({ ...pairOf('matched', added, currency), ...pairOf('unmatched', removed, currency) }),
    // An agreement that was made after the close counts in a later month.
    agreements: (currency) => {
      const agreed = [...new Set(removed.flatMap((match) => invoicesIn(match, currency, 'named')))];
      return agreed.length > 0 ? { agreed } : {};
    },
  };
}

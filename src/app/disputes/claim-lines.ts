import { type ClaimLine, isReceiptDeducted } from '../../../reports/claim/line.ts';
import type { ClaimWhat } from '../../../reports/claim/sentences.ts';
import { dayIn } from '../../base/day.ts';
import {
  type Claim,
  type InvoiceDates,
  type OrderDates,
  readInvoiceDates,
} from '../../ledger/queries/findings/claims.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits, parseUnits, type Units } from '../../money/units.ts';
import type { Gathered, Unallocated } from './gather.ts';
import { isCorrection, type Owed } from './owed.ts';

/**
 * The lines of a claim, numbered as in the letter.
 *
 * @param earlierClaims by finding
 * @param zone of the days in it
 */
export async function readClaimLines(
  db: LedgerReader,
  owed: readonly Owed[],
  { orders, unallocated, open }: Pick<Gathered, 'orders' | 'unallocated' | 'open'>,
  earlierClaims: ReadonlyMap<string, Claim>,
  zone: string,
): Promise<ClaimLine[]> {
  const numbers = [...new Set(owed.flatMap(({ mismatch }) => mismatch.invoice_number ?? []))];
  const invoices = await readInvoiceDates(db, numbers);
  const texts = await readNumberTexts(db);
  const lineOf = (one: Owed): Omit<ClaimLine, 'line'> => {
    const { id, code, invoice_number, order_id, reference_id, currency } = one.mismatch;
    const invoice = invoice_number === null ? undefined : invoices.get(invoice_number);
    const order = order_id === null ? undefined : orders.get(order_id);
    const earlier = earlierClaims.get(id);
    const amount = (units: bigint | null) => (units === null ? null : formatUnits(units));
    return {
      section: one.section,
      id,
      code,
      invoice_number,
      invoice_number_text: invoice_number === null ? null : (texts.get(invoice_number) ?? null),
      order_id,
      reference_id,
      day: dayOf(one.mismatch, invoice, order, zone),
      what: whatOf(one, order, texts),
      currency,
      due: amount(one.due),
      received: amount(one.received),
      claimed: formatUnits(one.claimed),
      charged: amount(one.charged),
      agreed: amount(one.agreed),
      claimed_on: earlier && wasAsked(one, earlier) ? dayIn(earlier.at, zone) : null,
    };
  };
  const linesIn = (section: Owed['section']) => owed.filter((one) => one.section === section).map(lineOf);
  const received = receivedLines(owed, unallocated, open);
  const toConfirm = linesIn('confirm');
  const isAskedAbove = (line: Omit<ClaimLine, 'line'>) => isReceiptDeducted(line, received);
  const lines = [
    ...linesIn('owed-to-us'),
    ...received,
    ...linesIn('owed-by-us'),
    ...toConfirm.filter((line) => !isAskedAbove(line)),
    // A letter leaves out what a line above asks already: those come last, so that its numbers have no gap.
    ...toConfirm.filter(isAskedAbove),
  ];
  return lines.map((line, index) => ({ line: index + 1, ...line }));
}

/** Whether an earlier claim that was not taken back asked for all that is claimed now. */
export function wasAsked({ section, claimed }: Owed, claim: Claim): boolean {
  return claim.state !== 'withdrawn' && claim.section === section && parseUnits(claim.claimed) >= claimed;
}

/**
 * The lines that take receipts without an invoice off what is owed to us. If the receipts come to more than is owed, a
 * line leaves the surplus for later. If more is left than the courier can owe, a line takes off what is beyond it: of
 * 100.00 that are owed, with a receipt of 30.00 and a balance of 50.00, it takes off 20.00.
 */
function receivedLines(
  owed: readonly Owed[],
  unallocated: readonly Unallocated[],
  balance: ReadonlyMap<string, Units>,
): Omit<ClaimLine, 'line'>[] {
  const toUs = owed.filter(({ section }) => section === 'owed-to-us');
  const currencies = [...new Set(toUs.flatMap(({ mismatch }) => mismatch.currency ?? []))].sort();
  return currencies.flatMap((currency) => {
    const inCurrency = unallocated.filter((one) => one.currency === currency);
    const sumOf = (section: Owed['section'], isSummed: (code: string) => boolean = () => true) =>
      owed
        .filter((one) => one.section === section && one.mismatch.currency === currency && isSummed(one.mismatch.code))
        .reduce((sum, { claimed }) => sum + claimed, 0n);
    const owedToUs = sumOf('owed-to-us');
    const receiptsTotal = inCurrency.reduce((sum, { amount }) => sum + amount, 0n);
    const lines = inCurrency.map(({ date, amount, couriers }) => {
      const isShared = couriers.length > 0;
      const what = { id: 'claim-received', date, amount: formatUnits(amount), currency, isShared } as const;
      return receivedLine('receipt-unallocated', amount, { day: date, currency, what });
    });
    if (receiptsTotal > owedToUs) {
      const surplus = receiptsTotal - owedToUs;
      const what = { id: 'claim-left', amount: formatUnits(surplus), currency } as const;
      return [...lines, receivedLine('left-for-later', -surplus, { day: null, currency, what })];
    }
    // The most that the courier can owe: the balance, and the corrections, whose money is not in the balance.
    const corrections = sumOf('owed-to-us', isCorrection) - sumOf('owed-by-us', isCorrection);
    const balanceCorrected = (balance.get(currency) ?? 0n) + corrections;
    const most = balanceCorrected > 0n ? balanceCorrected : 0n;
    const netClaim = owedToUs - receiptsTotal - sumOf('owed-by-us');
    const beyond = netClaim - most;
    if (beyond <= 0n) return lines;
    const what = { id: 'claim-beyond', open: formatUnits(most), amount: formatUnits(beyond), currency } as const;
    return [...lines, receivedLine('beyond-balance', beyond, { day: null, currency, what })];
  });
}

/** @param received what it takes off, positive: the line claims the negative of it */
function receivedLine(
  code: 'receipt-unallocated' | 'left-for-later' | 'beyond-balance',
  received: Units,
  columns: Pick<ClaimLine, 'day' | 'currency' | 'what'>,
): Omit<ClaimLine, 'line'> {
  return {
    section: 'owed-to-us',
    id: null,
    code,
    invoice_number: null,
    invoice_number_text: null,
    order_id: null,
    reference_id: null,
    ...columns,
    due: formatUnits(0n),
    received: formatUnits(received),
    claimed: formatUnits(-received),
    charged: null,
    agreed: null,
    claimed_on: null,
  };
}

/** The day that a line names: the invoice's, else the delivery's, else the receipt's. */
function dayOf(
  { sentence }: Mismatch,
  invoice: InvoiceDates | undefined,
  order: OrderDates | undefined,
  zone: string,
): string | null {
  const { date } = JSON.parse(sentence) as { date?: string };
  const moment = invoice?.issued_at ?? order?.delivered_at ?? date;
  return moment === undefined || moment === null ? null : dayIn(moment, zone);
}

/** Parameters of a finding's sentence, other than its figures, that a claim may quote. */
interface SentenceFacts {
  readonly invoices?: readonly number[];
  readonly months?: readonly string[];
  readonly link?: string | null;
  readonly status?: string;
  readonly state?: string;
  readonly detail?: string;
  readonly list?: string;
  readonly date?: string;
  readonly amount?: string;
  readonly left?: string;
  readonly cameIn?: boolean;
  readonly ways?: readonly { readonly invoices: readonly number[] }[];
}

function whatOf(
  { mismatch, due, charged, possible }: Owed,
  order: OrderDates | undefined,
  texts: ReadonlyMap<number, string>,
): ClaimWhat {
  const { code, currency, field, expected, actual, unit, sentence } = mismatch;
  const facts = JSON.parse(sentence) as SentenceFacts;
  const isLink = code === 'order-invoice-link';
  // What is due and received, or charged and agreed, has columns of its own.
  const isInColumns = code.startsWith('remittance-') || code === 'invoice-vanished' || charged !== null;
  const hasFigures = !isInColumns && unit !== null && expected !== null && actual !== null;
  const invoices = invoicesNamedBy(mismatch, facts, order);
  return {
    id: 'claim-what',
    code,
    figures: hasFigures ? { expected, actual, unit, currency, field: SHOWS_FIELD.includes(code) ? field : null } : null,
    invoices: [...new Set(invoices)].sort((a, b) => a - b).map((number) => texts.get(number) ?? number),
    months: [...(facts.months ?? [])],
    link: isLink ? (facts.link ?? null) : null,
    ...(isLink && facts.state !== undefined ? { linked: facts.state as NonNullable<ClaimWhat['linked']> } : {}),
    states: statesOf(code, facts),
    receipt: receiptOf(mismatch, facts),
    possible:
      due === null
        ? []
        : possible.map(({ date, amount, currency }) => ({ date, amount: formatUnits(amount), currency })),
  };
}

const ABOUT_RECEIPTS = ['receipt-unmatched', 'receipt-ambiguous'];

/** The invoices that a line names: those that a receipt may pay, else the finding's, else those that list the order. */
function invoicesNamedBy(
  { code, invoice_number }: Mismatch,
  { ways, invoices }: SentenceFacts,
  order: OrderDates | undefined,
): readonly number[] {
  if (ABOUT_RECEIPTS.includes(code)) return (ways ?? []).flatMap((way) => way.invoices);
  return invoices ?? (invoice_number === null ? (order?.invoices ?? []) : []);
}

/** The receipt that a finding is about; null for any other finding. */
function receiptOf({ code, currency }: Mismatch, facts: SentenceFacts): ClaimWhat['receipt'] {
  if (!ABOUT_RECEIPTS.includes(code) || currency === null) return null;
  const { date, left, amount, cameIn } = facts;
  return { date: date ?? '', amount: left ?? amount ?? '0', currency, cameIn: cameIn ?? true };
}

/** Checks that compare several amounts of a document: their lines name which one. */
const SHOWS_FIELD = ['order-amount-differs', 'order-restated', 'invoice-list-detail'];

/** The two states, or the two dates, that contradict each other. */
function statesOf(code: string, { status, state, list, detail }: SentenceFacts): string[] {
  if (code === 'paid-state-conflict') return [status ?? '', state ?? ''];
  return code === 'invoice-list-detail' && list !== undefined && detail !== undefined ? [list, detail] : [];
}

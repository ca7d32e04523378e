import type { Sentence } from '../src/base/sentence.ts';
import type { ReturnsStanding } from '../src/checks/facts/returns/standing.ts';
import { ExactDecimal, parseAmount } from '../src/money/decimal.ts';
import { formatAmount } from '../src/money/format.ts';
import type { Column, Report, Row, Unit } from './model.ts';
import type { Names } from './names.ts';

export type { ReturnsStanding };

/** The parts of a claim: what the courier owes us, what we owe the courier, and what it is only asked to confirm. */
export const CLAIM_SECTIONS = ['owed-to-us', 'owed-by-us', 'confirm'] as const;
export type ClaimSection = (typeof CLAIM_SECTIONS)[number];

/**
 * What is asked of the courier about one finding; or what came in and pays no invoice yet (`receipt-unallocated`), which is taken off, and
 * what of it is more than is claimed (`left-for-later`); or what is more than the balance (`beyond-balance`). `id` and `code` are for programs: no letter and no sheet shows them.
 */
export interface ClaimLine {
  /** Its number in the letter, by which an answer can name it. */
  readonly line: number;
  readonly section: ClaimSection;
  /** Null where it is about no finding. */
  readonly id: string | null;
  readonly code: string;
  readonly invoice_number: number | null;
  /** What both sides call a payout of a settlement sheet, such as `ES-902`; null where the number is an invoice's own. */
  readonly invoice_number_text: string | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  /** The day (ISO) of the invoice, of the delivery or of the receipt. */
  readonly day: string | null;
  /** What is wrong. */
  readonly what: ClaimWhat | ClaimReceived;
  readonly currency: string | null;
  /** What is due on this point and what of it came in; null where it is not about money. */
  readonly due: string | null;
  readonly received: string | null;
  /** Without a sign, but for a receipt that is taken off: the part says who owes it. Nothing is claimed of what is to be confirmed. */
  readonly claimed: string;
  /** A fee beside the rate card; else null. */
  readonly charged: string | null;
  readonly agreed: string | null;
  /** When the same was claimed before (ISO); null the first time. */
  readonly claimed_on: string | null;
}

/** What a claim comes to in one currency, never added across. */
export interface ClaimTotal {
  readonly currency: string;
  /** Lines with an amount. */
  readonly count: number;
  readonly owed_to_us: string;
  readonly owed_by_us: string;
  /** What is owed to us less what we owe; negative where we owe more. */
  readonly net: string;
}

type Amount = { date: string; amount: string; currency: string };

/** What is wrong, as the courier reads it. */
export type ClaimWhat = {
  id: 'claim-what';
  code: string;
  /** What the document states beside what is right. */
  figures: { expected: string; actual: string; unit: Unit; currency: string | null; field: string | null } | null;
  invoices: (number | string)[];
  months: string[];
  /** The invoice that an order's record names. */
  link: string | null;
  /** Two states or dates that do not agree. */
  states: string[];
  /** A receipt of which we ask what it pays. */
  receipt: (Amount & { cameIn: boolean }) | null;
  /** Receipts that may be the payment. */
  possible: Amount[];
};

/** Receipts that pay no invoice yet, and what is left of them where it is more than what is claimed. */
export type ClaimReceived =
  | { id: 'claim-received'; date: string; amount: string; currency: string; isShared: boolean }
  | { id: 'claim-beyond'; open: string; amount: string; currency: string }
  | { id: 'claim-left'; amount: string; currency: string };

/** Whose claim it is and of which day; how its parts are to be read. */
export type ClaimNote =
  | { id: 'claim-of'; by: string | null; to: string | null; on: string }
  | { id: 'claim-parts' }
  | { id: 'claim-returns'; convention: string; basis: ReturnsStanding['returns_basis'] }
  | { id: 'claim-total'; currency: string; owed_to_us: string; owed_by_us: string; net: string };

/** The words of a part's heading, of a line's figures, and of the letter around them. */
export type ClaimSentence =
  | { id: 'claim-section'; section: ClaimSection }
  | { id: 'claim-figures'; currency: string; due: string; received: string; difference: string }
  | { id: 'claim-fee'; currency: string; charged: string; agreed: string; difference: string; received: string | null }
  | {
      id: 'claim-place';
      invoice: number | string | null;
      order: string | null;
      reference: string | null;
      day: string | null;
    }
  | { id: 'claim-before'; on: string }
  | { id: 'claim-heading'; months: string[] }
  | { id: 'claim-to' }
  | { id: 'claim-salutation' }
  | { id: 'claim-opening' }
  | { id: 'claim-confirm' }
  | { id: 'claim-closing' }
  /** What is open of a point that is only to be confirmed. */
  | { id: 'claim-open'; currency: string; due: string; received: string }
  | { id: 'claim-part-sum'; title: string }
  | { id: 'claim-part-total'; title: string; currency: string; amount: string }
  | { id: 'claim-word'; word: 'due' | 'received' | 'difference' | 'what' | 'net' };

const COLUMNS: readonly Column[] = [
  { name: 'line', type: 'number' },
  { name: 'part', type: 'text' },
  { name: 'invoice_number', type: 'number' },
  { name: 'order_id', type: 'id' },
  { name: 'reference_id', type: 'id' },
  { name: 'day', type: 'date' },
  { name: 'currency', type: 'text', key: true },
  { name: 'due', type: 'money' },
  { name: 'received', type: 'money' },
  { name: 'difference', type: 'money' },
  { name: 'charged', type: 'money' },
  { name: 'agreed', type: 'money' },
  { name: 'to_confirm', type: 'money' },
  { name: 'what', type: 'wide' },
];

const FEE_COLUMNS: ReadonlySet<string> = new Set(['charged', 'agreed']);
const SUMMED = ['due', 'received', 'difference', 'charged', 'agreed'] as const;
const MONEY: ReadonlySet<string> = new Set(['due', 'received', 'claimed', 'charged', 'agreed']);

/** What programs read: a line a claim. */
const DATA: readonly Column[] = [
  ...['section', 'id', 'code', 'invoice_number', 'order_id', 'reference_id', 'day', 'what', 'currency'],
  ...['due', 'received', 'claimed', 'charged', 'agreed', 'line', 'claimed_on'],
].map((name) => ({ name, type: MONEY.has(name) ? 'money' : 'text' }));

/** The sums of a claim, by currency. What is to be confirmed is in none. */
export function claimTotals(lines: readonly Pick<ClaimLine, 'section' | 'currency' | 'claimed'>[]): ClaimTotal[] {
  const sums = new Map<string, { count: number; toUs: ExactDecimal; byUs: ExactDecimal }>();
  for (const { section, currency, claimed } of lines) {
    if (currency === null || section === 'confirm') continue;
    const sum = sums.get(currency) ?? { count: 0, toUs: new ExactDecimal(0), byUs: new ExactDecimal(0) };
    const amount = parseAmount(claimed);
    sum.count += 1;
    if (section === 'owed-to-us') sum.toUs = sum.toUs.plus(amount);
    else sum.byUs = sum.byUs.plus(amount);
    sums.set(currency, sum);
  }
  return [...sums.keys()].sort().map((currency) => {
    const { count, toUs, byUs } = sums.get(currency)!;
    const [owed_to_us, owed_by_us, net] = [toUs, byUs, toUs.minus(byUs)].map((sum) => formatAmount(sum));
    return { currency, count, owed_to_us: owed_to_us!, owed_by_us: owed_by_us!, net: net! };
  });
}

interface Head {
  /** The months that it is about, or empty. */
  readonly period: string;
  /** Who claims, and of whom. */
  readonly names: Names;
  /** The day on which it is sent. */
  readonly on: string;
  /** How the courier counts RETURN orders; absent where no invoice has one, and while nobody knows. */
  readonly returns?: ReturnsStanding | null;
}

/** How the courier counts RETURN orders, as it reads it; null where no invoice has one, and while nobody knows. */
export function claimReturns(standing: ReturnsStanding): Sentence | null {
  const { returns: convention, returns_basis: basis, invoices_with_returns } = standing;
  if (convention === null || invoices_with_returns === 0) return null;
  return { id: 'claim-returns', convention, basis } satisfies ClaimNote;
}

/** A claim as the sheet that goes to the courier: its amounts stand on the first page, and it shows nothing of ours. */
export function claimReport(lines: readonly ClaimLine[], { period, names, on, returns = null }: Head): Report {
  const rows = lines.map(sheetRow);
  const used = COLUMNS.filter(
    ({ name }) => !(FEE_COLUMNS.has(name) || name === 'to_confirm') || rows.some((row) => (row[name] ?? null) !== null),
  );
  return {
    report: 'claim',
    title: 'Claim',
    period,
    columns: used,
    rows,
    totals: () => claimTotals(lines).map(({ currency }) => columnTotals(rows, currency, used)),
    notes: () => [
      { id: 'claim-of', by: names.merchant.name, to: names.courier.name, on } satisfies ClaimNote,
      ...claimTotals(lines).map(
        ({ count: _, ...total }): Sentence => ({ id: 'claim-total', ...total }) satisfies ClaimNote,
      ),
      { id: 'claim-parts' } satisfies ClaimNote,
      ...[returns && claimReturns(returns)].filter((note) => note !== null),
    ],
  };
}

/** A claim for programs, a line each. CSV knows a payout by its own number, as both sides do; JSON has its integer and that beside it. */
export function claimData(
  lines: readonly ClaimLine[],
  { period }: Pick<Head, 'period'>,
  format: 'csv' | 'json',
): Report {
  const isCsv = format === 'csv';
  return {
    report: 'claim',
    title: 'Claim',
    period,
    columns: isCsv ? DATA : [...DATA, { name: 'invoice_number_text', type: 'text' }],
    rows: lines.map((line): Row => {
      const { invoice_number: number, invoice_number_text: text } = line;
      return { ...line, invoice_number: isCsv ? (text ?? number) : number };
    }),
    totals: () => [],
    notes: () => [],
  };
}

function sheetRow(line: ClaimLine): Row {
  const { id: _, code: _code, section, claimed, due, received, charged, agreed, invoice_number_text, ...rest } = line;
  const shown = { ...rest, invoice_number: invoice_number_text ?? rest.invoice_number };
  const part: ClaimSentence = { id: 'claim-section', section };
  // What is to be confirmed is in no total, so that it stands in a column of its own.
  if (section === 'confirm') {
    const open = due === null || received === null ? null : formatAmount(parseAmount(due).minus(parseAmount(received)));
    return {
      ...shown,
      part,
      due: null,
      received: null,
      difference: null,
      charged: null,
      agreed: null,
      to_confirm: open,
    };
  }
  const difference = due === null ? null : signed(claimed, section);
  return { ...shown, part, due, received, difference, charged, agreed, to_confirm: null };
}

/** What each column of money adds up to in a currency, as its rows are printed. */
function columnTotals(rows: readonly Row[], currency: string, columns: readonly Column[]) {
  const inCurrency = rows.filter((row) => row.currency === currency);
  const sums = SUMMED.filter((name) => columns.some((column) => column.name === name)).map((name) => {
    const amounts = inCurrency.flatMap((row) => (row[name] === null ? [] : [parseAmount(row[name] as string)]));
    return [name, formatAmount(amounts.reduce((sum, amount) => sum.plus(amount), new ExactDecimal(0)))] as const;
  });
  return { currency, ...Object.fromEntries(sums) };
}

/** What the lines of a part that have figures come to, a currency each: due, received and difference. */
export function figureTotals(
  lines: readonly ClaimLine[],
): { readonly currency: string; readonly due: string; readonly received: string; readonly difference: string }[] {
  return claimTotals(lines).map(({ currency }) => {
    const inCurrency = lines.filter((line) => line.currency === currency);
    const sum = (of: (line: ClaimLine) => string | null) =>
      formatAmount(inCurrency.reduce((total, line) => total.plus(parseAmount(of(line) ?? '0')), new ExactDecimal(0)))!;
    return {
      currency,
      due: sum(({ due }) => due),
      received: sum(({ received }) => received),
      difference: sum(({ claimed }) => claimed),
    };
  });
}

/** In the sheet what we owe is negative, so that a column of one currency adds up to the net. */
function signed(claimed: string, section: ClaimSection): string {
  return section === 'owed-by-us' ? formatAmount(parseAmount(claimed).negated()) : claimed;
}

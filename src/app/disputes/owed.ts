/**
 * How much of each finding is owed, by whom, and how much is claimed: no money twice, and none that was paid already.
 */
import type { ClaimSection } from '../../../reports/claim/sentences.ts';
import { groupBy } from '../../base/group.ts';
import type { SettledInvoice } from '../../checks/facts/receipts/settlements.ts';
import { UNPAID } from '../../checks/mismatch-changes.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { parseUnits, sizeOf, type Units } from '../../money/units.ts';

/** A receipt from the courier that may pay an invoice, though nobody knows which. */
export interface PossibleReceipt {
  readonly receipt: number;
  readonly date: string;
  readonly amount: Units;
  readonly currency: string;
}

/** A finding in a claim. Amounts are in ledger units of its currency; null where it asks for no money. */
export interface Owed {
  readonly mismatch: Mismatch;
  readonly section: ClaimSection;
  /** What is due by this finding, and how much of that was received. */
  readonly due: Units | null;
  readonly received: Units | null;
  /** The claimed amount, without a sign; zero in the part that is only to be confirmed. */
  readonly claimed: Units;
  /** For a fee that differs from the rate card: that fee, and the rate card's. */
  readonly charged: Units | null;
  readonly agreed: Units | null;
  /** Receipts that may have paid it. */
  readonly possible: readonly PossibleReceipt[];
}

/**
 * Why a finding claims nothing. `covered`: receipts paid it; `balanced`: a finding about the same money goes the other
 * way; `same-money`: another finding claims the same money.
 */
export type NothingOwed = 'covered' | 'balanced' | 'same-money';

export interface OwedFacts {
  readonly settled: (number: number, currency: string | null) => SettledInvoice | undefined;
  /** The invoices that list an order. */
  readonly invoicesOf: (order: string) => readonly number[];
  /** What was written off an invoice. The courier did not agree to it: if it pays it later, it paid what it owed. */
  readonly writtenOff: (number: number, currency: string) => Units;
  /** The receipts that may pay an invoice and are booked on none. */
  readonly possible: (number: number, currency: string) => readonly PossibleReceipt[];
  /** The findings with a claim that is not over. */
  readonly claimed: ReadonlySet<string>;
  /** Claim also what such a receipt may cover. */
  readonly includePossible: boolean;
}

const OVERPAID = 'remittance-over';
const ORDER_FIELDS = ['cod', 'delivery_fee'];

/** Whether a finding asks for money that is not in the balance. */
export const isCorrection = (code: string) => code !== OVERPAID && !UNPAID.includes(code);

/** A finding that corrects an invoice. While findings and receipts are set off, `open` moves towards zero. */
interface Correction {
  readonly mismatch: Mismatch;
  /** What is still owed of it: positive where the courier owes it, negative where we do. */
  open: Units;
  /** How much of it receipts paid; only of what the courier owes. */
  covered: Units;
}

/**
 * Settles findings against each other and against the receipts.
 *
 * - Findings about one amount of one order, or about the header of one invoice and its rows, are set off against each
 *   other if they have opposite signs: only the difference is owed.
 * - A payment beyond an invoice's stated net covers what its findings say is missing; a payment below it covers what
 *   they say was credited too much.
 * - The unpaid part of an invoice is claimed by one finding alone.
 *
 * @param findings all that are not resolved: what one of them claims does not depend on which are selected
 * @returns `covered`: what receipts paid of each correction
 */
export function owedOf(findings: readonly Mismatch[], facts: OwedFacts) {
  const corrections = findings
    .filter(({ code, effect }) => effect !== null && isCorrection(code))
    .map((mismatch): Correction => ({ mismatch, open: -parseUnits(mismatch.effect!), covered: 0n }));
  balanceOrders(corrections);
  const byInvoice = correctionsByInvoice(corrections, facts);
  for (const invoiceCorrections of byInvoice.values()) balanceHeaders(invoiceCorrections);

  const keys = new Set([...byInvoice.keys(), ...findings.flatMap((finding) => keyOf(finding) ?? [])]);
  const settlementOf = new Map<string, { unpaid: Units; over: Units }>();
  for (const key of keys) settlementOf.set(key, coverByReceipts(key, byInvoice.get(key) ?? [], facts));

  const owed: Owed[] = [];
  const whyNothing = new Map<string, NothingOwed>();
  for (const one of corrections) {
    if (one.open !== 0n) owed.push(correctionOwed(one));
    else whyNothing.set(one.mismatch.id, one.covered !== 0n ? 'covered' : 'balanced');
  }
  const claimers = claimersOfUnpaid(findings, facts.claimed);
  for (const mismatch of findings) {
    const { code, id, effect } = mismatch;
    const key = keyOf(mismatch);
    if (UNPAID.includes(code) && key !== null) {
      const { unpaid } = settlementOf.get(key)!;
      if (claimers.get(key) !== id) whyNothing.set(id, 'same-money');
      else if (unpaid <= 0n) whyNothing.set(id, 'covered');
      else owed.push(unpaidOwed(mismatch, unpaid, facts));
    } else if (code === OVERPAID && key !== null) {
      const { over } = settlementOf.get(key)!;
      // The payment beyond the net was for what had been written off, or for what other findings say is missing.
      const isForWrittenOff = facts.writtenOff(mismatch.invoice_number!, mismatch.currency!) > 0n;
      if (over > 0n) owed.push(overOwed(mismatch, over, facts));
      else whyNothing.set(id, isForWrittenOff ? 'covered' : 'balanced');
    } else if (effect === null) {
      owed.push({ ...TO_CONFIRM, mismatch });
    }
  }
  const covered = corrections.map(({ mismatch, covered: amount }) => ({ currency: mismatch.currency!, amount }));
  return { owed, whyNothing, covered };
}

const TO_CONFIRM = {
  section: 'confirm',
  due: null,
  received: null,
  claimed: 0n,
  charged: null,
  agreed: null,
  possible: [],
} as const;

/** An invoice in one currency, as the key of a map: `10009 USD`. */
const invoiceKey = (number: number, currency: string | null) => `${number} ${currency}`;

/** The invoice and currency that a finding is about; null where it names none. */
function keyOf({ invoice_number, currency }: Mismatch): string | null {
  return invoice_number === null || currency === null ? null : invoiceKey(invoice_number, currency);
}

/**
 * The corrections by invoice and currency. A correction of an order is with each invoice that lists the order, the
 * latest invoice first: in this order receipts cover it.
 */
function correctionsByInvoice(corrections: readonly Correction[], facts: OwedFacts): Map<string, Correction[]> {
  const byInvoice = new Map<string, Correction[]>();
  for (const one of corrections) {
    const { invoice_number, order_id, currency } = one.mismatch;
    const listers = order_id === null ? [] : [...facts.invoicesOf(order_id)].reverse();
    const numbers = invoice_number === null ? listers : [invoice_number];
    for (const number of numbers) {
      const key = invoiceKey(number, currency);
      byInvoice.set(key, [...(byInvoice.get(key) ?? []), one]);
    }
  }
  return byInvoice;
}

/**
 * Sets off findings about one order's COD or fee, whatever each compares: invoice row, record, earlier record,
 * agreement.
 */
function balanceOrders(corrections: readonly Correction[]): void {
  const ofOrders = corrections.filter(
    ({ mismatch: { order_id, field } }) => order_id !== null && ORDER_FIELDS.includes(field ?? ''),
  );
  const chains = groupBy(ofOrders, ({ mismatch: { order_id, currency, field } }) =>
    JSON.stringify([order_id, currency, field]),
  );
  for (const chain of chains.values()) balance(chain, chain);
}

const HEADERS = ['invoice-cod-total', 'invoice-fee-total', 'invoice-net'];

/** Sets off findings about one invoice's header against each other, and then against the findings about its rows. */
function balanceHeaders(corrections: readonly Correction[]): void {
  const headers = corrections.filter(({ mismatch }) => HEADERS.includes(mismatch.code));
  const rows = corrections.filter((one) => !headers.includes(one));
  balance(headers, headers);
  balance(headers, rows);
}

/** Sets off amounts of opposite signs against each other: each of `some` against each of `others`. */
function balance(some: readonly Correction[], others: readonly Correction[]): void {
  for (const one of some) {
    for (const other of others) {
      // Of the same sign, or zero: there is nothing to set off.
      if (one.open * other.open >= 0n) continue;
      const common = least(sizeOf(one.open), sizeOf(other.open));
      one.open -= withSign(common, one.open);
      other.open -= withSign(common, other.open);
    }
  }
}

/**
 * Takes off an invoice's corrections what receipts paid of them. If 120.00 came for a net of 100.00, a correction of
 * 30.00 to us is covered by 20.00, and 10.00 is still owed. If 80.00 came, a correction of 30.00 to the courier is
 * settled by the unpaid 20.00, and we owe 10.00.
 *
 * @param key the invoice's: {@link invoiceKey}
 * @returns its unpaid net, and what was paid beyond it
 */
function coverByReceipts(
  key: string,
  corrections: readonly Correction[],
  { settled, writtenOff }: OwedFacts,
): { unpaid: Units; over: Units } {
  const [number, currency] = key.split(' ');
  const invoice = settled(Number(number), currency!);
  let unpaid = invoice && invoice.outstanding > 0n ? invoice.outstanding : 0n;
  // 120.00 received for a net of 100.00 leave an outstanding of -20.00: 20.00 are beyond the net.
  const beyond = invoice ? -invoice.outstanding - writtenOff(invoice.number, invoice.currency) : 0n;
  // A net below zero is outstanding below zero too: no more is paid beyond it than was received.
  let over = invoice && invoice.received > 0n ? least(invoice.received, beyond) : 0n;
  // Not paying settles what we owe only where receipts show that the courier paid a part.
  const isPaidInPart = invoice?.by === 'receipts' && invoice.received !== 0n;
  for (const one of corrections) {
    if (one.open > 0n && over > 0n) {
      const common = least(one.open, over);
      one.open -= common;
      one.covered += common;
      over -= common;
    } else if (one.open < 0n && unpaid > 0n && isPaidInPart) {
      const common = least(-one.open, unpaid);
      one.open += common;
      unpaid -= common;
    }
  }
  return { unpaid, over };
}

/**
 * The finding that claims the unpaid part of each invoice and currency: the one that a letter claims already, if any.
 */
function claimersOfUnpaid(findings: readonly Mismatch[], claimed: ReadonlySet<string>): Map<string, string> {
  const claimers = new Map<string, string>();
  const inOrder = UNPAID.flatMap((code) => findings.filter((finding) => finding.code === code));
  const claimedFirst = inOrder.filter(({ id }) => claimed.has(id));
  for (const finding of [...claimedFirst, ...inOrder]) {
    const key = keyOf(finding);
    if (key !== null && !claimers.has(key)) claimers.set(key, finding.id);
  }
  return claimers;
}

const FEES = ['fee-off-tariff', 'fee-on-cancelled'];
const NO_FEES = { charged: null, agreed: null };

function correctionOwed({ mismatch, open, covered }: Correction): Owed {
  const amounts: Pick<Owed, 'section' | 'due' | 'received' | 'claimed'> =
    open > 0n
      ? { section: 'owed-to-us', due: open + covered, received: covered, claimed: open }
      : { section: 'owed-by-us', due: 0n, received: -open, claimed: -open };
  const { code, expected, actual, unit } = mismatch;
  const isFee = FEES.includes(code) && unit === 'money' && expected !== null && actual !== null;
  const fees = isFee ? { charged: parseUnits(actual), agreed: parseUnits(expected) } : NO_FEES;
  // A fee is shown as charged and agreed only if the two differ by all that was due: else a part is set off.
  const isWhole = isFee && fees.charged! - fees.agreed! === (open > 0n ? open + covered : open);
  return { mismatch, ...amounts, ...(isWhole ? fees : NO_FEES), possible: [] };
}

function unpaidOwed(mismatch: Mismatch, unpaid: Units, { settled, possible, includePossible }: OwedFacts): Owed {
  const { invoice_number, currency } = mismatch;
  const { received } = settled(invoice_number!, currency)!;
  const receipts = possible(invoice_number!, currency!);
  const isSure = receipts.length === 0 || includePossible;
  const owed: Owed = { ...TO_CONFIRM, mismatch, due: received + unpaid, received, possible: receipts };
  return isSure ? { ...owed, section: 'owed-to-us', claimed: unpaid } : owed;
}

function overOwed(mismatch: Mismatch, over: Units, { settled }: OwedFacts): Owed {
  const { received } = settled(mismatch.invoice_number!, mismatch.currency)!;
  return { ...TO_CONFIRM, mismatch, section: 'owed-by-us', due: received - over, received, claimed: over };
}

export const least = (a: Units, b: Units) => (a < b ? a : b);
const withSign = (size: Units, like: Units) => (like < 0n ? -size : size);

/** Adds to the amount of a key, which is zero before. */
export function addTo(amounts: Map<string, Units>, key: string, amount: Units): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + amount);
}

/** What of the findings is owed, by whom, and how much of it is claimed: no money twice, and none that came in. */
import type { SettledInvoice } from '../../checks/facts/receipts/settlements.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { parseUnits, type Units } from '../../money/units.ts';

/** Where a line of a claim stands: what the courier owes, what it may keep or take back, and what it is only asked to confirm. */
export type ClaimSection = 'owed-to-us' | 'owed-by-us' | 'confirm';

/** Money from the courier of which it is not known what it pays. */
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
  /** What is due on this point, and what of it came in. */
  readonly due: Units | null;
  readonly received: Units | null;
  /** What is claimed, without a sign; zero for what is only to be confirmed. */
  readonly claimed: Units;
  /** For a fee beside the rate card. */
  readonly charged: Units | null;
  readonly agreed: Units | null;
  /** Receipts that may be its payment. */
  readonly possible: readonly PossibleReceipt[];
}

/**
 * Why a finding claims nothing: receipts cover it, another finding about the same money makes up for it, or one about the same money
 * claims it.
 */
export type NothingOwed = 'covered' | 'balanced' | 'same-money';

export interface OwedFacts {
  readonly settled: (number: number, currency: string | null) => SettledInvoice | undefined;
  /** The invoices that list an order. */
  readonly invoicesOf: (order: string) => readonly number[];
  /** What was written off an invoice: nobody agreed to it, so that who pays it later owes it. */
  readonly writtenOff: (number: number, currency: string) => Units;
  /** The receipts that may pay an invoice and are booked on none. */
  readonly possible: (number: number, currency: string) => readonly PossibleReceipt[];
  /** Claim also what such a receipt may cover. */
  readonly includePossible: boolean;
}

/** What is still to be paid of an invoice; the first of them that an invoice has speaks for its money. */
const UNPAID = ['remittance-short', 'remittance-missing', 'payment-overdue'];
const OVERPAID = 'remittance-over';
const HEADERS = ['invoice-cod-total', 'invoice-fee-total', 'invoice-net'];
const FEES = ['fee-off-tariff', 'fee-on-cancelled'];
const ORDER_FIELDS = ['cod', 'delivery_fee'];

/** Whether a finding asks for money that the balance does not know of. */
export const isCorrection = (code: string) => code !== OVERPAID && !UNPAID.includes(code);

/** A correction that is asked for: positive where the courier owes it. */
interface CorrectedRow {
  readonly mismatch: Mismatch;
  open: Units;
  /** What receipts brought of it. */
  covered: Units;
}

/**
 * Settles findings against each other and against the receipts.
 *
 * - Findings about one amount of one order, or about the header of one invoice and its rows, make up for each other where they point both
 *   ways: only the rest is owed.
 * - What came in for an invoice beyond its stated net covers what its findings say is missing; what was kept back of it covers what they
 *   say was credited too much.
 * - What is still to be paid of an invoice is claimed by one finding.
 *
 * @param findings all that are not resolved, so that what is claimed of one does not depend on which of them are asked for
 */
export function owedOf(
  findings: readonly Mismatch[],
  facts: OwedFacts,
): {
  readonly owed: readonly Owed[];
  readonly nothing: ReadonlyMap<string, NothingOwed>;
  /** What receipts brought of corrections. */
  readonly covered: readonly { readonly currency: string; readonly amount: Units }[];
} {
  const corrections = findings
    .filter(({ code, effect }) => effect !== null && isCorrection(code))
    .map((mismatch): CorrectedRow => ({ mismatch, open: -parseUnits(mismatch.effect!), covered: 0n }));
  balanceOrders(corrections);
  const byInvoice = invoicesOf(corrections, facts);
  for (const ofInvoice of byInvoice.values()) balanceHeaders(ofInvoice);

  const keys = new Set([...byInvoice.keys(), ...findings.flatMap((finding) => keyOf(finding) ?? [])]);
  const left = new Map<string, { unpaid: Units; over: Units }>();
  for (const key of keys) left.set(key, coverByReceipts(key, byInvoice.get(key) ?? [], facts));

  const owed: Owed[] = [];
  const nothing = new Map<string, NothingOwed>();
  for (const one of corrections) {
    if (one.open !== 0n) owed.push(correctionOwed(one));
    else nothing.set(one.mismatch.id, one.covered !== 0n ? 'covered' : 'balanced');
  }
  const speaking = speakersOf(findings);
  for (const mismatch of findings) {
    const { code, id, effect } = mismatch;
    const key = keyOf(mismatch);
    if (UNPAID.includes(code) && key !== null) {
      const unpaid = left.get(key)!.unpaid;
      if (speaking.get(key) !== id) nothing.set(id, 'same-money');
      else if (unpaid <= 0n) nothing.set(id, 'covered');
      else owed.push(unpaidOwed(mismatch, unpaid, facts));
    } else if (code === OVERPAID && key !== null) {
      const { over } = left.get(key)!;
      if (over <= 0n)
        nothing.set(id, facts.writtenOff(mismatch.invoice_number!, mismatch.currency!) > 0n ? 'covered' : 'balanced');
      else owed.push(overOwed(mismatch, over, facts));
    } else if (effect === null) owed.push({ ...QUESTION, mismatch });
  }
  const covered = corrections.map(({ mismatch, covered: amount }) => ({ currency: mismatch.currency!, amount }));
  return { owed, nothing, covered };
}

const QUESTION = {
  section: 'confirm',
  due: null,
  received: null,
  claimed: 0n,
  charged: null,
  agreed: null,
  possible: [],
} as const;

/** The invoice and currency that a finding is about; null where it names none. */
function keyOf({ invoice_number, currency }: Mismatch): string | null {
  return invoice_number === null || currency === null ? null : `${invoice_number} ${currency}`;
}

/** The corrections by invoice and currency: those about an order on several invoices by each of them. */
function invoicesOf(corrections: readonly CorrectedRow[], facts: OwedFacts): Map<string, CorrectedRow[]> {
  const byInvoice = new Map<string, CorrectedRow[]>();
  for (const one of corrections) {
    const { invoice_number, order_id, currency } = one.mismatch;
    const numbers =
      invoice_number !== null ? [invoice_number] : order_id === null ? [] : [...facts.invoicesOf(order_id)].reverse();
    for (const number of numbers) {
      const key = `${number} ${currency}`;
      byInvoice.set(key, [...(byInvoice.get(key) ?? []), one]);
    }
  }
  return byInvoice;
}

/** An order's COD, or its fee: row beside record, record beside what it was, and beside what was asked for or agreed. */
function balanceOrders(corrections: readonly CorrectedRow[]): void {
  const chains = new Map<string, CorrectedRow[]>();
  for (const one of corrections) {
    const { order_id, currency, field } = one.mismatch;
    if (order_id === null || field === null || !ORDER_FIELDS.includes(field)) continue;
    const key = JSON.stringify([order_id, currency, field]);
    chains.set(key, [...(chains.get(key) ?? []), one]);
  }
  for (const chain of chains.values()) balance(chain, chain);
}

/** An invoice's header beside its arithmetic and beside its rows: what one misses, another may hold. */
function balanceHeaders(own: readonly CorrectedRow[]): void {
  const isHeader = ({ mismatch }: CorrectedRow) => HEADERS.includes(mismatch.code);
  const headers = own.filter(isHeader);
  balance(headers, headers);
  balance(
    headers,
    own.filter((one) => !isHeader(one)),
  );
}

/** Takes off each other what points both ways. */
function balance(some: readonly CorrectedRow[], others: readonly CorrectedRow[]): void {
  for (const one of some) {
    for (const other of others) {
      if (one.open === 0n || other.open === 0n || one.open > 0n === other.open > 0n) continue;
      const size = least(abs(one.open), abs(other.open));
      one.open -= withSign(size, one.open);
      other.open -= withSign(size, other.open);
    }
  }
}

/** Takes off an invoice's corrections what its receipts show. @returns what is then still to be paid of its net, and what came beyond it */
function coverByReceipts(
  key: string,
  own: readonly CorrectedRow[],
  { settled, writtenOff }: OwedFacts,
): { unpaid: Units; over: Units } {
  const [number, currency] = key.split(' ');
  const invoice = settled(Number(number), currency!);
  let unpaid = invoice && invoice.outstanding > 0n ? invoice.outstanding : 0n;
  // An invoice whose net is negative asks for money back: nothing came in beyond it before something came in.
  const beyond = invoice ? -invoice.outstanding - writtenOff(invoice.number, invoice.currency) : 0n;
  let over = invoice && invoice.received > 0n ? least(invoice.received, beyond) : 0n;
  for (const one of own) {
    if (one.open > 0n && over > 0n) {
      const size = least(one.open, over);
      one.open -= size;
      one.covered += size;
      over -= size;
    } else if (one.open < 0n && unpaid > 0n && invoice!.by === 'receipts' && invoice!.received !== 0n) {
      const size = least(-one.open, unpaid);
      one.open += size;
      unpaid -= size;
    }
  }
  return { unpaid, over };
}

/** The finding that speaks for what is unpaid of each invoice and currency. */
function speakersOf(findings: readonly Mismatch[]): Map<string, string> {
  const speaking = new Map<string, string>();
  for (const code of UNPAID) {
    for (const finding of findings) {
      const key = finding.code === code ? keyOf(finding) : null;
      if (key !== null && !speaking.has(key)) speaking.set(key, finding.id);
    }
  }
  return speaking;
}

function correctionOwed({ mismatch, open, covered }: CorrectedRow): Owed {
  const { code, expected, actual, unit } = mismatch;
  const line = { mismatch, charged: null, agreed: null, possible: [] };
  const figures =
    FEES.includes(code) && unit === 'money' && expected !== null && actual !== null
      ? { charged: parseUnits(actual), agreed: parseUnits(expected) }
      : null;
  const isWhole = figures !== null && figures.charged - figures.agreed === open + (open > 0n ? covered : 0n);
  const said = { ...line, ...(isWhole ? figures : {}) };
  return open > 0n
    ? { ...said, section: 'owed-to-us', due: open + covered, received: covered, claimed: open }
    : { ...said, section: 'owed-by-us', due: 0n, received: -open, claimed: -open };
}

function unpaidOwed(mismatch: Mismatch, unpaid: Units, { settled, possible, includePossible }: OwedFacts): Owed {
  const { invoice_number, currency } = mismatch;
  const { received } = settled(invoice_number!, currency)!;
  const may = possible(invoice_number!, currency!);
  const isSure = may.length === 0 || includePossible;
  return {
    mismatch,
    section: isSure ? 'owed-to-us' : 'confirm',
    due: received + unpaid,
    received,
    claimed: isSure ? unpaid : 0n,
    charged: null,
    agreed: null,
    possible: may,
  };
}

function overOwed(mismatch: Mismatch, over: Units, { settled }: OwedFacts): Owed {
  const { received } = settled(mismatch.invoice_number!, mismatch.currency)!;
  return { ...QUESTION, mismatch, section: 'owed-by-us', due: received - over, received, claimed: over };
}

const abs = (units: Units) => (units < 0n ? -units : units);
const least = (a: Units, b: Units) => (a < b ? a : b);
const withSign = (size: Units, like: Units) => (like < 0n ? -size : size);

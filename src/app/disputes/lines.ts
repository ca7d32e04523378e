import type { ClaimLine } from '../../../reports/claim.ts';
import { CHECKS } from '../../checks/index.ts';
import {
  type Claim,
  type LedgerReader,
  type Mismatch,
  readInvoiceDates,
  readOrderDates,
} from '../../ledger/read/index.ts';

/** What is asked of the courier about the findings of a check, by its code: those of other checks are for the merchant alone. */
export const GROUNDS: ReadonlyMap<string, string> = new Map(
  CHECKS.flatMap(({ code, claim }) => (claim === undefined ? [] : [[code, claim] as const])),
);

/** Puts findings into words for the courier, with the dates of the documents that they rest on. */
export async function claimLines(
  db: LedgerReader,
  mismatches: readonly Mismatch[],
  before: ReadonlyMap<string, Claim>,
): Promise<ClaimLine[]> {
  const invoices = await readInvoiceDates(db, distinct(mismatches.map(({ invoice_number }) => invoice_number)));
  const orders = await readOrderDates(db, distinct(mismatches.map(({ order_id }) => order_id)));
  return mismatches.map((mismatch): ClaimLine => {
    const { id, code, invoice_number, order_id, reference_id, currency, effect } = mismatch;
    const invoice = invoice_number === null ? undefined : invoices.get(invoice_number);
    const order = order_id === null ? undefined : orders.get(order_id);
    const isOnSeveral = invoice_number === null && order !== undefined && order.invoices.length > 0;
    const ground = GROUNDS.get(code)!;
    return {
      id,
      invoice_number,
      order_id,
      reference_id,
      ground: isOnSeveral ? `${ground.replace(/\.$/, '')}: ${order.invoices.join(', ')}.` : ground,
      currency,
      ...figuresOf(mismatch),
      effect,
      invoice_issued_on: dayOf(invoice?.issued_at),
      invoice_received_on: dayOf(invoice?.received_at),
      delivered_on: dayOf(order?.delivered_at),
      order_received_on: dayOf(order?.received_at),
      claimed_on: dayOf(before.get(id)?.at),
    };
  });
}

/** Both figures. Where a finding is about a whole row or invoice and has none, its money is: what is credited, and what is due. */
function figuresOf({
  field,
  expected,
  actual,
  unit,
  effect,
}: Mismatch): Pick<ClaimLine, 'field' | 'expected' | 'actual' | 'unit'> {
  if (expected !== null || actual !== null || effect === null) return { field, expected, actual, unit };
  const amount = effect.replace('-', '');
  const isShort = effect.startsWith('-');
  return { field: 'net', expected: isShort ? amount : '0.00', actual: isShort ? '0.00' : amount, unit: 'money' };
}

function dayOf(instant: string | null | undefined): string | null {
  return instant?.slice(0, 10) ?? null;
}

function distinct<T>(values: readonly (T | null)[]): T[] {
  return [...new Set(values.filter((value) => value !== null))];
}

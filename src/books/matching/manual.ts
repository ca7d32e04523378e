import { UsageError } from '../../errors.ts';
import { amountOfUnits, formatMoney, type Units } from '../../money/index.ts';
import { compareText } from '../day.ts';
import type { Invoice, InvoiceShare, Match, Receipt } from './model.ts';

/** What a person may call the rest of a match that does not tally. */
export const DIFFERENCE_KINDS = ['bank-charge', 'rounding', 'other'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface ManualRequest {
  readonly receipts: readonly Receipt[];
  readonly invoices: readonly Invoice[];
  /** What the rest is, where the two sides differ. */
  readonly difference?: { readonly kind: DifferenceKind; readonly note: string | null };
}

/** A match that a person made. */
export interface ManualMatch extends Match {
  readonly rule: 'manual';
  readonly differenceKind: DifferenceKind | null;
  readonly note: string | null;
  /** The difference as it lies on each invoice: no longer asked for, so that neither short nor over is left. */
  readonly named: readonly InvoiceShare[];
}

/**
 * Makes the match that a person asks for: what is left of some receipts, for what some invoices still ask for. The two
 * tally, or the person names what the rest is.
 *
 * @throws UsageError when they are of several currencies, hold nothing, stand twice, or differ without a reason
 */
export function validateManualMatch(request: ManualRequest): ManualMatch {
  const { receipts, difference } = request;
  const invoices = [...request.invoices].sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
  const currency = onlyCurrency(request);
  refuseRepeated(receipts.map(({ id }) => `receipt ${id}`));
  refuseRepeated(invoices.map(({ number }) => `invoice ${number}`));
  for (const { id, left } of receipts) {
    if (left !== 0n) continue;
    throw new UsageError(
      `receipt ${id} is matched already, to the last digit`,
      'Leave it out, or take its match away first with `remit match remove`.',
    );
  }
  const paid = receipts.reduce((sum, { left }) => sum + left, 0n);
  const due = invoices.reduce((sum, invoice) => sum + outstandingOf(invoice), 0n);
  refuseUnnamed(paid, due, currency, difference);
  const shares = shareOut(invoices, paid);
  return {
    rule: 'manual',
    currency,
    receipts: receipts.map(({ id, left }) => ({ id, amount: left })),
    invoices: shares,
    due,
    difference: paid - due,
    evidence: difference?.note ?? 'matched by hand',
    differenceKind: difference?.kind ?? null,
    note: difference?.note ?? null,
    named: invoices
      .map((invoice, at) => ({ number: invoice.number, amount: outstandingOf(invoice) - shares[at]!.amount }))
      .filter(({ amount }) => amount !== 0n),
  };
}

/** What an invoice still asks for: net less what was matched and what a person named. */
export function outstandingOf({ net, matched, named }: Pick<Invoice, 'net' | 'matched' | 'named'>): Units {
  return net - matched - (named ?? 0n);
}

/** The oldest invoice first, each what it asks for; the last takes what is left, be it less or more. */
function shareOut(invoices: readonly Invoice[], paid: Units): InvoiceShare[] {
  let rest = paid;
  return invoices.map((invoice, at) => {
    const asked = outstandingOf(invoice);
    const last = at === invoices.length - 1;
    const amount = last || (asked > 0n && asked > rest && rest >= 0n) ? rest : asked;
    rest -= amount;
    return { number: invoice.number, amount };
  });
}

function onlyCurrency({ receipts, invoices }: ManualRequest): string {
  if (receipts.length === 0 || invoices.length === 0) {
    throw new UsageError(
      'a match needs a receipt and an invoice',
      'Name one receipt and at least one invoice: `remit match add 41 10009`.',
    );
  }
  const currencies = [...new Set([...receipts, ...invoices].map(({ currency }) => currency))];
  if (currencies.length > 1) {
    throw new UsageError(
      `${currencies.sort(compareText).join(' and ')} cannot be matched with each other`,
      'Match the receipts and invoices of each currency on their own.',
    );
  }
  return currencies[0]!;
}

function refuseRepeated(names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new UsageError(`${repeated} is named twice`, 'Name it once.');
}

function refuseUnnamed(paid: Units, due: Units, currency: string, difference: ManualRequest['difference']): void {
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  if (paid === due) {
    if (!difference) return;
    throw new UsageError(
      `the receipts and the invoices both come to ${say(paid)}: there is no difference to name`,
      'Leave --difference out.',
    );
  }
  if (!difference) {
    throw new UsageError(
      `the receipts come to ${say(paid)} and the invoices ask for ${say(due)}, ${say(paid - due)} apart`,
      `Name the right ones, or say what the rest is with --difference ${DIFFERENCE_KINDS.join('|')}.`,
    );
  }
  if (difference.kind === 'other' && !difference.note?.trim()) {
    throw new UsageError(
      `the difference of ${say(paid - due)} is called "other" without a word why`,
      'Say what it is with --note.',
    );
  }
}

import { type MatchOutcome, matchReceipts, type Remittance, remittanceOf } from '../books/matching/index.ts';
import { amountOfUnits, parseUnits } from '../money/index.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { amounts, finding } from './finding.ts';
import { type InvoiceBooks, type MatchBooks, readMatchBooks } from './receipts/match-books.ts';
import { readSettlements, type Settlements } from './receipts/settlements.ts';

/** One currency of an invoice, and what came of its money. */
export interface Remitted {
  readonly invoice: InvoiceBooks;
  readonly remittance: Remittance;
}

function matchBooks({ db, settings, memo }: CheckContext): Promise<MatchBooks> {
  return memo.once('match-books', () => readMatchBooks(db, settings));
}

/** Both sides of the matching, and what the rules still have to say. */
export function receiptBooks(context: CheckContext): Promise<MatchBooks & { outcome: MatchOutcome }> {
  return context.memo.once('receipt-books', async () => {
    const books = await matchBooks(context);
    return { ...books, outcome: matchReceipts(books.input) };
  });
}

/** What came of the money of all invoices. */
export function settlements(context: CheckContext): Promise<Settlements> {
  const { db, settings, memo } = context;
  return memo.once('settlements', async () => readSettlements(db, settings, await matchBooks(context)));
}

/** What came of the money of these months' invoices, by number and currency. */
function remittances(context: CheckContext): Promise<readonly Remitted[]> {
  return context.memo.once('remittances', async () => {
    const { invoices } = await receiptBooks(context);
    const { remittanceLagDays: lagDays, remittanceTolerance } = context.settings;
    const options = {
      lagDays,
      tolerance: parseUnits(remittanceTolerance),
      today: context.now.toISOString().slice(0, 10),
    };
    const months = new Set(context.periods);
    return invoices
      .filter(({ period }) => months.has(period))
      .map((invoice) => {
        const { issued_at, status, net, vanished_at, matched, named, matches } = invoice;
        const input = { date: issued_at.slice(0, 10), net: vanished_at === null ? net : 0n, matched, named, matches };
        return { invoice, remittance: remittanceOf({ ...input, paid: status === 'PAID' }, options) };
      });
  });
}

/** The findings of one outcome: what was to come in beside what did. Money outside the month's invoices. */
export async function remittanceFindings(
  context: CheckContext,
  outcome: Remittance['outcome'],
  say: (remitted: Remitted) => string,
): ReturnType<Check['find']> {
  const all = await remittances(context);
  const findings = all
    .filter(({ remittance }) => remittance.outcome === outcome)
    .map((remitted): Finding => {
      const { invoice, remittance } = remitted;
      const { number, period, currency } = invoice;
      return finding({
        period,
        invoice_number: number,
        currency,
        field: 'net_due_to_merchant',
        ...amounts(dueOf(remitted), amountOfUnits(remittance.received)),
        effect: amountOfUnits(remittance.effect),
        message: say(remitted),
      });
    });
  return { findings, compared: all.length, notComparable: [] };
}

/** What was to come in: the net, less differences that a person named; nothing for an invoice that vanished. */
export function dueOf({ remittance }: Remitted) {
  return amountOfUnits(remittance.outstanding + remittance.received);
}

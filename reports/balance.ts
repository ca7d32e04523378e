import type { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { type BalanceItem, restatedSince } from '../src/matching/balance.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';
import { eachField } from '../src/money/fields.ts';
import { amountOfUnits, type Units } from '../src/money/units.ts';

/**
 * The figures that move a month's balance, in the order of its lines. One that reduces it is negative: opening 20.00,
 * invoiced 100.00 and received -80.00 make a closing of 40.00.
 */
export const BALANCE_FLOWS = ['invoiced', 'restated', 'received', 'marked_paid', 'differences'] as const;
/**
 * What happened since the month's end to what was open then. What came in or was settled is positive: of a closing of
 * 40.00, 30.00 received and 4.00 settled since leave 6.00 open today. What was restated is added.
 */
export const BALANCE_SINCE = ['receivedSince', 'settledSince', 'restatedSince'] as const;
const BALANCE_FIGURES = ['opening', ...BALANCE_FLOWS, 'closing', ...BALANCE_SINCE, 'openToday'] as const;

/** A month's balance in one currency. `openToday`: what is open today of its invoices and receipts up to its end. */
export interface BalanceBlock extends Readonly<Record<(typeof BALANCE_FIGURES)[number], ExactDecimal>> {
  readonly currency: string;
}

/**
 * A month's balance, one block per currency. `received`: all that came in from the courier, matched or not;
 * `marked_paid`: paid by the courier's Paid flag alone; `restated`: with the invoices that vanished or came back.
 */
export async function readBalanceBlocks(book: BalanceBook, month: string): Promise<BalanceBlock[]> {
  const items = await book.openItems(month);
  return (await book.rollForward([month])).map((balance) => {
    const { currency } = balance;
    const inCurrency = items.filter((item) => item.currency === currency);
    const sum = (unitsOf: (item: BalanceItem) => Units) =>
      inCurrency.reduce((total, item) => total + unitsOf(item), 0n);
    return {
      currency,
      opening: amountOfUnits(balance.opening),
      invoiced: amountOfUnits(balance.invoiced),
      restated: amountOfUnits(balance.restated + balance.vanished),
      received: amountOfUnits(balance.received + balance.unallocated),
      marked_paid: amountOfUnits(balance.already_paid + balance.seen_paid),
      differences: amountOfUnits(balance.differences),
      closing: amountOfUnits(balance.closing),
      receivedSince: amountOfUnits(sum((item) => item.receivedSince)),
      settledSince: amountOfUnits(sum((item) => item.settledSince)),
      restatedSince: amountOfUnits(sum(restatedSince)),
      openToday: amountOfUnits(sum((item) => item.openToday)),
    };
  });
}

/** The block of a currency in which nothing was owed and nothing moved. */
export function noBalanceBlock(currency: string): BalanceBlock {
  return { currency, ...eachField(BALANCE_FIGURES, () => amountOfUnits(0n)) };
}

import type { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { amountOfUnits, type ExactDecimal, type Units } from '../src/money/index.ts';

/** What moves the balance of a month, in the order of its lines: with the opening these figures come to the closing. */
export const BALANCE_FLOWS = ['invoiced', 'restated', 'received', 'marked_paid', 'differences'] as const;
export type BalanceFlow = (typeof BALANCE_FLOWS)[number];

/** A month's balance in one currency, as pages show it: what reduces it is negative. */
export interface BalanceBlock extends Readonly<Record<BalanceFlow | 'opening' | 'closing', ExactDecimal>> {
  readonly currency: string;
  /** Of the items that are open at the month's end: what was received of them since, and what is open of them by all that is known. */
  readonly receivedSince: ExactDecimal;
  readonly openToday: ExactDecimal;
}

/**
 * A month's balance, a currency each. `received` is all that came in from the courier, whatever it pays; `marked_paid` goes by the Paid
 * flag; `restated` holds what vanished and came back too.
 */
export async function readBalanceBlocks(book: BalanceBook, month: string): Promise<BalanceBlock[]> {
  const items = await book.openItems(month);
  return (await book.rollForward([month])).map((balance) => {
    const { currency } = balance;
    const own = items.filter((item) => item.currency === currency);
    const sum = (of: (item: (typeof own)[number]) => Units) => own.reduce((total, item) => total + of(item), 0n);
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
      openToday: amountOfUnits(sum((item) => item.openToday)),
    };
  });
}

/** The block of a currency in which nothing was owed and nothing moved. */
export function noBalanceBlock(currency: string): BalanceBlock {
  const zero = amountOfUnits(0n);
  const flows = Object.fromEntries(BALANCE_FLOWS.map((flow) => [flow, zero])) as Record<BalanceFlow, ExactDecimal>;
  return { currency, opening: zero, ...flows, closing: zero, receivedSince: zero, openToday: zero };
}

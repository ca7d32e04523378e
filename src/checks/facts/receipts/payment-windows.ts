import { addDays } from '../../../base/day.ts';
import { readStatements } from '../../../ledger/queries/receipts/statements.ts';
import { type Gap, settledBy, touches } from '../../../matching/index.ts';
import type { CheckContext } from '../../check.ts';
import { readDaysHeld } from './days-held.ts';
import type { InvoiceBooks, MatchBooks } from './match-books.ts';

/** Of which days receipts are held that can show that the courier did not pay. */
export interface PaymentWindows {
  /** The currencies in which any receipt, or statement of an account, was ever imported and is in force. */
  readonly currencies: ReadonlySet<string>;
  /**
   * Whether receipts were imported for every day of an invoice's payment window, in its currency, of one account or more into which the
   * courier pays.
   */
  isHeld(invoice: Window): boolean;
  /** The first gap between statements of such an account that the window touches. */
  gapIn(invoice: Window): Gap | undefined;
}

type Window = Pick<InvoiceBooks, 'issued_on' | 'currency'>;

/** Reads the windows. An account is one into which the courier pays when it ever paid into it, or when the settings say so. */
export async function readPaymentWindows(
  { db, settings }: Pick<CheckContext, 'db' | 'settings'>,
  books: Pick<MatchBooks, 'receipts' | 'theirs'>,
): Promise<PaymentWindows> {
  const currencies = new Set((await readStatements(db)).map(({ currency }) => currency));
  const { days, gaps } = await readDaysHeld(db, settings.receipts, books);
  const { remittanceLagDays: lag } = settings;
  return {
    currencies,
    isHeld: ({ issued_on, currency }) =>
      settledBy({ date: issued_on, paying: 0 }, days.get(currency) ?? [], lag) === 'receipts',
    gapIn: ({ issued_on, currency }) =>
      gaps.find((gap) => gap.currency === currency && touches(gap, { from: issued_on, to: addDays(issued_on, lag) })),
  };
}

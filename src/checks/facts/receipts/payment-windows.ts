import { readStatementDays } from '../../../ledger/queries/receipts/receipts.ts';
import { settledBy } from '../../../matching/index.ts';
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
  isHeld(invoice: Pick<InvoiceBooks, 'issued_on' | 'currency'>): boolean;
}

/** Reads the windows. An account is one into which the courier pays when it ever paid into it, or when the settings say so. */
export async function readPaymentWindows(
  { db, settings }: Pick<CheckContext, 'db' | 'settings'>,
  books: Pick<MatchBooks, 'receipts' | 'theirs'>,
): Promise<PaymentWindows> {
  const currencies = new Set((await readStatementDays(db)).map(({ currency }) => currency));
  const held = await readDaysHeld(db, settings.receipts, books);
  return {
    currencies,
    isHeld: ({ issued_on, currency }) => {
      const window = { date: issued_on, paying: 0 };
      return settledBy(window, held.get(currency) ?? [], settings.remittanceLagDays) === 'receipts';
    },
  };
}

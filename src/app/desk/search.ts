import { findAmount } from '../../ledger/queries/amounts-equal.ts';
import { usingSnapshot } from '../../ledger/queries/index.ts';
import { isPlainDecimal, parseUnits } from '../../money/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { thingsNamed } from '../show/find.ts';

/** Something that a search found, and how: by its name, or by an amount that it holds. */
export interface FoundLine {
  readonly kind: 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'close';
  readonly id: string;
  readonly by: 'name' | 'amount';
  readonly field: string | null;
  readonly currency: string | null;
}

const MOST = 50;
const LONGEST = 200;

/** What an invoice number, order id, reference, mismatch id, month or amount names, whatever its kind. */
export function searchBooks(books: Books, typed: string): Promise<FoundLine[]> {
  const text = typed.trim().slice(0, LONGEST);
  if (text === '') return Promise.resolve([]);
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const named = (await thingsNamed(db, text)).map(
        (thing): FoundLine => ({ ...thing, by: 'name', field: null, currency: null }),
      );
      const amount = text.replaceAll(',', '');
      const isAmount = isPlainDecimal(amount) && /^[+-]?\d{1,14}(\.\d{1,4})?$/.test(amount);
      const holding = isAmount ? await findAmount(db, parseUnits(amount), MOST) : [];
      return [...named, ...holding.map((one): FoundLine => ({ ...one, by: 'amount' }))];
    }),
  );
}

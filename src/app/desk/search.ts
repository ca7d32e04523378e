import { numberText } from '../../base/number-texts.ts';
import { findAmount } from '../../ledger/queries/amounts-equal.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { isPlainDecimal } from '../../money/decimal.ts';
import { parseUnits } from '../../money/units.ts';
import type { Books } from '../books.ts';
import { eachCourier } from '../each-courier.ts';
import { thingsNamed } from '../show/find.ts';

/** Something that a search found, and how: by its name, or by an amount that it holds. */
export interface FoundLine extends FoundOfOne {
  /** Whose it is; null for what is of the whole books. */
  readonly courier: string | null;
}

interface FoundOfOne {
  readonly kind: 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'close';
  readonly id: string;
  readonly by: 'name' | 'amount';
  readonly field: string | null;
  readonly currency: string | null;
}

const OF_ALL: ReadonlySet<FoundLine['kind']> = new Set(['receipt', 'close']);
const MOST = 50;
const LONGEST = 200;

/** What an invoice number, order id, reference, mismatch id, month or amount names, whatever its kind. */
export async function searchBooks(books: Books, typed: string): Promise<FoundLine[]> {
  const text = typed.trim().slice(0, LONGEST);
  if (text === '') return [];
  const found = await eachCourier(books, { readOnly: true, anyZone: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const named = (await thingsNamed(db, text)).map(
        (thing): FoundOfOne => ({ ...thing, by: 'name', field: null, currency: null }),
      );
      const amount = text.replaceAll(',', '');
      const isAmount = isPlainDecimal(amount) && /^[+-]?\d{1,14}(\.\d{1,4})?$/.test(amount);
      const holding = isAmount ? await findAmount(db, parseUnits(amount), MOST) : [];
      const texts = await readNumberTexts(db);
      const nameOf = ({ kind, id }: (typeof holding)[number]) =>
        kind === 'invoice' ? numberText(Number(id), texts) : id;
      return [...named, ...holding.map((one): FoundOfOne => ({ ...one, id: nameOf(one), by: 'amount' }))];
    }),
  );
  const lines = found.flatMap(({ courier, value }) =>
    value.map((one): FoundLine => ({ courier: OF_ALL.has(one.kind) ? null : courier, ...one })),
  );
  // What is of the whole books is found with each courier.
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
}

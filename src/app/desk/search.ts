import { numberText } from '../../base/number-texts.ts';
import { readMonths } from '../../checks/facts/months.ts';
import { findAmount } from '../../ledger/queries/amounts.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { findReceiptsSaying } from '../../ledger/queries/receipts/receipts.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { isPlainDecimal } from '../../money/decimal.ts';
import { parseUnits } from '../../money/units.ts';
import { LANGUAGE_CODES, languageOf } from '../../words/index.ts';
import type { Books } from '../books.ts';
import { eachCourier } from '../each-courier.ts';
import { thingsNamed } from '../show/find.ts';

/** Something that a search found, and how: by its name, an amount that it holds, or what a bank says of it. */
export interface FoundLine extends FoundOfOne {
  /** Whose it is; null for what is of the whole books. */
  readonly courier: string | null;
}

interface FoundOfOne {
  readonly kind: 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'close' | 'month';
  readonly id: string;
  readonly by: 'name' | 'amount' | 'text';
  readonly field: string | null;
  readonly currency: string | null;
}

const OF_ALL: ReadonlySet<FoundLine['kind']> = new Set(['receipt', 'close', 'month']);
const MOST = 50;
const LONGEST = 200;
/** A shorter text is in too many; a short number names things and is an amount, and is no text. */
const SHORTEST_TEXT = 3;
const NUMBER = /^[\d.,+-]{1,7}$/;

/** What an invoice number, order id, reference, mismatch id, month (in any language), amount, payer or day names, whatever its kind. */
export async function searchBooks(books: Books, typed: string): Promise<FoundLine[]> {
  // A database of a team takes no text with a NUL in it.
  const text = typed.replaceAll('\0', '').trim().slice(0, LONGEST);
  if (text === '') return [];
  const languages = await Promise.all(LANGUAGE_CODES.map(languageOf));
  const bears = (month: string) =>
    [month, ...languages.map((language) => language.month(month).toLowerCase())].some((name) =>
      name.startsWith(text.toLowerCase()),
    );
  const found = await eachCourier(books, { readOnly: true, anyZone: true }, (ledger, { config }) =>
    usingSnapshot(ledger, async (db) => {
      const months = text.length < SHORTEST_TEXT ? [] : (await readMonths(db, config)).filter(bears);
      const named = (await thingsNamed(db, text)).map(
        (thing): FoundOfOne => ({ ...thing, by: 'name', field: null, currency: null }),
      );
      const amount = text.replaceAll(',', '');
      const isAmount = isPlainDecimal(amount) && /^[+-]?\d{1,14}(\.\d{1,4})?$/.test(amount);
      const holding = isAmount ? await findAmount(db, parseUnits(amount), MOST) : [];
      const texts = await readNumberTexts(db);
      const nameOf = ({ kind, id }: (typeof holding)[number]) =>
        kind === 'invoice' ? numberText(Number(id), texts) : id;
      const saying = text.length < SHORTEST_TEXT || NUMBER.test(text) ? [] : await findReceiptsSaying(db, text, MOST);
      const said = saying.map(
        (id): FoundOfOne => ({ kind: 'receipt', id: String(id), by: 'text', field: null, currency: null }),
      );
      const inMonths = months.map((id): FoundOfOne => ({ kind: 'month', id, by: 'name', field: null, currency: null }));
      return [
        ...inMonths,
        ...named,
        ...said,
        ...holding.map((one): FoundOfOne => ({ ...one, id: nameOf(one), by: 'amount' })),
      ];
    }),
  );
  const lines = found.flatMap(({ courier, value }) =>
    value.map((one): FoundLine => ({ courier: OF_ALL.has(one.kind) ? null : courier, ...one })),
  );
  // What is of the whole books is found with each courier.
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
}

import { numberText } from '../../base/number-texts.ts';
import { readMonths } from '../../checks/facts/months.ts';
import { findAmount } from '../../ledger/queries/amounts.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { findReceiptsSaying } from '../../ledger/queries/receipts/receipts.ts';
import { parseUnits } from '../../money/units.ts';
import { LANGUAGE_CODES, languageOf } from '../../words/index.ts';
import type { Books } from '../books.ts';
import { readEachCourier } from '../each-courier.ts';
import { thingsNamed } from '../show/find.ts';

/** Something that a search found, and how: by its name, by an amount in it, or by the bank's text. */
export interface FoundLine {
  /** The courier that it belongs to; null for what belongs to the whole books. */
  readonly courier: string | null;
  readonly kind: 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'close' | 'month';
  readonly id: string;
  readonly by: 'name' | 'amount' | 'text';
  /** The field and currency of the amount that was found; null for what was found by its name or a text. */
  readonly field: string | null;
  readonly currency: string | null;
}

type FoundThing = Omit<FoundLine, 'courier'>;

/** What belongs to the whole books, whichever courier finds it. */
const KINDS_OF_ALL: ReadonlySet<FoundLine['kind']> = new Set(['receipt', 'close', 'month']);
const MOST_FOUND = 50;
const LONGEST_TEXT = 200;
/** Shorter texts are in too many receipts; a short number (`12.50`) is searched as a name and amount, not as text. */
const SHORTEST_TEXT = 3;
const SHORT_NUMBER = /^[\d.,+-]{1,7}$/;

/**
 * Finds whatever an invoice number, order id, reference, mismatch id, month in any language, amount, payer or day
 * names.
 */
export async function searchBooks(books: Books, typed: string): Promise<FoundLine[]> {
  // PostgreSQL takes no text with a NUL in it.
  const text = typed.replaceAll('\0', '').trim().slice(0, LONGEST_TEXT);
  if (text === '') return [];
  const languages = await Promise.all(LANGUAGE_CODES.map(languageOf));
  const isCalled = (month: string) =>
    [month, ...languages.map((language) => language.month(month).toLowerCase())].some((name) =>
      name.startsWith(text.toLowerCase()),
    );
  const found = await readEachCourier(books, { newSettings: 'unchecked' }, async (db, { config }) => {
    const months = text.length < SHORTEST_TEXT ? [] : (await readMonths(db, config)).filter(isCalled);
    const named = await thingsNamed(db, text);
    // `1,250.00`, of a size that the ledger can hold.
    const amount = text.replaceAll(',', '');
    const isAmount = /^-?\d{1,14}(\.\d{1,4})?$/.test(amount);
    const byAmount = isAmount ? await findAmount(db, parseUnits(amount), MOST_FOUND) : [];
    const texts = await readNumberTexts(db);
    const nameOf = ({ kind, id }: (typeof byAmount)[number]) =>
      kind === 'invoice' ? numberText(Number(id), texts) : id;
    const isSearchedAsText = text.length >= SHORTEST_TEXT && !SHORT_NUMBER.test(text);
    const receiptIds = isSearchedAsText ? await findReceiptsSaying(db, text, MOST_FOUND) : [];
    const noAmount = { field: null, currency: null };
    return [
      ...months.map((id): FoundThing => ({ kind: 'month', id, by: 'name', ...noAmount })),
      ...named.map((thing): FoundThing => ({ ...thing, by: 'name', ...noAmount })),
      ...receiptIds.map((id): FoundThing => ({ kind: 'receipt', id: String(id), by: 'text', ...noAmount })),
      ...byAmount.map((one): FoundThing => ({ ...one, id: nameOf(one), by: 'amount' })),
    ];
  });
  const lines = found.flatMap(({ courier, value }) =>
    value.map((one): FoundLine => ({ courier: KINDS_OF_ALL.has(one.kind) ? null : courier, ...one })),
  );
  // What belongs to the whole books is found with each courier: it is listed once.
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
}

import { UsageError } from '../base/errors.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { because as becauseOfBooks } from '../words/errors/books.ts';
import { because } from '../words/errors/showing.ts';
import type { Books } from './books.ts';
import { eachCourier } from './each-courier.ts';

/**
 * The integers of invoices as somebody names them: by their number, a payout of a settlement sheet by its own (`ES-902`).
 *
 * @throws UsageError for a word that names none, or payouts of several couriers
 */
export async function invoicesNamed(books: Books, words: readonly string[]): Promise<number[]> {
  if (words.every((word) => INTEGER.test(word))) return words.map(Number);
  const held = await eachCourier(books, { readOnly: true, anyZone: true }, ({ db }) => readNumberTexts(db));
  return words.map((word) => {
    const found = held.flatMap(({ courier, value }) =>
      [...value].flatMap(([number, text]) =>
        text.toLowerCase() === word.trim().toLowerCase() ? [{ courier, number }] : [],
      ),
    );
    if (found.length > 1) {
      const couriers = found.map(({ courier }) => courier);
      throw new UsageError(
        becauseOfBooks({ id: 'several-couriers-have', what: { kind: 'invoice', name: word }, couriers }),
      );
    }
    if (found.length === 1) return found[0]!.number;
    if (INTEGER.test(word)) return Number(word);
    throw new UsageError(because({ id: 'no-invoice', name: word, nearest: [] }));
  });
}

const INTEGER = /^[1-9]\d{0,14}$/;

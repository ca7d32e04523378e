import { nearestWords } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { isPlainNumber, numberNamed } from '../base/number-texts.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { because as becauseOfBooks } from '../words/errors/books.ts';
import { because } from '../words/errors/showing.ts';
import type { Books } from './books.ts';
import { eachCourier } from './each-courier.ts';

/** Invoices that somebody names, by the ledger's integers, and the books that hold them. */
export interface NamedInvoices {
  /** Narrowed to one courier if a payout is named by its own number (`ES-902`): another's may have the same integer. */
  readonly books: Books;
  readonly numbers: readonly number[];
}

/**
 * Finds the invoices that somebody names: by their number, or a payout of a settlement sheet by its own (`ES-902`).
 *
 * @throws UsageError for a word that names no invoice, or for payouts of several couriers
 */
export async function invoicesNamed(books: Books, words: readonly string[]): Promise<NamedInvoices> {
  if (words.every(isPlainNumber)) return { books, numbers: words.map(Number) };
  const perCourier = await eachCourier(books, { readOnly: true, newSettings: 'unchecked' }, async ({ db }) => {
    const texts = await readNumberTexts(db);
    // In the ledger an integer stands for a payout's own number (`ES-902`): it is not the number that was typed.
    const named = words.map((word) => {
      const number = numberNamed(word, texts);
      return { number, isPayout: number !== null && number !== Number(word) };
    });
    return { texts, named };
  });
  const unknown = words.find((_, index) => perCourier.every(({ value }) => value.named[index]!.number === null));
  if (unknown !== undefined) {
    const names = perCourier.flatMap(({ value }) => [...value.texts.values()]);
    throw new UsageError(because({ id: 'no-invoice', name: unknown, nearest: nearestWords(unknown, names) })).at(
      'invoices',
    );
  }
  // An integer may be any courier's invoice: the caller finds out whose. A payout's own number is one courier's.
  const isPayoutOf = ({ value }: (typeof perCourier)[number], index: number) => value.named[index]!.isPayout;
  const payoutIndexes = [...words.keys()].filter((index) => perCourier.some((courier) => isPayoutOf(courier, index)));
  if (payoutIndexes.length === 0) return { books, numbers: words.map(Number) };
  // The couriers of whom all of them are payouts.
  const [first, ...others] = perCourier.filter((courier) => payoutIndexes.every((index) => isPayoutOf(courier, index)));
  const what = { kind: 'invoice', name: words.join(', ') } as const;
  const namesOf = (couriers: typeof perCourier) => couriers.map(({ courier }) => courier);
  if (!first) throw new UsageError(becauseOfBooks({ id: 'no-courier-has', what, couriers: namesOf(perCourier) }));
  if (others.length > 0) {
    throw new UsageError(becauseOfBooks({ id: 'several-couriers-have', what, couriers: namesOf([first, ...others]) }));
  }
  return {
    books: { ...books, config: { ...books.config, courier: first.courier } },
    numbers: first.value.named.map(({ number }) => number!),
  };
}

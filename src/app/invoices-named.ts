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
  /** One courier's where a payout is named by its own number: another's may have the same integer. */
  readonly books: Books;
  readonly numbers: readonly number[];
}

/**
 * The invoices that somebody names: by their number, a payout of a settlement sheet by its own (`ES-902`).
 *
 * @throws UsageError for a word that names none, or payouts of several couriers
 */
export async function invoicesNamed(books: Books, words: readonly string[]): Promise<NamedInvoices> {
  if (words.every(isPlainNumber)) return { books, numbers: words.map(Number) };
  const held = await eachCourier(books, { readOnly: true, anyZone: true }, async ({ db }) => {
    const texts = await readNumberTexts(db);
    return { texts, numbers: words.map((word) => numberNamed(word, texts)) };
  });
  const unknown = words.find((_, at) => held.every(({ value }) => value.numbers[at] === null));
  if (unknown !== undefined) {
    const names = held.flatMap(({ value }) => [...value.texts.values()]);
    throw new UsageError(because({ id: 'no-invoice', name: unknown, nearest: nearestWords(unknown, names) })).at(
      'invoices',
    );
  }
  // An integer may be any courier's invoice: what is done with it asks whose.
  const isTheirs = ({ value: { texts, numbers } }: (typeof held)[number], at: number) =>
    numbers[at] !== null && numberNamed(words[at]!, texts) !== Number(words[at]);
  const own = words.flatMap((_, at) => (held.some((one) => isTheirs(one, at)) ? [at] : []));
  if (own.length === 0) return { books, numbers: words.map(Number) };
  const [first, ...others] = held.filter((one) => own.every((at) => isTheirs(one, at)));
  const what = { kind: 'invoice', name: words.join(', ') } as const;
  const couriersOf = (all: typeof held) => all.map(({ courier }) => courier);
  if (!first) throw new UsageError(becauseOfBooks({ id: 'no-courier-has', what, couriers: couriersOf(held) }));
  if (others.length > 0) {
    throw new UsageError(
      becauseOfBooks({ id: 'several-couriers-have', what, couriers: couriersOf([first, ...others]) }),
    );
  }
  return {
    books: { ...books, config: { ...books.config, courier: first.courier } },
    numbers: first.value.numbers.map((number) => number!),
  };
}

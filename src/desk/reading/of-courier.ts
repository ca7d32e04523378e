import type { Books } from '../../app/books.ts';

/** The books narrowed to the courier of that name; unchanged without a name. */
export function booksOfCourier(books: Books, name: string | null | undefined): Books {
  return name ? { ...books, config: { ...books.config, courier: name } } : books;
}

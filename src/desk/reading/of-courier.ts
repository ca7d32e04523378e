import type { Books } from '../../app/books.ts';

/** The books of one courier if a name is given, else of all. */
export function ofCourier(books: Books, name: string | null | undefined): Books {
  return name ? { ...books, config: { ...books.config, courier: name } } : books;
}

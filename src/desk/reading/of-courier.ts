import type { Books } from '../../app/books.ts';

/** The books as one courier's, where somebody asks for one; all couriers' otherwise. */
export function ofCourier(books: Books, name: string | null | undefined): Books {
  return name ? { ...books, config: { ...books.config, courier: name } } : books;
}

import type { Books } from '../../app/books.ts';

/** One courier's books where a name is given; else all couriers'. */
export function ofCourier(books: Books, name: string | null | undefined): Books {
  return name ? { ...books, config: { ...books.config, courier: name } } : books;
}

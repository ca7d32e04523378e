import type { Books } from '../../app/books.ts';
import { findToken } from '../../app/desk/tokens.ts';
import type { Who } from '../who.ts';

/** The program whose token an `Authorization` header bears; null for anything else. A token never comes in an address or a cookie. */
export async function programOf(books: Books, authorization: string): Promise<Who | null> {
  const [, secret] = /^Bearer ([\w-]{1,200})$/i.exec(authorization) ?? [];
  const token = secret === undefined ? null : await findToken(books, secret);
  return token && { kind: 'program', user: token.name, role: token.role };
}

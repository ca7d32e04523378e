import type { Books } from '../../app/books.ts';
import { findToken } from '../../app/desk/tokens.ts';
import type { Who } from '../who.ts';

/** The program whose token is in an `Authorization` header, the only place for one; null if it is not known. */
export async function programOf(books: Books, authorization: string): Promise<Who | null> {
  const [, secret] = /^Bearer ([\w-]{1,200})$/i.exec(authorization) ?? [];
  const token = secret === undefined ? null : await findToken(books, secret);
  return token && { kind: 'program', user: token.name, role: token.role };
}

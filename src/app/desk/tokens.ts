import { randomBytes } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { isSamePerson, mixedWord } from '../../base/names.ts';
import { cleanText } from '../../base/text.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, sha256, wholeLedger } from '../../ledger/index.ts';
import { readActors, readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { showingError } from '../../words/errors/showing.ts';
import { type Books, changeBooks, NO_FIGURES, readBooks } from '../books.ts';

type TokenRole = 'reader' | 'clerk';

/** A program's token as it is listed. The token itself is stored nowhere. */
interface ListedToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly made_at: string;
  readonly made_by: string;
  /** When it was revoked; null while it is in force. */
  readonly revoked_at: string | null;
}

interface StoredToken extends ListedToken {
  readonly sha256: string;
}

const MADE = 'token-made';
const REVOKED = 'token-revoked';

/** Every token, revoked ones too, in the order in which they were made. */
export async function listTokens(books: Books): Promise<ListedToken[]> {
  return (await readBooks(books, NO_FIGURES, readTokens)).map(({ sha256: _, ...token }) => token);
}

/**
 * Finds the token that a program sent; null if it is not in force. Hashes are compared, so that timing helps no guess.
 */
export async function findToken(books: Books, secret: string): Promise<ListedToken | null> {
  const hash = sha256(secret);
  const tokens = await readBooks(books, NO_FIGURES, readTokens);
  return tokens.find((token) => token.sha256 === hash && token.revoked_at === null) ?? null;
}

async function readTokens(db: LedgerReader): Promise<StoredToken[]> {
  const tokens: StoredToken[] = [];
  for (const { kind, subject: name, actor, at, data } of await readEvidenceOfKinds(db, [MADE, REVOKED])) {
    const inForce = tokens.findIndex((token) => token.name === name && token.revoked_at === null);
    if (kind === REVOKED) tokens[inForce] = { ...tokens[inForce]!, revoked_at: at };
    else tokens.push({ name, ...JSON.parse(data!), made_at: at, made_by: actor!, revoked_at: null });
  }
  return tokens;
}

interface NewToken extends Pick<ListedToken, 'name' | 'role'> {
  readonly by: string;
}

/**
 * Makes a token for a program. It is returned once; only its SHA-256 is stored.
 *
 * @throws UsageError for a bad name, a person's name, or the name of another token in force
 */
export function makeToken(books: Books, { name: nameTyped, role, by }: NewToken): Promise<{ readonly token: string }> {
  const name = nameTyped.trim();
  // Nobody shall take the name for remit's, or for another one: a word may not mix letters of two alphabets.
  if (name === '' || cleanText(name, 80) !== name || isSamePerson(name, 'remit') || mixedWord(name) !== undefined) {
    throw new UsageError(showingError({ id: 'no-program-name', name: nameTyped }));
  }
  const token = `remit_${randomBytes(32).toString('base64url')}`;
  return changeBooks(books, NO_FIGURES, async (trx) => {
    // Nobody else makes or revokes a token until this transaction ends.
    await holdHead(trx);
    const tokens = await readTokens(trx);
    if (tokens.some((one) => isSamePerson(one.name, name) && one.revoked_at === null)) {
      throw new UsageError(showingError({ id: 'token-taken', name }));
    }
    const { clerks, readers } = books.config.desk;
    const programs = new Set(tokens.map((one) => one.name));
    // Whoever is on record with a decision, and is no program.
    const decided = (await readActors(wholeLedger(trx))).filter((actor) => !programs.has(actor));
    if ([by, ...clerks, ...readers, ...decided].some((person) => isSamePerson(person, name))) {
      throw new UsageError(showingError({ id: 'token-of-person', name }));
    }
    const data = { role, sha256: sha256(token) };
    await appendEvidence(trx, { at: books.now(), kind: MADE, actor: by, subject: name, data });
    return { token };
  });
}

/** Revokes a token: from now on it lets nobody in. @throws UsageError where none of that name is in force */
export function revokeToken(books: Books, { name, by }: Pick<NewToken, 'name' | 'by'>): Promise<void> {
  return changeBooks(books, NO_FIGURES, async (trx) => {
    await holdHead(trx);
    if (!(await readTokens(trx)).some((one) => one.name === name && one.revoked_at === null)) {
      throw new UsageError(showingError({ id: 'no-token', name }));
    }
    await appendEvidence(trx, { at: books.now(), kind: REVOKED, actor: by, subject: name });
  });
}

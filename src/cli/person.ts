import { userInfo } from 'node:os';
import { UsageError } from '../base/errors.ts';
import { isSamePerson, mixedWord } from '../base/names.ts';
import { cleanText, quoted } from '../base/text.ts';
import type { Io } from './io.ts';

/** The most letters of a name. */
const LONGEST = 100;
/** The name that histories have for what remit did by itself. */
const REMIT = 'remit';

/** Who decides: the name that was typed with `--by`, or the system's user. @throws UsageError without a usable name */
export function personOf(io: Pick<Io, 'env'>, by: string | undefined): string {
  if (by === undefined) {
    const user = userOf(io);
    if (user === null) throw new UsageError('who decides is not known', 'Say it with --by NAME.');
    return user;
  }
  const name = by.trim();
  if (name === '' || name.length > LONGEST || cleanText(name) !== name) {
    throw new UsageError(`${quoted(by)} is no name of a person`, `Write one with --by, of at most ${LONGEST} letters.`);
  }
  const mixed = mixedWord(name);
  if (mixed !== undefined) {
    const remedy = 'Write the name in the letters of one alphabet with --by.';
    throw new UsageError(`${quoted(name)} mixes alphabets in ${quoted(mixed)}`, remedy);
  }
  if (isSamePerson(name, REMIT)) {
    throw new UsageError(`${quoted(by)} is the name for what remit does by itself`, 'Write another with --by.');
  }
  return name;
}

/** The system's user; null without a usable name. One who is called `remit` becomes `user remit`. */
export function userOf({ env }: Pick<Io, 'env'>): string | null {
  const user = (systemUser() || env.USER || env.USERNAME || '').trim();
  if (user === '') return null;
  return isSamePerson(user, REMIT) ? `user ${user}` : cleanText(user, LONGEST);
}

/** Some machines know no name for the user of a process. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

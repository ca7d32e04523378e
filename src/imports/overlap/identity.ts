import { plainText } from '../plain-text.ts';
import type { StatementFile, StatementLine } from './model.ts';

/** What identifies a line. */
export interface Identity {
  /** Account and bank id; null where the bank gives none, or one id to several lines of the file's account. */
  readonly id: string | null;
  readonly text: string;
  /** Account, date, amount and currency. */
  readonly group: string;
}

/** The identities of a file's lines, in its order. */
export function identitiesOf({ lines }: StatementFile): Identity[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const id = idOf(line);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return lines.map((line) => {
    const id = idOf(line);
    return { id: id !== null && counts.get(id) === 1 ? id : null, text: plainText(line.text), group: groupOf(line) };
  });
}

/** An account's name as it is compared; empty for none. */
export function accountKey(account: string | null): string {
  return (account ?? '').replace(/\s+/g, '').toUpperCase();
}

function idOf(line: StatementLine): string | null {
  const id = line.bankId?.trim();
  return id ? JSON.stringify([accountKey(line.account), id]) : null;
}

function groupOf(line: StatementLine): string {
  return JSON.stringify([accountKey(line.account), line.date, String(line.amount), line.currency]);
}

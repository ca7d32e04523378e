import { plainText } from '../plain-text.ts';
import type { StatementFile, StatementLine } from './model.ts';

export interface Identity {
  /** Its group and the bank's id; null where the bank gives none, or one id to several lines of the file's group. */
  readonly id: string | null;
  /** Account and the bank's id alone, by which remit 1.0 went; null as above, of the file's account. */
  readonly idAlone: string | null;
  readonly text: string;
  /** Account, date, amount and currency. */
  readonly group: string;
  /** What the account held after it, where the file says it. */
  readonly balance: string | null;
}

/** The identities of a file's lines, in its order. */
export function identitiesOf({ lines }: Pick<StatementFile, 'lines'>): Identity[] {
  const counts = new Map<string, number>();
  const each = lines.map((line) => ({ line, group: groupOf(line), alone: idOf(line) }));
  const idIn = (group: string, alone: string) => JSON.stringify([group, alone]);
  for (const { group, alone } of each) {
    if (alone === null) continue;
    for (const id of [alone, idIn(group, alone)]) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const single = (id: string) => (counts.get(id) === 1 ? id : null);
  return each.map(({ line, group, alone }) => ({
    id: alone === null ? null : single(idIn(group, alone)),
    idAlone: alone === null ? null : single(alone),
    text: plainText(line.text),
    group,
    balance: line.balance == null ? null : String(line.balance),
  }));
}

/** An account's name as it is compared; empty for none. */
export function accountKey(account: string | null): string {
  return (account ?? '').replace(/\s+/g, '').toUpperCase();
}

/** A line's account and the bank's id of it; null where there is none. */
export function idOf(line: StatementLine): string | null {
  const id = line.bankId?.trim();
  return id ? JSON.stringify([accountKey(line.account), id]) : null;
}

export function groupOf(line: StatementLine): string {
  return JSON.stringify([accountKey(line.account), line.date, String(line.amount), line.currency]);
}

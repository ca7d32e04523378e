import type { Units } from '../money/units.ts';
import { plainText } from './plain-text.ts';

export interface StatementLine {
  readonly account: string | null;
  /** The bank's own id of the line, where the file has one. */
  readonly bankId: string | null;
  readonly date: string;
  readonly amount: Units;
  readonly currency: string;
  readonly text: string;
  /** What the account held after it, where the file says it. */
  readonly balance?: Units | null;
}

/** A file's lines, all of them and in its order. */
export interface StatementFile {
  /** `csv`, `ofx`, `camt`: files of one format write a line's text the same way, others need not. */
  readonly format: string;
  /** It was taken by remit 1.0, to which a bank's id was a line's identity on any day and of any amount. */
  readonly idsAlone?: boolean;
  readonly lines: readonly StatementLine[];
}

/** An import that is in force, whole, with the row in which each of its lines is held. */
export interface HeldImport<I, R> {
  readonly id: I;
  readonly format: string;
  readonly idsAlone?: boolean;
  readonly lines: readonly (StatementLine & { readonly row: R })[];
}

/** Why a line is held already: the bank's id, the same words, or date, amount and currency alone. */
export type KnownBy = 'id' | 'text' | 'amount';

/** The place of one line of a new file among those that are held. */
export type PlannedLine<R> =
  | { readonly row: null; readonly by: 'new' }
  /** `isRenamed`: a file of the same format holds it under another id of the bank's. */
  | { readonly row: R; readonly by: KnownBy; readonly isRenamed: boolean };

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
function identitiesOf({ lines }: Pick<StatementFile, 'lines'>): Identity[] {
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
function idOf(line: StatementLine): string | null {
  const id = line.bankId?.trim();
  return id ? JSON.stringify([accountKey(line.account), id]) : null;
}

function groupOf(line: StatementLine): string {
  return JSON.stringify([accountKey(line.account), line.date, String(line.amount), line.currency]);
}

/** What an import of a statement file would do. */
export interface OverlapPlan<R> {
  /** One for each line of the file, in its order. */
  readonly lines: readonly PlannedLine<R>[];
  readonly added: number;
  /** How many lines are held already, by what showed it. */
  readonly known: { readonly id: number; readonly text: number; readonly amount: number };
  /** New lines, by their place in the file, whose id the bank gave to another movement before. */
  readonly usedAgain: readonly number[];
}

/**
 * Decides which lines of a new file are held already.
 *
 * @param held every import in force of the file's accounts, whole, in the order in which they came
 */
export function planOverlap<I, R>(held: readonly HeldImport<I, R>[], file: StatementFile): OverlapPlan<R> {
  const rows = new HeldRows<R | null>();
  for (const one of held) rows.hold(one, (at) => one.lines[at]!.row);
  const lines = rows
    .place(file, () => null)
    .map(({ key, by, isRenamed }): PlannedLine<R> => {
      return by === 'new' || key === null ? { row: null, by: 'new' } : { row: key, by, isRenamed };
    });
  const count = (by: PlannedLine<R>['by']) => lines.filter((line) => line.by === by).length;
  const movements = new Map<string, Set<string>>();
  for (const line of held.flatMap((one) => one.lines)) {
    const id = idOf(line);
    if (id !== null) movements.set(id, (movements.get(id) ?? new Set()).add(groupOf(line)));
  }
  const usedAgain = file.lines.flatMap((line, at) => {
    const groups = movements.get(idOf(line) ?? '');
    return lines[at]!.by === 'new' && groups && !groups.has(groupOf(line)) ? [at] : [];
  });
  const known = { id: count('id'), text: count('text'), amount: count('amount') };
  return { lines, added: count('new'), known, usedAgain };
}

/** What taking an import back would do. */
export interface UndoPlan<I, R> {
  /** The rows that no other import holds. */
  readonly removed: readonly R[];
  /** Lines of other imports that are held in another row from now on, because their own row is needed no more. */
  readonly moved: readonly { readonly id: I; readonly line: number; readonly from: R; readonly to: R }[];
}

/**
 * Decides which rows go when an import is undone: what is left is what the other imports alone would have brought. A row
 * that stays keeps its key.
 *
 * @param held every import in force of the accounts, whole, in the order in which they came, the one to undo among them
 * @param restored rows that count again because the import that replaced them is undone
 */
export function planUndo<I, R>(
  held: readonly HeldImport<I, R>[],
  undone: I,
  restored: ReadonlySet<R> = new Set(),
): UndoPlan<I, R> {
  const others = held.filter(({ id }) => id !== undone);
  const gone = held.filter(({ id }) => id === undone);
  const back = others.map((one) => ({ ...one, lines: one.lines.filter(({ row }) => restored.has(row)) }));
  const touched = new Set([...rowsByGroup(gone).keys(), ...rowsByGroup(back).keys()]);
  const groups = rowsByGroup(others);
  const rows = new HeldRows<R>();
  const used = new Set<R>();
  const needed = new Set<R>();
  const moved: UndoPlan<I, R>['moved'][number][] = [];
  for (const one of others) {
    const identities = identitiesOf(one);
    const placed = rows.place(one, (at, { group }) => {
      const own = one.lines[at]!.row;
      // Two lines shared this row and no longer do: the second takes another row of the same account, date, amount and currency.
      const key = used.has(own) ? (groups.get(group)?.find((row) => !used.has(row)) ?? own) : own;
      used.add(key);
      return key;
    });
    for (const [line, { key }] of placed.entries()) {
      const from = one.lines[line]!.row;
      // What has nothing to do with the undone import stays as it is recorded.
      const to = touched.has(identities[line]!.group) ? key : from;
      needed.add(to);
      if (from !== to) moved.push({ id: one.id, line, from, to });
    }
  }
  const candidates = new Set([
    ...gone.flatMap(({ lines }) => lines.map(({ row }) => row)),
    ...moved.map(({ from }) => from),
  ]);
  return { removed: [...candidates].filter((row) => !needed.has(row)), moved };
}

/** The rows of each account, date, amount and currency. */
function rowsByGroup<I, R>(held: readonly HeldImport<I, R>[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const one of held) {
    for (const [at, { group }] of identitiesOf(one).entries()) {
      const rows = groups.get(group) ?? [];
      const { row } = one.lines[at]!;
      if (!rows.includes(row)) rows.push(row);
      groups.set(group, rows);
    }
  }
  return groups;
}

/** A statement of a file: an account's days in one currency. */
export interface CoveredDays {
  readonly account: string | null;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/** What of a held line says whether a file covers it. */
interface CoverableLine {
  readonly id: number;
  readonly account: string | null;
  readonly currency: string;
  readonly date: string;
}

/**
 * The held lines of the days and accounts that a file covers, and that are none of its own: lines of an earlier export that the bank
 * has corrected, or of another account without a name.
 *
 * @param own the ids of the lines that the file holds
 */
export function heldButNotIn<L extends CoverableLine>(
  held: readonly L[],
  days: readonly CoveredDays[],
  own: ReadonlySet<number>,
): L[] {
  const covers = ({ account, currency, date }: L) =>
    days.some(
      (one) =>
        one.currency === currency &&
        accountKey(one.account) === accountKey(account) &&
        one.from <= date &&
        date <= one.to,
    );
  return held.filter((line) => !own.has(line.id) && covers(line));
}

/** A row as one format's files describe it. */
interface Look {
  /** The bank's ids of it: files may give it several. */
  readonly id: Set<string>;
  readonly idAlone: Set<string>;
  readonly text: string;
  readonly balance: string | null;
}

interface HeldRow<R> {
  readonly key: R;
  readonly group: string;
  readonly looks: Map<string, Look>;
}

export interface Placed<R> {
  readonly key: R;
  readonly by: KnownBy | 'new';
  readonly isRenamed: boolean;
}

/**
 * The rows that are held while files are laid over them.
 *
 * A line of a file takes a row that no other line of the file has: the row with its bank id; else, of its account,
 * date, amount and currency, a row that files of its format describe with its words, under its id or none, then under
 * another id; else a row that no file of its format describes yet. Where there is none it makes one. So a format has as many rows of a group as its files need
 * together, and the group as many as the format that needs most: whatever the order in which the files came.
 */
class HeldRows<R> {
  readonly #byGroup = new Map<string, HeldRow<R>[]>();
  readonly #byId = new Map<string, HeldRow<R>[]>();
  readonly #byKey = new Map<R, HeldRow<R>>();

  /**
   * Takes over rows as they are held.
   *
   * @param keyOf the row of a line, by its place in the file
   */
  hold(file: StatementFile, keyOf: (line: number) => R): void {
    for (const [at, identity] of identitiesOf(file).entries()) {
      const row = this.#byKey.get(keyOf(at));
      if (row) this.#describe(row, file.format, identity);
      else this.#make(file.format, identity, keyOf(at));
    }
  }

  /**
   * Lays a file over the rows.
   *
   * @param keyFor the key of a row that a line makes, by its place in the file
   * @returns the row of each line, in the file's order
   */
  place(file: StatementFile, keyFor: (line: number, identity: Identity) => R): Placed<R>[] {
    const identities = identitiesOf(file);
    const key = file.idsAlone ? 'idAlone' : 'id';
    const placed: (Placed<R> | undefined)[] = identities.map(() => undefined);
    const taken = new Set<HeldRow<R>>();
    const pass = (by: KnownBy, find: (identity: Identity) => HeldRow<R> | undefined, isRenamed = false) => {
      for (const [at, identity] of identities.entries()) {
        if (placed[at]) continue;
        const row = find(identity);
        if (!row) continue;
        placed[at] = { key: row.key, by, isRenamed };
        taken.add(row);
        this.#describe(row, file.format, identity);
      }
    };
    const free = (row: HeldRow<R>) => !taken.has(row);
    const lookOf = (row: HeldRow<R>) => row.looks.get(file.format);
    pass('id', ({ [key]: id }) =>
      this.#rowsOfId(id).find((row) => free(row) && id !== null && lookOf(row)?.[key].has(id)),
    );
    pass('id', ({ [key]: id }) => this.#rowsOfId(id).find((row) => free(row) && (lookOf(row)?.[key].size ?? 0) === 0));
    const sameWords = ({ [key]: id, text, group }: Identity) =>
      this.#rowsOfGroup(group).find((row) => {
        const look = lookOf(row);
        return free(row) && look?.text === text && (id === null || look[key].size === 0);
      });
    // Lines with an id first: one without can take any row of its words, one with an id only a row without.
    pass('text', (identity) => (identity[key] === null ? undefined : sameWords(identity)));
    pass('text', (identity) => (identity[key] === null ? sameWords(identity) : undefined));
    if (!file.idsAlone) {
      const renamed = ({ text, group, balance }: Identity) =>
        this.#rowsOfGroup(group).filter((row) => {
          const look = lookOf(row);
          return free(row) && look?.text === text && (look.balance ?? balance) === (balance ?? look.balance);
        });
      pass('text', (identity) => renamed(identity).find((row) => lookOf(row)?.balance === identity.balance), true);
      pass('text', (identity) => renamed(identity)[0], true);
    }
    const others = (group: string) => this.#rowsOfGroup(group).filter((row) => !row.looks.has(file.format));
    pass('text', ({ text, group }) =>
      others(group).find((row) => [...row.looks.values()].some((look) => look.text === text)),
    );
    pass('amount', ({ group }) => others(group)[0]);
    return identities.map((identity, at) => placed[at] ?? this.#make(file.format, identity, keyFor(at, identity)));
  }

  #make(format: string, identity: Identity, key: R): Placed<R> {
    const row: HeldRow<R> = { key, group: identity.group, looks: new Map() };
    this.#byKey.set(key, row);
    const group = this.#byGroup.get(identity.group);
    if (group) group.push(row);
    else this.#byGroup.set(identity.group, [row]);
    this.#describe(row, format, identity);
    return { key, by: 'new', isRenamed: false };
  }

  #describe(row: HeldRow<R>, format: string, { group, idAlone, text, balance, ...identity }: Identity): void {
    // Remit 1.0 took another movement for the row, because its id was the same.
    const id = row.group === group ? identity.id : null;
    const look = row.looks.get(format) ?? { id: new Set(), idAlone: new Set(), text, balance };
    row.looks.set(format, look);
    for (const [ids, one] of [
      [look.id, id],
      [look.idAlone, idAlone],
    ] as const) {
      if (one === null) continue;
      ids.add(one);
      const rows = this.#rowsOfId(one);
      if (!rows.includes(row)) this.#byId.set(one, [...rows, row]);
    }
  }

  #rowsOfGroup(group: string): readonly HeldRow<R>[] {
    return this.#byGroup.get(group) ?? [];
  }

  #rowsOfId(id: string | null): readonly HeldRow<R>[] {
    return id === null ? [] : (this.#byId.get(id) ?? []);
  }
}

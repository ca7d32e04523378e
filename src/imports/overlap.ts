import type { Units } from '../money/units.ts';
import { plainText } from './plain-text.ts';

/** A line of a bank's file, with all by which it is recognised in another export of the same days. */
export interface StatementLine {
  readonly account: string | null;
  /** The bank's id of the line; null if the file has none. */
  readonly bankId: string | null;
  readonly date: string;
  readonly amount: Units;
  readonly currency: string;
  readonly text: string;
  /** The account's balance after the line, if the file has it. */
  readonly balance?: Units | null;
}

/** A file's lines, all of them and in its order. */
export interface LinesOfFile {
  /** `csv`, `ofx`, `camt`: files of one format write a line's text the same way, those of two need not. */
  readonly format: string;
  /** Remit 1.0 imported the file, and recognised a line by the bank's id alone, whatever its day and amount. */
  readonly idsAlone?: boolean;
  readonly lines: readonly StatementLine[];
}

/** An import that was not undone. `I` is its evidence id, and `R` the id of the receipt (`row`) that holds a line. */
export interface HeldImport<I, R> {
  readonly id: I;
  readonly format: string;
  readonly idsAlone?: boolean;
  readonly lines: readonly (StatementLine & { readonly row: R })[];
}

/** How a receipt was recognised in a line: by the bank's id, the same words, or date, amount and currency alone. */
export type RecognisedBy = 'id' | 'text' | 'amount';

/** One line of a new file: it is new, or a receipt (`row`) holds it already. */
export type PlannedLine<R> =
  | { readonly row: null; readonly by: 'new' }
  /** `isRenamed`: a file of the same format has it under another bank id. */
  | { readonly row: R; readonly by: RecognisedBy; readonly isRenamed: boolean };

/** The parts of a line by which it is compared. The group is the same account, date, amount and currency. */
interface Identity {
  /** The group and the bank's id; null if the bank gives none, or one to several of the file's lines in the group. */
  readonly id: string | null;
  /** The account and the bank's id, as remit 1.0 compared; null if the bank gives none, or one to several lines. */
  readonly idAlone: string | null;
  readonly text: string;
  readonly group: string;
  readonly balance: string | null;
}

/** The identity of each line, in the file's order. */
function identitiesOf({ lines }: Pick<LinesOfFile, 'lines'>): Identity[] {
  const counts = new Map<string, number>();
  const keyed = lines.map((line) => ({ line, group: groupOf(line), idAlone: idOf(line) }));
  const idInGroup = (group: string, idAlone: string) => JSON.stringify([group, idAlone]);
  for (const { group, idAlone } of keyed) {
    if (idAlone === null) continue;
    for (const id of [idAlone, idInGroup(group, idAlone)]) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const ifUnique = (id: string) => (counts.get(id) === 1 ? id : null);
  return keyed.map(({ line, group, idAlone }) => ({
    id: idAlone === null ? null : ifUnique(idInGroup(group, idAlone)),
    idAlone: idAlone === null ? null : ifUnique(idAlone),
    text: plainText(line.text),
    group,
    balance: line.balance == null ? null : String(line.balance),
  }));
}

/** An account's number or name in the form that is compared; empty for none. */
export function accountKey(account: string | null): string {
  return (account ?? '').replace(/\s+/g, '').toUpperCase();
}

/** A line's account and bank id; null if it has no bank id. */
function idOf(line: StatementLine): string | null {
  const id = line.bankId?.trim();
  return id ? JSON.stringify([accountKey(line.account), id]) : null;
}

function groupOf(line: StatementLine): string {
  return JSON.stringify([accountKey(line.account), line.date, String(line.amount), line.currency]);
}

export interface OverlapPlan<R> {
  /** One per line of the file, in its order. */
  readonly lines: readonly PlannedLine<R>[];
  readonly added: number;
  /** How many lines a receipt holds already, by how they were recognised. */
  readonly known: { readonly id: number; readonly text: number; readonly amount: number };
  /** The places in the file of new lines whose id the bank gave to another movement before. */
  readonly usedAgain: readonly number[];
}

/**
 * Decides which lines of a new file receipts hold already: the exports of a bank overlap, and a movement counts once.
 *
 * @param held every import of the file's accounts that was not undone, in the order in which they came
 */
export function planOverlap<I, R>(held: readonly HeldImport<I, R>[], file: LinesOfFile): OverlapPlan<R> {
  // A row that a new line makes has no receipt yet: its key is null.
  const rows = new HeldRows<R | null>();
  for (const earlier of held) rows.hold(earlier, (place) => earlier.lines[place]!.row);
  const lines = rows
    .place(file, () => null)
    .map(({ key, by, isRenamed }): PlannedLine<R> => {
      return by === 'new' || key === null ? { row: null, by: 'new' } : { row: key, by, isRenamed };
    });
  const count = (by: PlannedLine<R>['by']) => lines.filter((line) => line.by === by).length;
  const movements = new Map<string, Set<string>>();
  for (const line of held.flatMap((earlier) => earlier.lines)) {
    const id = idOf(line);
    if (id !== null) movements.set(id, (movements.get(id) ?? new Set()).add(groupOf(line)));
  }
  const usedAgain = file.lines.flatMap((line, place) => {
    const groups = movements.get(idOf(line) ?? '');
    return lines[place]!.by === 'new' && groups && !groups.has(groupOf(line)) ? [place] : [];
  });
  const known = { id: count('id'), text: count('text'), amount: count('amount') };
  return { lines, added: count('new'), known, usedAgain };
}

export interface UndoPlan<I, R> {
  /** The receipts of which no other import has a line. */
  readonly removed: readonly R[];
  /** Lines of other imports that another receipt holds from now on, because theirs goes. */
  readonly moved: readonly { readonly id: I; readonly line: number; readonly from: R; readonly to: R }[];
}

/**
 * Decides which rows go when an import is undone: what is left is what the other imports alone would have brought, so
 * that their lines are placed again from the first file on. A row that stays keeps its key: if files A and B have one
 * line, and A is undone, B's line still has the receipt that A made.
 *
 * @param held every import of the accounts that is not undone yet, in the order in which they came
 * @param restored rows that count again because the import that replaced them is undone
 */
export function planUndo<I, R>(
  held: readonly HeldImport<I, R>[],
  undone: I,
  restored: ReadonlySet<R> = new Set(),
): UndoPlan<I, R> {
  const others = held.filter(({ id }) => id !== undone);
  const toUndo = held.filter(({ id }) => id === undone);
  const returning = others.map((other) => ({ ...other, lines: other.lines.filter(({ row }) => restored.has(row)) }));
  const touchedGroups = new Set([...rowsByGroup(toUndo).keys(), ...rowsByGroup(returning).keys()]);
  const groups = rowsByGroup(others);
  const rows = new HeldRows<R>();
  const used = new Set<R>();
  const needed = new Set<R>();
  const moved: UndoPlan<I, R>['moved'][number][] = [];
  for (const other of others) {
    const identities = identitiesOf(other);
    const placed = rows.place(other, (place, { group }) => {
      const heldIn = other.lines[place]!.row;
      // Two lines shared this row and no longer do: the second takes another row of the same account, date, amount and
      // currency.
      const key = used.has(heldIn) ? (groups.get(group)?.find((row) => !used.has(row)) ?? heldIn) : heldIn;
      used.add(key);
      return key;
    });
    for (const [line, { key }] of placed.entries()) {
      const from = other.lines[line]!.row;
      // What has nothing to do with the undone import stays as it is recorded.
      const to = touchedGroups.has(identities[line]!.group) ? key : from;
      needed.add(to);
      if (from !== to) moved.push({ id: other.id, line, from, to });
    }
  }
  const candidates = new Set([
    ...toUndo.flatMap(({ lines }) => lines.map(({ row }) => row)),
    ...moved.map(({ from }) => from),
  ]);
  return { removed: [...candidates].filter((row) => !needed.has(row)), moved };
}

/** The rows of each account, date, amount and currency. */
function rowsByGroup<I, R>(held: readonly HeldImport<I, R>[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const file of held) {
    for (const [place, { group }] of identitiesOf(file).entries()) {
      const rows = groups.get(group) ?? [];
      const { row } = file.lines[place]!;
      if (!rows.includes(row)) rows.push(row);
      groups.set(group, rows);
    }
  }
  return groups;
}

/** The days of an account in one currency that a file's statement covers, `from` and `to` included. */
export interface CoveredDays {
  readonly account: string | null;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/** A receipt, with what decides if a file covers it. */
interface CoverableLine {
  readonly id: number;
  readonly account: string | null;
  readonly currency: string;
  readonly date: string;
}

/**
 * The receipts that a file covers by account and day but has no line of: the bank corrected an earlier export, or they
 * are of another account without a name.
 *
 * @param inFile the ids of the receipts of which the file has a line
 */
export function heldButNotIn<L extends CoverableLine>(
  held: readonly L[],
  days: readonly CoveredDays[],
  inFile: ReadonlySet<number>,
): L[] {
  const covers = ({ account, currency, date }: L) =>
    days.some(
      (statement) =>
        statement.currency === currency &&
        accountKey(statement.account) === accountKey(account) &&
        statement.from <= date &&
        date <= statement.to,
    );
  return held.filter((line) => !inFile.has(line.id) && covers(line));
}

/** A row as the files of one format describe it. */
interface Description {
  /** The ids that the bank gave it: two files may have two. */
  readonly id: Set<string>;
  readonly idAlone: Set<string>;
  readonly text: string;
  readonly balance: string | null;
}

interface HeldRow<R> {
  readonly key: R;
  readonly group: string;
  readonly descriptions: Map<string, Description>;
}

/** The row of one line. */
interface Placed<R> {
  readonly key: R;
  readonly by: RecognisedBy | 'new';
  readonly isRenamed: boolean;
}

/**
 * The rows of the receipts, while files are laid over them: a row is one movement, its key the receipt. Each line of a
 * file takes a row that no other of its lines has:
 * 1. the row with the line's bank id;
 * 2. in the line's group (account, date, amount, currency), a row that files of the same format describe with the same
 *    words, first with the same id or none, then with another;
 * 3. in the group, a row that no file of the same format describes yet; if there is none, a new one.
 *
 * So a group has as many rows as the format that needs most, in whatever order the files came.
 */
class HeldRows<R> {
  readonly #byGroup = new Map<string, HeldRow<R>[]>();
  readonly #byId = new Map<string, HeldRow<R>[]>();
  readonly #byKey = new Map<R, HeldRow<R>>();

  /**
   * Takes over the rows of an earlier import.
   *
   * @param keyOf the key of a line's row, by the line's place in the file
   */
  hold(file: LinesOfFile, keyOf: (line: number) => R): void {
    for (const [at, identity] of identitiesOf(file).entries()) {
      const row = this.#byKey.get(keyOf(at));
      if (row) this.#describe(row, file.format, identity);
      else this.#make(file.format, identity, keyOf(at));
    }
  }

  /**
   * Lays a file over the rows.
   *
   * @param keyFor the key of the row that a new line makes, by the line's place in the file
   * @returns the row of each line, in the file's order
   */
  place(file: LinesOfFile, keyFor: (line: number, identity: Identity) => R): Placed<R>[] {
    const identities = identitiesOf(file);
    const idField = file.idsAlone ? 'idAlone' : 'id';
    const placed: (Placed<R> | undefined)[] = identities.map(() => undefined);
    const takenRows = new Set<HeldRow<R>>();
    /** Gives each line that has no row yet the one that `find` names. */
    const pass = (
      by: RecognisedBy,
      find: (identity: Identity) => HeldRow<R> | undefined,
      { isRenamed } = { isRenamed: false },
    ) => {
      for (const [at, identity] of identities.entries()) {
        if (placed[at]) continue;
        const row = find(identity);
        if (!row) continue;
        placed[at] = { key: row.key, by, isRenamed };
        takenRows.add(row);
        this.#describe(row, file.format, identity);
      }
    };
    const isFree = (row: HeldRow<R>) => !takenRows.has(row);
    const descriptionOf = (row: HeldRow<R>) => row.descriptions.get(file.format);
    // 1. By id: a row that has it from files of this format, or one that has it from others and none from these.
    pass('id', ({ [idField]: id }) =>
      this.#rowsOfId(id).find((row) => isFree(row) && id !== null && descriptionOf(row)?.[idField].has(id)),
    );
    pass('id', ({ [idField]: id }) =>
      this.#rowsOfId(id).find((row) => isFree(row) && (descriptionOf(row)?.[idField].size ?? 0) === 0),
    );
    const withSameWords = ({ [idField]: id, text, group }: Identity) =>
      this.#rowsOfGroup(group).find((row) => {
        const description = descriptionOf(row);
        return isFree(row) && description?.text === text && (id === null || description[idField].size === 0);
      });
    // 2. By words. Lines with an id first: they can take only a row without one, lines without an id any row.
    pass('text', (identity) => (identity[idField] === null ? undefined : withSameWords(identity)));
    pass('text', (identity) => (identity[idField] === null ? withSameWords(identity) : undefined));
    // Then under another id, if the balances do not differ: first where both state the same, or neither states one.
    if (!file.idsAlone) {
      const renamed = ({ text, group, balance }: Identity) =>
        this.#rowsOfGroup(group).filter((row) => {
          const description = descriptionOf(row);
          if (!isFree(row) || description?.text !== text) return false;
          const isBalanceKnown = description.balance !== null && balance !== null;
          return !isBalanceKnown || description.balance === balance;
        });
      pass('text', (identity) => renamed(identity).find((row) => descriptionOf(row)?.balance === identity.balance), {
        isRenamed: true,
      });
      pass('text', (identity) => renamed(identity)[0], { isRenamed: true });
    }
    // 3. Rows that no file of this format has yet: first those with the same words.
    const undescribed = (group: string) => this.#rowsOfGroup(group).filter((row) => !row.descriptions.has(file.format));
    pass('text', ({ text, group }) =>
      undescribed(group).find((row) => [...row.descriptions.values()].some((description) => description.text === text)),
    );
    pass('amount', ({ group }) => undescribed(group)[0]);
    return identities.map((identity, at) => placed[at] ?? this.#make(file.format, identity, keyFor(at, identity)));
  }

  #make(format: string, identity: Identity, key: R): Placed<R> {
    const row: HeldRow<R> = { key, group: identity.group, descriptions: new Map() };
    this.#byKey.set(key, row);
    const group = this.#byGroup.get(identity.group);
    if (group) group.push(row);
    else this.#byGroup.set(identity.group, [row]);
    this.#describe(row, format, identity);
    return { key, by: 'new', isRenamed: false };
  }

  #describe(row: HeldRow<R>, format: string, { group, idAlone, text, balance, ...identity }: Identity): void {
    // Else remit 1.0 took another movement for the row, because its id was the same: the row's group has no such id.
    const id = row.group === group ? identity.id : null;
    const description = row.descriptions.get(format) ?? { id: new Set(), idAlone: new Set(), text, balance };
    row.descriptions.set(format, description);
    for (const [ids, added] of [
      [description.id, id],
      [description.idAlone, idAlone],
    ] as const) {
      if (added === null) continue;
      ids.add(added);
      const rows = this.#rowsOfId(added);
      if (!rows.includes(row)) this.#byId.set(added, [...rows, row]);
    }
  }

  #rowsOfGroup(group: string): readonly HeldRow<R>[] {
    return this.#byGroup.get(group) ?? [];
  }

  #rowsOfId(id: string | null): readonly HeldRow<R>[] {
    return id === null ? [] : (this.#byId.get(id) ?? []);
  }
}

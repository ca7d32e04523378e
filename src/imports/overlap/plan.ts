import { HeldRows } from './held-rows.ts';
import { accountKey, groupOf, identitiesOf, idOf } from './identity.ts';
import type { HeldImport, PlannedLine, StatementFile } from './model.ts';

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

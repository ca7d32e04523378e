/*
 * Which lines of a bank's file does the ledger hold already? The exports of a bank overlap, and a movement of money
 * counts once. A movement is held by one receipt. Files are laid over the movements in the order in which they came,
 * and a movement keeps how the files of each format describe it: bank id, words, balance. A line's group is its
 * account, date, amount and currency. Each line takes a movement that no other line of its file has taken, in passes
 * over all lines, the surest first:
 * 1. By id: the movement of its group with its bank id, first where files of the same format gave that id, then where
 *    only files of other formats did and those of this format gave none. (`idsAlone`: of any group.)
 * 2. By words: a movement of its group that files of the same format describe with the same words. Lines with an id go
 *    first and take only a movement without one; lines without an id take any. Then lines with an id take a movement
 *    under another id (`isRenamed`: the bank gave a new one), unless the balances after the two lines differ.
 * 3. By amount: a movement of its group that no file of the same format has yet, first one with the same words.
 * 4. A line that has found none is a new movement.
 *
 * So a group has as many movements as the format that needs most, in whatever order the files came: two payments of
 * 50.00 in a CSV file and three in an OFX file of the same day are three movements.
 */

import { groupBy } from '../base/group.ts';
import type { Units } from '../money/units.ts';
import { plainText } from './formats/text-forms.ts';

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

/** An import that was not undone. `I` is its evidence id, `R` the id of the receipt that holds a line. */
export interface HeldImport<I, R> extends LinesOfFile {
  readonly id: I;
  readonly lines: readonly (StatementLine & { readonly receipt: R })[];
}

/** How a receipt was recognised in a line: by the bank's id, the same words, or date, amount and currency alone. */
export type RecognisedBy = 'id' | 'text' | 'amount';

/** One line of a new file: it is new, or a receipt holds it already. */
export type PlannedLine<R> =
  | { readonly receipt: null; readonly by: 'new' }
  /** `isRenamed`: a file of the same format has it under another bank id. */
  | { readonly receipt: R; readonly by: RecognisedBy; readonly isRenamed: boolean };

/** The parts of a line by which it is compared, as texts. */
interface Identity {
  /** The group and the bank's id; null if the bank gives none, or one to several of the file's lines in the group. */
  readonly id: string | null;
  /** The account and the bank's id, as remit 1.0 compared; null if the bank gives none, or one to several lines. */
  readonly idAlone: string | null;
  readonly text: string;
  /** Account, date, amount and currency. */
  readonly group: string;
  readonly balance: string | null;
}

/** The identity of each line, in the file's order. */
function identitiesOf({ lines }: LinesOfFile): Identity[] {
  const keyed = lines.map((line) => {
    const [group, idAlone] = [groupOf(line), idOf(line)];
    return { line, group, idAlone, id: idAlone === null ? null : JSON.stringify([group, idAlone]) };
  });
  const counts = new Map<string | null, number>();
  const ids = keyed.flatMap(({ id, idAlone }) => [id, idAlone]);
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ifUnique = (id: string | null) => (counts.get(id) === 1 ? id : null);
  return keyed.map(({ line, group, id, idAlone }) => ({
    id: ifUnique(id),
    idAlone: ifUnique(idAlone),
    text: plainText(line.text),
    group,
    balance: line.balance == null ? null : String(line.balance),
  }));
}

/** An account's number or name in the form that is compared; empty for none. */
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

/**
 * Decides which lines of a new file receipts hold already.
 *
 * @param held every import of the file's accounts that was not undone, in the order in which they came
 * @returns `lines`: one per line of the file, in its order; `added` of them are new, and of the others `known` has how
 *   many were recognised by what; `usedAgain`: the places in the file, from 0, of new lines whose id the bank gave to
 *   another movement before
 */
export function planOverlap<I, R>(held: readonly HeldImport<I, R>[], file: LinesOfFile) {
  // A new movement has no receipt yet: null.
  const movements = new HeldMovements<R | null>();
  for (const earlier of held) movements.hold(earlier, (place) => earlier.lines[place]!.receipt);
  const laid = movements.layOver(file, () => null);
  const lines = laid.map(({ receipt, by, isRenamed }): PlannedLine<R> => {
    return by === 'new' || receipt === null ? { receipt: null, by: 'new' } : { receipt, by, isRenamed };
  });
  const count = (by: PlannedLine<R>['by']) => lines.filter((line) => line.by === by).length;
  // The bank used an id again if earlier lines have it, but none in the group of the new line.
  const groupsOfId = new Map<string, Set<string>>();
  for (const line of held.flatMap((earlier) => earlier.lines)) {
    const id = idOf(line);
    if (id !== null) groupsOfId.set(id, (groupsOfId.get(id) ?? new Set()).add(groupOf(line)));
  }
  const usedAgain = file.lines.flatMap((line, place) => {
    const groups = groupsOfId.get(idOf(line) ?? '');
    return lines[place]!.by === 'new' && groups && !groups.has(groupOf(line)) ? [place] : [];
  });
  const known = { id: count('id'), text: count('text'), amount: count('amount') };
  return { lines, added: count('new'), known, usedAgain };
}

/**
 * Decides which receipts go when an import is undone: what is left is what the other imports alone would have brought,
 * so they are laid over no movements at all, from the first file on. A receipt that stays keeps its id: if files A and
 * B have one line, and A is undone, B's line still has the receipt that A made.
 *
 * @param held every import of the accounts that is not undone yet, in the order in which they came
 * @param restored receipts that count again because the import that replaced them is undone
 * @returns `removed`: the receipts of which no other import has a line; `moved`: lines of other imports (`line` is the
 *   place in the import, from 0) that the receipt `to` holds from now on, because theirs (`from`) goes
 */
export function planUndo<I, R>(held: readonly HeldImport<I, R>[], undone: I, restored: ReadonlySet<R> = new Set()) {
  const others = held.filter(({ id }) => id !== undone);
  const otherLines = others.flatMap(({ lines }) => lines);
  const undoneLines = held.filter(({ id }) => id === undone).flatMap(({ lines }) => lines);
  const returningLines = otherLines.filter(({ receipt }) => restored.has(receipt));
  const touchedGroups = new Set([...undoneLines, ...returningLines].map(groupOf));
  const linesOfGroup = groupBy(otherLines, groupOf);
  const movements = new HeldMovements<R>();
  /** The receipts that a movement has already. */
  const given = new Set<R>();
  /** The receipts that hold a line of another import from now on. */
  const staying = new Set<R>();
  const moved: { id: I; line: number; from: R; to: R }[] = [];
  for (const other of others) {
    const laid = movements.layOver(other, (place) => {
      const line = other.lines[place]!;
      const inGroup = linesOfGroup.get(groupOf(line)) ?? [];
      // Two lines shared this receipt and no longer do: the second takes another receipt of its group.
      const free = given.has(line.receipt) ? inGroup.find(({ receipt }) => !given.has(receipt)) : undefined;
      const { receipt } = free ?? line;
      given.add(receipt);
      return receipt;
    });
    for (const [place, line] of other.lines.entries()) {
      const from = line.receipt;
      // What has nothing to do with the undone import stays as it is recorded.
      const to = touchedGroups.has(groupOf(line)) ? laid[place]!.receipt : from;
      staying.add(to);
      if (from !== to) moved.push({ id: other.id, line: place, from, to });
    }
  }
  const candidates = new Set([...undoneLines.map(({ receipt }) => receipt), ...moved.map(({ from }) => from)]);
  return { removed: [...candidates].filter((receipt) => !staying.has(receipt)), moved };
}

/** The days of an account in one currency that a file's statement covers, `from` and `to` included. */
export interface CoveredDays extends Pick<StatementLine, 'account' | 'currency'> {
  readonly from: string;
  readonly to: string;
}

/** A receipt, with what decides if a file covers it. */
interface CoverableLine extends Pick<StatementLine, 'account' | 'currency' | 'date'> {
  readonly id: number;
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

/** A movement as the files of one format describe it. */
interface Description {
  /** The ids that the bank gave it, in the two forms of {@link Identity}: two files may have two. */
  readonly id: Set<string>;
  readonly idAlone: Set<string>;
  readonly text: string;
  readonly balance: string | null;
}

interface Movement<R> {
  readonly receipt: R;
  readonly group: string;
  /** By format. */
  readonly descriptions: Map<string, Description>;
}

/** A line of a file that was laid over the movements: the receipt of its movement, and how that was recognised. */
type LaidLine<R> = { readonly receipt: R; readonly by: RecognisedBy | 'new'; readonly isRenamed: boolean };

/** The movements that receipts hold, while files are laid over them: see the head of this file. */
class HeldMovements<R> {
  readonly #byGroup = new Map<string, Movement<R>[]>();
  readonly #byId = new Map<string, Movement<R>[]>();
  readonly #byReceipt = new Map<R, Movement<R>>();

  /**
   * Takes over the movements of an earlier import, whose receipts are recorded.
   *
   * @param receiptOf the receipt of a line, by the line's place in the file
   */
  hold(file: LinesOfFile, receiptOf: (place: number) => R): void {
    for (const [place, identity] of identitiesOf(file).entries()) {
      const movement = this.#byReceipt.get(receiptOf(place));
      if (movement) this.#describe(movement, file.format, identity);
      else this.#add(file.format, identity, receiptOf(place));
    }
  }

  /**
   * Lays a file over the movements: each of its lines takes one, or is a new one.
   *
   * @param receiptFor the receipt of the movement that a new line makes, by the line's place in the file
   * @returns the receipt of each line, in the file's order
   */
  layOver(file: LinesOfFile, receiptFor: (place: number) => R): LaidLine<R>[] {
    const lines = identitiesOf(file);
    const idField = file.idsAlone ? 'idAlone' : 'id';
    /** By the line's place in the file; undefined while the line has no movement. */
    const laid: (LaidLine<R> | undefined)[] = lines.map(() => undefined);
    const taken = new Set<Movement<R>>();
    /** Gives each line that has no movement yet the one that `find` names. */
    const pass = (by: RecognisedBy, find: (line: Identity) => Movement<R> | undefined, isRenamed = false) => {
      for (const [place, line] of lines.entries()) {
        if (laid[place]) continue;
        const movement = find(line);
        if (!movement) continue;
        laid[place] = { receipt: movement.receipt, by, isRenamed };
        taken.add(movement);
        this.#describe(movement, file.format, line);
      }
    };
    const isFree = (movement: Movement<R>) => !taken.has(movement);
    // As files of this format describe the movement; undefined while none has it.
    const descriptionOf = (movement: Movement<R>) => movement.descriptions.get(file.format);
    const hasNoId = (movement: Movement<R>) => (descriptionOf(movement)?.[idField].size ?? 0) === 0;
    const hasWordsOf = (line: Identity, movement: Movement<R>) => descriptionOf(movement)?.text === line.text;
    // 1. By id: a movement that has it from files of this format, or one that has it from others and none from these.
    pass('id', ({ [idField]: id }) =>
      this.#ofId(id).find((movement) => isFree(movement) && id !== null && descriptionOf(movement)?.[idField].has(id)),
    );
    pass('id', ({ [idField]: id }) => this.#ofId(id).find((movement) => isFree(movement) && hasNoId(movement)));
    // 2. By words. Lines with an id first: they can take only a movement without one, lines without an id any.
    const withSameWords = (line: Identity) =>
      this.#ofGroup(line.group).filter((movement) => isFree(movement) && hasWordsOf(line, movement));
    pass('text', (line) => (line[idField] === null ? undefined : withSameWords(line).find(hasNoId)));
    pass('text', (line) => (line[idField] === null ? withSameWords(line)[0] : undefined));
    // Then under another id, if the balances do not differ: first where both state the same, or neither states one.
    if (!file.idsAlone) {
      const balanceOf = (movement: Movement<R>) => descriptionOf(movement)?.balance ?? null;
      const mayBeRenamed = ({ balance }: Identity, movement: Movement<R>) =>
        balance === null || balanceOf(movement) === null || balanceOf(movement) === balance;
      const underOtherId = (line: Identity) => withSameWords(line).filter((movement) => mayBeRenamed(line, movement));
      const isRenamed = true;
      pass('text', (line) => underOtherId(line).find((movement) => balanceOf(movement) === line.balance), isRenamed);
      pass('text', (line) => underOtherId(line)[0], isRenamed);
    }
    // 3. Movements that no file of this format has yet, so none that a line has just taken: first by the words of
    // another format, then by account, date, amount and currency alone.
    const undescribed = (group: string) => this.#ofGroup(group).filter((movement) => !descriptionOf(movement));
    pass('text', ({ text, group }) =>
      undescribed(group).find(({ descriptions }) => [...descriptions.values()].some((other) => other.text === text)),
    );
    pass('amount', ({ group }) => undescribed(group)[0]);
    // 4. The rest are new.
    return lines.map((line, place) => laid[place] ?? this.#add(file.format, line, receiptFor(place)));
  }

  #add(format: string, identity: Identity, receipt: R): LaidLine<R> {
    const movement: Movement<R> = { receipt, group: identity.group, descriptions: new Map() };
    this.#byReceipt.set(receipt, movement);
    const group = this.#byGroup.get(identity.group);
    if (group) group.push(movement);
    else this.#byGroup.set(identity.group, [movement]);
    this.#describe(movement, format, identity);
    return { receipt, by: 'new', isRenamed: false };
  }

  /** Keeps how a line of a format describes a movement: the words and balance of its first line, the ids of all. */
  #describe(movement: Movement<R>, format: string, line: Identity): void {
    const { idAlone, text, balance } = line;
    // A line of another group: remit 1.0 took it for this movement, because the bank's id was the same. Its `id` names
    // that other group, so it is not kept.
    const id = movement.group === line.group ? line.id : null;
    const description = movement.descriptions.get(format) ?? { id: new Set(), idAlone: new Set(), text, balance };
    movement.descriptions.set(format, description);
    for (const [ids, added] of [
      [description.id, id],
      [description.idAlone, idAlone],
    ] as const) {
      if (added === null) continue;
      ids.add(added);
      const movements = this.#ofId(added);
      if (!movements.includes(movement)) this.#byId.set(added, [...movements, movement]);
    }
  }

  #ofGroup(group: string): readonly Movement<R>[] {
    return this.#byGroup.get(group) ?? [];
  }

  /** None for null: the line has no id that counts. */
  #ofId(id: string | null): readonly Movement<R>[] {
    return id === null ? [] : (this.#byId.get(id) ?? []);
  }
}

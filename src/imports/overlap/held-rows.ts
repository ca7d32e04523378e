import { type Identity, identitiesOf } from './identity.ts';
import type { KnownBy, StatementFile } from './model.ts';

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
export class HeldRows<R> {
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

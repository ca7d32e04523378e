import type { Identity } from './identity.ts';
import { identitiesOf } from './identity.ts';
import type { KnownBy, StatementFile } from './model.ts';

/** A row as one format's files describe it. */
interface Look {
  id: string | null;
  readonly text: string;
}

interface HeldRow<R> {
  readonly key: R;
  readonly group: string;
  readonly looks: Map<string, Look>;
}

/** What a line was placed on. */
export interface Placed<R> {
  readonly key: R;
  readonly by: KnownBy | 'new';
  readonly differs: boolean;
}

/**
 * The rows that are held while files are laid over them.
 *
 * A line of a file takes a row that no other line of the file has: the row with its bank id; else, of its account,
 * date, amount and currency, a row that files of its format describe with its words; else a row that no file of its
 * format describes yet. Where there is none it makes one. So a format has as many rows of a group as its files need
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
    const placed: (Placed<R> | undefined)[] = identities.map(() => undefined);
    const taken = new Set<HeldRow<R>>();
    const pass = (by: KnownBy, find: (identity: Identity) => HeldRow<R> | undefined) => {
      for (const [at, identity] of identities.entries()) {
        if (placed[at]) continue;
        const row = find(identity);
        if (!row) continue;
        placed[at] = { key: row.key, by, differs: row.group !== identity.group };
        taken.add(row);
        this.#describe(row, file.format, identity);
      }
    };
    const free = (row: HeldRow<R>) => !taken.has(row);
    pass('id', ({ id }) => this.#rowsOfId(id).find((row) => free(row) && row.looks.get(file.format)?.id === id));
    pass('id', ({ id }) => this.#rowsOfId(id).find((row) => free(row) && accepts(row, file.format, id)));
    const sameWords = ({ id, text, group }: Identity) =>
      this.#rowsOfGroup(group).find((row) => {
        const look = row.looks.get(file.format);
        return free(row) && look?.text === text && (id === null || look.id === null);
      });
    // Lines with an id first: one without can take any row of its words, one with an id only a row without.
    pass('text', (identity) => (identity.id === null ? undefined : sameWords(identity)));
    pass('text', (identity) => (identity.id === null ? sameWords(identity) : undefined));
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
    return { key, by: 'new', differs: false };
  }

  #describe(row: HeldRow<R>, format: string, { id, text }: Identity): void {
    const look = row.looks.get(format) ?? { id: null, text };
    row.looks.set(format, look);
    if (id === null) return;
    look.id = id;
    const rows = this.#rowsOfId(id);
    if (!rows.includes(row)) this.#byId.set(id, [...rows, row]);
  }

  #rowsOfGroup(group: string): readonly HeldRow<R>[] {
    return this.#byGroup.get(group) ?? [];
  }

  #rowsOfId(id: string | null): readonly HeldRow<R>[] {
    return id === null ? [] : (this.#byId.get(id) ?? []);
  }
}

/** Whether files of a format can describe a row by an id that files of another format give it. */
function accepts<R>(row: HeldRow<R>, format: string, id: string | null): boolean {
  const look = row.looks.get(format);
  return look === undefined || look.id === null || look.id === id;
}

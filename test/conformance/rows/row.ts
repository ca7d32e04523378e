import type { Api } from '../api.ts';

/** What a row needs beyond one merchant's key; a server that cannot give it skips the row by name. */
type Need = 'operator' | 'other-key' | 'openapi';

/** One sentence of the specification, and how an answer of the service shows that it holds. */
export interface Row {
  readonly id: string;
  /** The heading of the specification under which the sentence stands. */
  readonly section: string;
  /** The sentence, in words of our own. */
  readonly says: string;
  /** Where the specification says 'not shown': the row of docs/service.md's table of choices whose choice is tested. */
  readonly choice?: string;
  readonly needs?: readonly Need[];
  readonly test: (api: Api) => Promise<unknown>;
}

/** Rows of one section. */
export function section(heading: string, rows: readonly Omit<Row, 'section'>[]): Row[] {
  return rows.map((row) => ({ ...row, section: heading }));
}

/** Thrown by a row that finds nothing on a foreign server to test with. */
export class NothingToTest extends Error {}

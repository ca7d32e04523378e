import type { CompiledQuery } from 'kysely';

interface ArraysQuery extends CompiledQuery {
  readonly asArrays: true;
}

/**
 * A query of which each row arrives as an array of its values: to name each value of a long table takes longer than to read it. The names
 * of its columns must differ all the same.
 */
export function arraysQuery(query: CompiledQuery): CompiledQuery {
  const marked: ArraysQuery = { ...query, asArrays: true };
  return marked;
}

export function wantsArrays(query: CompiledQuery): boolean {
  return (query as Partial<ArraysQuery>).asArrays === true;
}

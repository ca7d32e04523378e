import {
  ColumnNode,
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  type QueryResult,
  RawNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import { manyRowsOf } from '../bulk-queries.ts';

const MOST_ROWS = 100;
const MOST_PARAMETERS = 50;

/**
 * A cache of one transaction's query results. The parts of a use case each query the settings and the couriers again,
 * and each query costs a round trip. A result is kept until the transaction writes to a table that its query names.
 */
export class QueryCache {
  readonly #answers = new Map<string, QueryResult<unknown>>();

  /** Runs a statement of the transaction, or returns its result of before. */
  async of<R>(query: CompiledQuery, run: () => Promise<QueryResult<R>>): Promise<QueryResult<R>> {
    const { query: node, sql } = query;
    // An update that locks a row is done once a transaction: its answer is kept as a query's is.
    const isLock = UpdateQueryNode.is(node) && changesNothing(node);
    const key = SelectQueryNode.is(node) || isLock ? keyOf(query) : null;
    const cached = key === null ? undefined : this.#answers.get(key);
    if (cached) return copyOf(cached) as QueryResult<R>;
    const result = await run();
    const isQuery = SelectQueryNode.is(node) || (RawNode.is(node) && /^\s*(?:select|with)\b/i.test(sql));
    // Others may have written while it waited for the lock.
    if (isLock) this.forget();
    else if (!isQuery) this.#forgetTableOf(query);
    if (key !== null && result.rows.length <= MOST_ROWS) this.#answers.set(key, copyOf(result));
    return result;
  }

  forget(): void {
    this.#answers.clear();
  }

  #forgetTableOf(query: CompiledQuery): void {
    const table = manyRowsOf(query).bulk?.table ?? changedTable(query.query);
    if (table === undefined) {
      this.forget();
      return;
    }
    const namesTable = new RegExp(`\\b${table}\\b`);
    for (const key of this.#answers.keys()) if (namesTable.test(key)) this.#answers.delete(key);
  }
}

/** The key of a query's result; null for a query whose parameters are too many, or bytes. */
function keyOf({ sql, parameters }: CompiledQuery): string | null {
  const isPlain = parameters.every((value) => value === null || typeof value === 'string' || typeof value === 'number');
  return isPlain && parameters.length <= MOST_PARAMETERS ? `${sql}\n${JSON.stringify(parameters)}` : null;
}

function copyOf(result: QueryResult<unknown>): QueryResult<unknown> {
  return { ...result, rows: result.rows.map((row) => ({ ...(row as object) })) };
}

/** The table that a statement writes to; undefined if the statement does not tell. */
function changedTable(node: OperationNode): string | undefined {
  let target: OperationNode | undefined;
  if (InsertQueryNode.is(node)) target = node.into;
  else if (UpdateQueryNode.is(node)) target = node.table;
  else if (DeleteQueryNode.is(node)) target = node.from.froms[0];
  return target && TableNode.is(target) ? target.table.identifier.name : undefined;
}

/** Whether an update only sets columns to themselves: it is there to lock the row. */
function changesNothing({ updates = [] }: UpdateQueryNode): boolean {
  return (
    updates.length > 0 &&
    updates.every(({ column, value }) => {
      if (!ColumnNode.is(column) || !ReferenceNode.is(value) || !ColumnNode.is(value.column)) return false;
      return value.column.column.name === column.column.name;
    })
  );
}

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
import { bulkOf } from '../bulk-insert.ts';

const MOST_ROWS = 100;
const MOST_PARAMETERS = 50;

/**
 * What the questions of one transaction were answered: a use case is made of parts, each of which asks for the settings and the couriers
 * again, and each question costs a round trip. An answer counts until the transaction writes to a table that the question names.
 */
export class Answers {
  readonly #answers = new Map<string, QueryResult<unknown>>();

  /** Runs a statement of the transaction, or gives what it was answered before. */
  async of<R>(query: CompiledQuery, run: () => Promise<QueryResult<R>>): Promise<QueryResult<R>> {
    const { query: node, sql } = query;
    const isHold = UpdateQueryNode.is(node) && changesNothing(node);
    const key = SelectQueryNode.is(node) || isHold ? keyOf(query) : null;
    const held = key === null ? undefined : this.#answers.get(key);
    if (held) return copyOf(held) as QueryResult<R>;
    const result = await run();
    // Others may have written while it waited for them.
    if (isHold) this.forget();
    else if (!SelectQueryNode.is(node) && !/^\s*(?:select|with)\b/i.test(RawNode.is(node) ? sql : ''))
      this.#forgetOf(query);
    if (key !== null && result.rows.length <= MOST_ROWS) this.#answers.set(key, copyOf(result));
    return result;
  }

  forget(): void {
    this.#answers.clear();
  }

  #forgetOf(query: CompiledQuery): void {
    const table = bulkOf(query)?.table ?? changedBy(query.query);
    if (table === undefined) {
      this.forget();
      return;
    }
    const named = new RegExp(`\\b${table}\\b`);
    for (const key of this.#answers.keys()) if (named.test(key)) this.#answers.delete(key);
  }
}

function keyOf({ sql, parameters }: CompiledQuery): string | null {
  const isPlain = parameters.every((one) => one === null || typeof one === 'string' || typeof one === 'number');
  return isPlain && parameters.length <= MOST_PARAMETERS ? `${sql}\n${JSON.stringify(parameters)}` : null;
}

function copyOf(result: QueryResult<unknown>): QueryResult<unknown> {
  return { ...result, rows: result.rows.map((row) => ({ ...(row as object) })) };
}

/** The table that a statement writes to; undefined where it is not told. */
function changedBy(node: OperationNode): string | undefined {
  const target = InsertQueryNode.is(node)
    ? node.into
    : UpdateQueryNode.is(node)
      ? node.table
      : DeleteQueryNode.is(node)
        ? node.from.froms[0]
        : undefined;
  return target && TableNode.is(target) ? target.table.identifier.name : undefined;
}

/** Whether an update sets columns to themselves: it only locks. */
function changesNothing({ updates = [] }: UpdateQueryNode): boolean {
  return (
    updates.length > 0 &&
    updates.every(({ column, value }) => {
      if (!ColumnNode.is(column) || !ReferenceNode.is(value) || !ColumnNode.is(value.column)) return false;
      return value.column.column.name === column.column.name;
    })
  );
}

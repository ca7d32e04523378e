/**
 * The ledger of one courier. Two couriers may use the same number, so no statement may join the rows of both. Instead
 * of a condition in each statement, a handle narrows every statement that goes through it: it reads and writes one
 * courier's rows.
 */
import {
  ColumnNode,
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  SqliteAdapter,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  type ValuesItemNode,
  ValuesNode,
  WhereNode,
  WithNode,
} from 'kysely';
import type { LedgerDb } from './schema.ts';
import { COURIER_TABLES } from './tables.ts';

/** The key of the courier whose settings stand at the top of `remit.toml`, in no table of their own. */
export const SOLE_COURIER = 'courier';

/** A ledger's handle narrowed to one courier. Tables without `courier`, and evidence without one, are still read. */
export function ofCourier(db: LedgerDb, courier: string): LedgerDb {
  if (!/^[a-z][a-z0-9-]*$/.test(courier)) throw new Error(`${courier} is no courier's key`);
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite takes a bare name in the body of a common table expression for the expression itself, PostgreSQL for the
  // table.
  return wholeLedger(db).withPlugin(new OneCourier(courier, isSqlite ? 'main.' : ''));
}

/** A handle that reads every courier's rows, made from one that may be narrowed. */
export function wholeLedger(db: LedgerDb): LedgerDb {
  const isNarrowing = (plugin: KyselyPlugin) => plugin instanceof OneCourier || plugin instanceof AllCouriers;
  const otherPlugins = db.getExecutor().plugins.filter((plugin) => !isNarrowing(plugin));
  return otherPlugins.reduce((wholeDb, plugin) => wholeDb.withPlugin(plugin), db.withoutPlugins());
}

/**
 * The whole ledger's handle for a use case about the whole books: it throws where rows of two couriers' tables are
 * joined.
 */
export function ofAllCouriers(db: LedgerDb): LedgerDb {
  return wholeLedger(db).withPlugin(new AllCouriers());
}

/** The courier to which a handle is narrowed; null for one of all couriers. */
export function courierOf(db: LedgerDb): string | null {
  const plugin = db.getExecutor().plugins.find((each) => each instanceof OneCourier);
  return plugin?.courier ?? null;
}

/** Finds the names of couriers' tables, and of the evidence, in raw SQL. */
const COURIER_TABLE_NAMES = new RegExp(`\\b(?:${[...COURIER_TABLES, 'evidence'].join('|')})\\b`, 'g');

/** Narrows statements to one courier. */
class OneCourier implements KyselyPlugin {
  readonly courier: string;
  readonly #schema: string;

  constructor(courier: string, schema: string) {
    this.courier = courier;
    this.#schema = schema;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'SelectQueryNode') return this.#narrowTables(node, tablesIn(node));
    if (node.kind === 'RawNode') return this.#narrowRawSql(node);
    if (node.kind === 'InsertQueryNode') return this.#narrowInsert(node);
    if (node.kind === 'UpdateQueryNode') return this.#narrowChange(node, node.table);
    if (node.kind === 'DeleteQueryNode') return this.#narrowChange(node, node.from.froms[0]);
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }

  /**
   * Puts the courier's rows in the place of each table that a query reads: `with invoice as (select ... where courier =
   * 'olive')`.
   */
  #narrowTables<N extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(
    node: N,
    tables: ReadonlySet<string>,
  ): N {
    if (tables.size === 0) return node;
    const courierTables = [...tables].map((table) => {
      const rows = RawNode.createWithSql(`(${this.#rowsOf(table)})`);
      const expression = CommonTableExpressionNode.create(CommonTableExpressionNameNode.create(table), rows);
      // `not materialized`: the database puts the query in its place, and so uses the table's indexes.
      return { ...expression, materialized: false };
    });
    const expressions = [...courierTables, ...(node.with?.expressions ?? [])];
    return { ...node, with: { ...WithNode.create(courierTables[0]!), ...node.with, expressions } };
  }

  #narrowRawSql(node: RawNode): RawNode {
    const tables = tablesIn(node);
    if (tables.size === 0) return node;
    const [head = '', ...laterFragments] = node.sqlFragments;
    // Only queries are narrowed: every insert, update and delete of rows is built, not raw. The first fragment is empty
    // if the query begins with another query that was put in.
    if (!/^\s*(select\b|with\b|$)/i.test(head)) return node;
    const courierTables = [...tables]
      .map((table) => `${table} as not materialized (${this.#rowsOf(table)})`)
      .join(', ');
    const query = /^\s*with\b/i.test(head)
      ? head.replace(/^\s*with\b/i, `with ${courierTables},`)
      : `with ${courierTables} ${head}`;
    return RawNode.create([query, ...laterFragments], node.parameters);
  }

  #rowsOf(table: string): string {
    const orOfNoCourier = table === 'evidence' ? ' or courier is null' : '';
    return `select * from ${this.#schema}"${table}" where courier = '${this.courier}'${orOfNoCourier}`;
  }

  #narrowInsert(node: InsertQueryNode): InsertQueryNode {
    const table = node.into && tableNameOf(node.into);
    if (table === undefined || !COURIER_TABLES.has(table)) return node;
    if (node.columns?.some(({ column }) => column.name === 'courier')) return node;
    if (!node.columns || !node.values || !ValuesNode.is(node.values))
      throw new Error(`rows of ${table} name no columns`);
    const column = ColumnNode.create('courier');
    const conflict = node.onConflict;
    return {
      ...node,
      columns: [column, ...node.columns],
      values: ValuesNode.create(node.values.values.map((row) => this.#withCourierKey(row))),
      ...(conflict?.columns && { onConflict: { ...conflict, columns: [column, ...conflict.columns] } }),
    };
  }

  #withCourierKey(row: ValuesItemNode): ValuesItemNode {
    return PrimitiveValueListNode.is(row)
      ? PrimitiveValueListNode.create([this.courier, ...row.values])
      : ValueListNode.create([ValueNode.create(this.courier), ...row.values]);
  }

  #narrowChange<N extends UpdateQueryNode | DeleteQueryNode>(node: N, target: OperationNode | undefined): N {
    const table = target && tableNameOf(target);
    const tablesRead = tablesIn(node);
    // The table that is changed cannot be a common table expression: a condition narrows its rows instead.
    if (table !== undefined) tablesRead.delete(table);
    const narrowed = this.#narrowTables(node, tablesRead);
    if (table === undefined || !COURIER_TABLES.has(table)) return narrowed;
    const isOfCourier = RawNode.createWithSql(`"courier" = '${this.courier}'`);
    const where = node.where
      ? WhereNode.cloneWithOperation(node.where, 'And', isOfCourier)
      : WhereNode.create(isOfCourier);
    return { ...narrowed, where };
  }
}

/** Refuses statements over several tables of couriers' rows: they join by a number that two couriers may both use. */
class AllCouriers implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    const tables = [...tablesIn(node)].filter((table) => COURIER_TABLES.has(table));
    if (tables.length > 1) throw new Error(`a statement joins the rows of all couriers in ${tables.join(' and ')}`);
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** Nodes in which no table name is searched for: columns, and lists of values, which may be long. */
const NAMES_NO_TABLE: ReadonlySet<OperationNode['kind']> = new Set([
  'TableNode',
  'ReferenceNode',
  'ColumnNode',
  'IdentifierNode',
  'ValueNode',
  'ValuesNode',
  'PrimitiveValueListNode',
]);

/** The couriers' tables, and the evidence, that a statement reads or changes, or that its raw SQL mentions. */
function tablesIn(statement: OperationNode): Set<string> {
  const found = new Set<string>();
  const unread = [statement];
  for (let node = unread.pop(); node !== undefined; node = unread.pop()) {
    if (TableNode.is(node)) addTableNames(node.table.identifier.name, found);
    if (NAMES_NO_TABLE.has(node.kind)) continue;
    if (RawNode.is(node)) for (const text of node.sqlFragments) addTableNames(text, found);
    for (const part of Object.values(node)) {
      if (isNode(part)) unread.push(part);
      else if (Array.isArray(part)) for (const item of part) if (isNode(item)) unread.push(item);
    }
  }
  return found;
}

function addTableNames(text: string, found: Set<string>): void {
  for (const name of text.match(COURIER_TABLE_NAMES) ?? []) found.add(name);
}

function isNode(part: unknown): part is OperationNode {
  return typeof part === 'object' && part !== null && 'kind' in part;
}

function tableNameOf(node: OperationNode): string | undefined {
  if (TableNode.is(node)) return node.table.identifier.name;
  return node.kind === 'AliasNode' ? tableNameOf((node as unknown as { node: OperationNode }).node) : undefined;
}

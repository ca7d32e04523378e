/**
 * The ledger of one courier. Two couriers may use one number, so no statement may join the rows of both. Instead of a condition in each
 * statement, a handle of one courier narrows all that go through it: reads see that courier's rows, writes bear its key.
 */
import {
  ColumnNode,
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type Kysely,
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
import type { LedgerSchema } from './schema.ts';
import { COURIER_TABLES } from './tables.ts';

/** The key of the courier whose settings stand at the top of `remit.toml`, in no table of their own. */
export const SOLE_COURIER = 'courier';

/** A ledger's handle narrowed to one courier. Evidence and tables that bear no courier are read whole. */
export function ofCourier(db: Kysely<LedgerSchema>, courier: string): Kysely<LedgerSchema> {
  if (!/^[a-z][a-z0-9-]*$/.test(courier)) throw new Error(`${courier} is no courier's key`);
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite takes a bare name in the body of a common table expression for the expression itself, PostgreSQL for the table.
  return wholeLedger(db).withPlugin(new OneCourier(courier, isSqlite ? 'main.' : ''));
}

/** The handle of all couriers of a ledger, whatever a handle was narrowed to. */
export function wholeLedger(db: Kysely<LedgerSchema>): Kysely<LedgerSchema> {
  const isNarrowing = (plugin: KyselyPlugin) => plugin instanceof OneCourier || plugin instanceof AllCouriers;
  const otherPlugins = db.getExecutor().plugins.filter((plugin) => !isNarrowing(plugin));
  return otherPlugins.reduce((wholeDb, plugin) => wholeDb.withPlugin(plugin), db.withoutPlugins());
}

/** The whole ledger's handle for a use case about the whole books: it throws where rows of two couriers' tables are joined. */
export function ofAllCouriers(db: Kysely<LedgerSchema>): Kysely<LedgerSchema> {
  return wholeLedger(db).withPlugin(new AllCouriers());
}

/** The courier to which a handle is narrowed; null for one of all couriers. */
export function courierOf(db: Kysely<LedgerSchema>): string | null {
  const plugin = db.getExecutor().plugins.find((each) => each instanceof OneCourier);
  return plugin?.courier ?? null;
}

const NAMES = new RegExp(`\\b(?:${[...COURIER_TABLES, 'evidence'].join('|')})\\b`, 'g');

/** Narrows statements to one courier. */
class OneCourier implements KyselyPlugin {
  readonly courier: string;
  readonly #schema: string;

  constructor(courier: string, schema: string) {
    this.courier = courier;
    this.#schema = schema;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'SelectQueryNode') return this.#withTables(node, tablesIn(node));
    if (node.kind === 'RawNode') return this.#rawWithTables(node);
    if (node.kind === 'InsertQueryNode') return this.#inserted(node);
    if (node.kind === 'UpdateQueryNode') return this.#changed(node, node.table);
    if (node.kind === 'DeleteQueryNode') return this.#changed(node, node.from.froms[0]);
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }

  /** Puts the courier's rows in the place of each table that a query reads: `with invoice as (select ... where courier = 'olive')`. */
  #withTables<N extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(node: N, tables: ReadonlySet<string>): N {
    if (tables.size === 0) return node;
    const courierTables = [...tables].map((table) =>
      Object.assign(
        { materialized: false },
        CommonTableExpressionNode.create(
          CommonTableExpressionNameNode.create(table),
          RawNode.createWithSql(`(${this.#rowsOf(table)})`),
        ),
      ),
    );
    const expressions = [...courierTables, ...(node.with?.expressions ?? [])];
    return { ...node, with: { ...WithNode.create(courierTables[0]!), ...node.with, expressions } };
  }

  #rawWithTables(node: RawNode): RawNode {
    const tables = tablesIn(node);
    if (tables.size === 0) return node;
    const [head = '', ...rest] = node.sqlFragments;
    // A query, or one that begins with another; all writes of rows are built.
    if (!/^\s*(select\b|with\b|$)/i.test(head)) return node;
    const courierTables = [...tables]
      .map((table) => `${table} as not materialized (${this.#rowsOf(table)})`)
      .join(', ');
    const query = /^\s*with\b/i.test(head)
      ? head.replace(/^\s*with\b/i, `with ${courierTables},`)
      : `with ${courierTables} ${head}`;
    return RawNode.create([query, ...rest], node.parameters);
  }

  #rowsOf(table: string): string {
    const orOfAll = table === 'evidence' ? ' or courier is null' : '';
    return `select * from ${this.#schema}"${table}" where courier = '${this.courier}'${orOfAll}`;
  }

  #inserted(node: InsertQueryNode): InsertQueryNode {
    const table = node.into && nameOf(node.into);
    if (table === undefined || !COURIER_TABLES.has(table)) return node;
    if (node.columns?.some(({ column }) => column.name === 'courier')) return node;
    if (!node.columns || !node.values || !ValuesNode.is(node.values))
      throw new Error(`rows of ${table} name no columns`);
    const column = ColumnNode.create('courier');
    const conflict = node.onConflict;
    return {
      ...node,
      columns: [column, ...node.columns],
      values: ValuesNode.create(node.values.values.map((row) => this.#bearing(row))),
      ...(conflict?.columns && { onConflict: { ...conflict, columns: [column, ...conflict.columns] } }),
    };
  }

  #bearing(row: ValuesItemNode): ValuesItemNode {
    return PrimitiveValueListNode.is(row)
      ? PrimitiveValueListNode.create([this.courier, ...row.values])
      : ValueListNode.create([ValueNode.create(this.courier), ...row.values]);
  }

  #changed<N extends UpdateQueryNode | DeleteQueryNode>(node: N, target: OperationNode | undefined): N {
    const table = target && nameOf(target);
    const read = tablesIn(node);
    // The rows to change are named by a condition: what is changed is a table, not an expression.
    if (table !== undefined) read.delete(table);
    const narrowed = this.#withTables(node, read);
    if (table === undefined || !COURIER_TABLES.has(table)) return narrowed;
    const isOfCourier = RawNode.createWithSql(`"courier" = '${this.courier}'`);
    const where = node.where
      ? WhereNode.cloneWithOperation(node.where, 'And', isOfCourier)
      : WhereNode.create(isOfCourier);
    return { ...narrowed, where };
  }
}

/** Refuses statements that read several tables of couriers' rows at once: what they join by is a courier's own number. */
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

/** What names no table but those that stand after FROM: columns, and lists of values, which may be long. */
const NAMES_NO_OTHER: ReadonlySet<OperationNode['kind']> = new Set([
  'TableNode',
  'ReferenceNode',
  'ColumnNode',
  'IdentifierNode',
  'ValueNode',
  'ValuesNode',
  'PrimitiveValueListNode',
]);

/** The tables with a courier's rows that a statement names, and the evidence. */
function tablesIn(statement: OperationNode): Set<string> {
  const found = new Set<string>();
  const unread = [statement];
  for (let node = unread.pop(); node !== undefined; node = unread.pop()) {
    if (TableNode.is(node)) note(node.table.identifier.name, found);
    if (NAMES_NO_OTHER.has(node.kind)) continue;
    if (RawNode.is(node)) for (const text of node.sqlFragments) note(text, found);
    for (const part of Object.values(node)) {
      if (isNode(part)) unread.push(part);
      else if (Array.isArray(part)) for (const item of part) if (isNode(item)) unread.push(item);
    }
  }
  return found;
}

function note(text: string, found: Set<string>): void {
  for (const name of text.match(NAMES) ?? []) found.add(name);
}

function isNode(part: unknown): part is OperationNode {
  return typeof part === 'object' && part !== null && 'kind' in part;
}

function nameOf(node: OperationNode): string | undefined {
  if (TableNode.is(node)) return node.table.identifier.name;
  return node.kind === 'AliasNode' ? nameOf((node as unknown as { node: OperationNode }).node) : undefined;
}

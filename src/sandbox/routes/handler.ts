import type { Static, TObject } from '@sinclair/typebox';
import type { OperationName, operations } from '../../api/operations.ts';
import type { MoneyPairs } from '../../api/wire.ts';
import { eachField } from '../../money/fields.ts';
import { formatUnits } from '../../money/units.ts';
import type { Decoded } from '../http/decode.ts';
import { notFound } from '../http/errors.ts';
import type { PagedList } from '../http/shapes.ts';
import { findCustomer } from '../rules/customer.ts';
import type { CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** An authenticated and decoded request. */
export interface Call<Query = unknown, Body = unknown> {
  readonly store: Store;
  /** The merchant whose key was sent; handlers read and change only this merchant's rows. */
  readonly merchant: number;
  /** The moment of the request, as `timestamp()` writes it. */
  readonly at: string;
  /** The origin at which the caller reached the service, for links. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The body with its faults; the handler adds those of its rules, then calls `problems.throwIfAny()`. */
  readonly body: Decoded<Body>;
}

type Declared<Name extends OperationName> = (typeof operations)[Name];
type BodyOf<Body> = Body extends TObject ? Static<Body> : unknown;

/** The answer of an operation: one document, a `PagedList` that is paged, or a list without pages. */
type AnswerOf<Kind> = Kind extends 'page' ? PagedList : Kind extends 'list' ? unknown[] : object;

/** One handler for each operation, typed by its declaration. */
export type Handlers = {
  [Name in OperationName]: (
    call: Call<Static<Declared<Name>['query']>, BodyOf<Declared<Name>['body']>>,
  ) => AnswerOf<Declared<Name>['answer']>;
};

/** The rows of a table, read page by page. @param from what follows `from` in SQL, up to the order */
export function pagedRows<Row, Item>(
  store: Store,
  from: string,
  params: readonly unknown[],
  order: string,
  present: (row: Row) => Item,
): PagedList<Item> {
  const page = `select * from ${from} order by ${order} limit ? offset ?`;
  return {
    count: store.count(from, ...params),
    read: (limit, offset) => store.all<Row>(page, ...params, limit, offset).map(present),
  };
}

/** An id of the path. @throws ServiceError 404 if it is not an integer */
export function idOf(call: Call, name: string, what: string): number {
  const text = call.params[name] ?? '';
  if (!/^[0-9]{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}

/** The customer of the path, if it is the merchant's. @throws ServiceError 404 if it is not */
export function customerOf(call: Call, name: 'id' | 'customer_pk'): CustomerRow {
  const row = findCustomer(call.store, call.merchant, idOf(call, name, 'Customer'));
  if (!row) throw notFound('Customer');
  return row;
}

/** A currency with columns of units as text; null if a field has no pair in this currency. */
export type MoneyRow<Field extends string> = { currency: string } & Record<Field, string | null>;

export function moneyFields<Field extends string>(fields: readonly Field[], rows: readonly MoneyRow<Field>[]) {
  return eachField(fields, (field) =>
    rows.flatMap((row): MoneyPairs => {
      const units: string | null = row[field];
      return units === null ? [] : [[row.currency, formatUnits(BigInt(units))]];
    }),
  );
}

/** The SQL that reads money columns as decimal text of units: not every number of units fits a JavaScript number. */
export function unitsTexts(columns: readonly string[]): string {
  return columns.map((column) => `cast(${column} as text) as ${column}`).join(', ');
}

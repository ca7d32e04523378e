import type { Static, TObject } from '@sinclair/typebox';
import type { OperationName, operations } from '../../api/operations.ts';
import type { Decoded } from '../http/decode.ts';
import { notFound } from '../http/errors.ts';
import type { PagedList } from '../http/paging.ts';
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

/** An id of the path. @throws ServiceError 404 if it is not an integer */
export function idOf(call: Call, name: string, what: string): number {
  const text = call.params[name] ?? '';
  if (!/^[0-9]{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}

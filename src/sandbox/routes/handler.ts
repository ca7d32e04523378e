import type { Static, TObject } from '@sinclair/typebox';
import type { OperationName, operations } from '../../api/operations.ts';
import type { Decoded } from '../http/decode.ts';
import { notFound } from '../http/errors.ts';
import type { Listing } from '../http/paging.ts';
import type { Store } from '../store/store.ts';

/** What an operation is called with: an authenticated, decoded request. */
export interface Call<Query = unknown, Body = unknown> {
  readonly store: Store;
  /** The merchant whose key was sent; nothing of another's may be read or changed. */
  readonly merchant: number;
  /** The moment of the request, as `timestamp()` writes it. */
  readonly at: string;
  /** The origin under which the service was reached, for links. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Not yet checked by rules: the operation calls `problems.throwIfAny()`. */
  readonly body: Decoded<Body>;
}

type Declared<Name extends OperationName> = (typeof operations)[Name];
type BodyOf<Body> = Body extends TObject ? Static<Body> : unknown;

/** What an operation answers with: one document, a `Listing` that is paged, or a list without pages. */
type AnswerOf<Kind> = Kind extends 'page' ? Listing : Kind extends 'list' ? unknown[] : object;

/** What serves each operation, typed by its declaration. */
export type Handlers = {
  [Name in OperationName]: (
    call: Call<Static<Declared<Name>['query']>, BodyOf<Declared<Name>['body']>>,
  ) => AnswerOf<Declared<Name>['answer']>;
};

/** An integer of the path. @throws ServiceError 404 where it is none that an id could be */
export function idOf(call: Call, name: string, what: string): number {
  const text = call.params[name] ?? '';
  if (!/^[0-9]{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}

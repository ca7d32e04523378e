import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
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

/** What an operation answers with: one document, a `Listing` that is paged, or a list without pages. */
type AnswerOf<Kind> = Kind extends 'page' ? Listing : Kind extends 'list' ? unknown[] : object;

interface Definition<Kind extends 'one' | 'page' | 'list', Query extends TObject, Body extends TObject> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the base URL, with `{parameters}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly status?: 200 | 201;
  readonly answers: Kind;
  /** The document, or one item of the list. */
  readonly schema: TSchema;
  readonly handle: (call: Call<Static<Query>, Static<Body>>) => AnswerOf<Kind>;
}

/** One of the 18 operations (spec, 'Endpoints'): its route is served and its documentation made from this. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly summary: string;
  readonly query: TObject;
  readonly body: TObject | null;
  readonly status: 200 | 201;
  readonly answers: 'one' | 'page' | 'list';
  readonly schema: TSchema;
  handle(call: Call<never, never>): object;
}

/** Completes a definition, whose handler is typed by its schemas. */
export function operation<
  Kind extends 'one' | 'page' | 'list',
  Query extends TObject = TObject,
  Body extends TObject = TObject,
>(definition: Definition<Kind, Query, Body>): Operation {
  const { query = Type.Object({}), body = null, status = 200, ...rest } = definition;
  return { ...rest, query, body, status };
}

/** An integer of the path. @throws ServiceError 404 where it is none that an id could be */
export function idOf(call: Call, name: string, what: string): number {
  const text = call.params[name] ?? '';
  if (!/^[0-9]{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}

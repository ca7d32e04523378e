import { type TSchema, Type } from '@sinclair/typebox';

/** How lists are wrapped: `flat` as the spec declares it, or one of the nested forms of its examples. */
export const RESULT_SHAPES = ['flat', 'array', 'wrapper', 'object'] as const;
export type ResultShape = (typeof RESULT_SHAPES)[number];

/** One page of a list, unwrapped. */
export interface ResultPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: unknown[];
}

export function shapePage(page: ResultPage, shape: ResultShape): object {
  switch (shape) {
    case 'flat':
      return page;
    case 'array':
      return { ...page, results: [page.results] };
    case 'wrapper':
      return { ...page, results: [page] };
    case 'object':
      return { ...page, results: page };
  }
}

/** A list without pages as it is sent: in an outer array, except for `flat`. */
export function shapeList(items: unknown[], shape: ResultShape): unknown[] {
  return shape === 'flat' ? items : [items];
}

export function pageSchema(item: TSchema, shape: ResultShape): TSchema {
  const wrapped = (results: TSchema) =>
    Type.Object({
      count: Type.Integer({ minimum: 0 }),
      next: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
      previous: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
      results,
    });
  const flat = Type.Array(item);
  switch (shape) {
    case 'flat':
      return wrapped(flat);
    case 'array':
      return wrapped(Type.Array(flat));
    case 'wrapper':
      return wrapped(Type.Array(wrapped(flat)));
    case 'object':
      return wrapped(wrapped(flat));
  }
}

export function listSchema(item: TSchema, shape: ResultShape): TSchema {
  return shape === 'flat' ? Type.Array(item) : Type.Array(Type.Array(item));
}

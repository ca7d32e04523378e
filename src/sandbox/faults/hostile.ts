import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

/** Stands in a body where a value goes that no writer of JSON can nest as deep. */
const PLACE = '(as deep as it goes)';

/** Gives the first item of a list a field that nests lists to a depth. @returns the body as text */
export function withDepth(body: unknown, items: unknown[], depth: number): string {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return JSON.stringify(body);
  Object.assign(first, { custom_fields: PLACE });
  const nested = '['.repeat(depth) + ']'.repeat(depth);
  return JSON.stringify(body).replace(JSON.stringify(PLACE), () => nested);
}

/** A page that unpacks to so many megabytes of empty lists, packed to a thousandth of it. */
export function bomb(megabytes: number): Readable {
  const part = '[],'.repeat(349_525);
  function* parts() {
    yield '{"count":1,"next":null,"previous":null,"results":[';
    for (let i = 0; i < megabytes; i++) yield part;
    yield '[]]}';
  }
  return Readable.from(parts()).pipe(createGzip());
}

/** New ids for orders that were seen on an earlier page, so that no two pages of a list without end hold the same. */
export function renamed(items: unknown[], page: number): void {
  for (const item of items as { order_id: string }[]) item.order_id = `${item.order_id}-${page}`;
}

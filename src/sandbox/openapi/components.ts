import type { TSchema } from '@sinclair/typebox';

/** A part of the document: plain JSON. */
export type Json = Record<string, unknown>;

/** The named schemas of the document: each wire schema with an `$id` stands here once, and is referred to elsewhere. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  /** The schema as plain JSON, its named parts replaced by references. */
  refer(schema: TSchema): unknown {
    const name = schema.$id;
    if (name === undefined) return this.#plain(schema);
    if (!Object.hasOwn(this.schemas, name)) {
      this.schemas[name] = null; // holds its place while its own parts are named
      const { $id: _, ...rest } = schema;
      this.schemas[name] = this.#plain(rest);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#part(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#part(inner)]));
  }

  #part(value: unknown): unknown {
    const isNamed = typeof value === 'object' && value !== null && '$id' in value;
    return isNamed ? this.refer(value as TSchema) : this.#plain(value);
  }
}

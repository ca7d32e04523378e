import { createRequire } from 'node:module';
import { faultOf } from '../../src/api/decode.ts';
import { decodeList } from '../../src/api/list.ts';
import { type Operation, operations } from '../../src/api/operations.ts';
import { ErrorBody } from '../../src/api/wire.ts';

type Validate = ((value: unknown) => boolean) & { errors?: unknown };
interface Ajv {
  addSchema(schema: object, key: string): Ajv;
  compile(schema: object): Validate;
}

// Ajv comes with the validator of OpenAPI documents, and is found from there: it is no dependency of remit's own.
const fromValidator = createRequire(createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator'));
const { Ajv2020 } = fromValidator('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv };
const { default: addFormats } = fromValidator('ajv-formats') as { default: (ajv: Ajv) => void };

export interface MediaType {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Response {
  description: string;
  content?: Record<string, MediaType>;
}
interface OperationObject {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response>;
}
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components?: { securitySchemes?: Record<string, { type: string; in?: string; name?: string }> };
  security?: Record<string, string[]>[];
  webhooks?: object;
}

/** An operation as the OpenAPI document describes it. */
export interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

/** What a server says of itself: validates its answers by its own OpenAPI document. */
export class Contract {
  readonly document: OpenApiDocument;
  readonly described: readonly Described[];
  readonly #ajv: Ajv;
  readonly #base: string;
  readonly #compiled = new Map<string, Validate>();

  constructor(document: OpenApiDocument, baseUrl: string) {
    this.document = document;
    this.#base = new URL(baseUrl).pathname;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, 'api');
    this.described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
        .map(([method, operation]) => ({ path, method, operation })),
    );
  }

  /** The operation that a request meets; undefined where the document has none. */
  find(method: string, pathname: string): Described | undefined {
    return this.described.find(
      ({ path, method: own }) =>
        own === method.toLowerCase() && templateMatches(path.replace(/^\//, ''), this.#relative(pathname)),
    );
  }

  /** What is wrong with an answer by the document; empty where it is as described. */
  faults(method: string, pathname: string, status: number, contentType: string, body: unknown): string[] {
    const found = this.find(method, pathname);
    if (found === undefined) return [];
    const response = found.operation.responses[String(status)];
    const name = `${found.operation.operationId} ${status}`;
    if (response === undefined) return [`${name}: the OpenAPI document does not describe this status`];
    const type = contentType.split(';', 1)[0] as string;
    if (response.content?.[type] === undefined) return [`${name}: the OpenAPI document describes no ${type || 'body'}`];
    const { path } = found;
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    return this.faultsBy(pointer, body).map((fault) => `${name}: ${fault}`);
  }

  /** What is wrong with a value by the schema at a place of the document. */
  faultsBy(pointer: readonly string[], value: unknown): string[] {
    const $ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, validate);
    return validate(value) ? [] : [`does not fit its schema: ${JSON.stringify(validate.errors).slice(0, 800)}`];
  }

  /** A request's path below the base, whichever of the two the document's own paths start from. */
  #relative(pathname: string): string {
    const rest = pathname.startsWith(this.#base) ? pathname.slice(this.#base.length) : pathname.slice(1);
    const whole = Object.keys(this.document.paths).some((path) => path.startsWith(this.#base));
    return whole ? pathname.slice(1) : rest;
  }
}

/** The client's entry for a request; undefined where the specification has no such operation. */
export function clientOperation(method: string, relativePath: string): Operation | undefined {
  return Object.values<Operation>(operations).find(
    (operation) => operation.method === method && templateMatches(operation.path, relativePath),
  );
}

function templateMatches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return false;
  return wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]));
}

/** What the client's decoders find wrong with an answer; empty where they read all of it. */
export function decoderFaults(operation: Operation, status: number, body: unknown): string[] {
  if (status >= 400) return faultTexts(faultOf(ErrorBody, body));
  if (operation.answer === 'any') return [];
  if (operation.answer === 'one') return faultTexts(faultOf(operation.response, body));
  return decodeList(operation.response, body).items.flatMap((item) => (item.ok ? [] : [item.fault.message]));
}

function faultTexts(fault: { path: string; reason: string } | null): string[] {
  return fault === null ? [] : [`${fault.path}: ${fault.reason}`];
}

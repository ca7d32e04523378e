import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type Operation, type OperationName, operations } from '../../api/operations.ts';
import { ErrorBody } from '../../api/wire.ts';
import { makeTemporaryFolder } from '../../base/files/temporary.ts';
import { insideFile, isExecutable } from '../../base/program.ts';
import { type ErrorStatus, errorBody, KEY_HEADER } from '../http/errors.ts';
import { pagePolicy } from '../http/host.ts';
import { listSchema, pageSchema, type ResultShape, shapeList, shapePage } from '../http/shapes.ts';
import { EXAMPLES } from './examples.ts';

/** The page loads its files, the icons in its style sheet, and the API that it tries. */
const PAGE_POLICY = pagePolicy("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'");

/** Serves the document at `/openapi.json` and a page to browse and try it at `/docs`. Neither needs a key. */
export async function serveDocs(app: FastifyInstance, results: ResultShape): Promise<void> {
  const document = openApiDocument(results);
  // biome-ignore lint/suspicious/noExplicitAny: the plugin's type of a document knows OpenAPI 3.0 only
  await app.register(swagger, { mode: 'static', specification: { document: document as any } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    // Otherwise the page sends the document's address to a validator on the internet.
    uiConfig: { deepLinking: true, validatorUrl: null },
    ...(isExecutable && unpackedPage(app)),
  });
  app.get('/openapi.json', async () => document);
}

/** An executable unpacks the page's files into a temporary folder, because the plugin serves them from a folder. */
function unpackedPage(app: FastifyInstance) {
  const baseDir = makeTemporaryFolder();
  app.addHook('onClose', () => rmSync(baseDir, { recursive: true, force: true }));
  const files: Record<string, string> = JSON.parse(insideFile('docs-page.json').toString());
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text, 'base64');
  return { baseDir, logo: { type: 'image/svg+xml', content: Buffer.from(files['logo.svg']!, 'base64') } };
}

const JSON_TYPE = 'application/json';
const BODY_TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * The service's OpenAPI 3.1 document, made from the schemas and operations that the service runs on.
 *
 * @param results how the lists are wrapped
 */
export function openApiDocument(results: ResultShape): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  const declared = Object.entries<Operation>(operations) as [OperationName, Operation][];
  for (const [name, operation] of declared) {
    const path = `/${operation.path}`;
    paths[path] ??= {};
    (paths[path] as Json)[operation.method.toLowerCase()] = describe(name, operation, results, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Delivery Merchant API',
      version: '0.0.0',
      description:
        'Orders, customers, locations, areas, pickup locations, invoices and profile of a merchant of the delivery company. ' +
        'Money is a list of pairs of currency code and decimal text. ' +
        `Keys come from \`remit sandbox key create\`. This server wraps its lists in the form \`${results}\`.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1/external' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(declared.map(([, { section }]) => section))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: KEY_HEADER } },
    },
  };
}

function describe(name: OperationName, operation: Operation, results: ResultShape, components: Components): Json {
  const example = EXAMPLES[name];
  return {
    operationId: name,
    tags: [operation.section],
    summary: operation.summary,
    parameters: [...pathParameters(operation), ...queryParameters(operation, components)],
    ...(operation.body && { requestBody: requestBody(operation.body, example.body, components) }),
    responses: {
      [operation.status]: {
        description: operation.summary,
        content: {
          [JSON_TYPE]: {
            schema: components.refer(answerSchema(operation, results)),
            example: answerExample(operation, example.answer, results),
          },
        },
      },
      ...Object.fromEntries(
        refusals(name, operation).map(([status, details]) => [status, refusal(operation, status, details, components)]),
      ),
    },
  };
}

function pathParameters({ pathParams }: Operation): Json[] {
  return Object.entries<TSchema>(pathParams.properties).map(([name, { type }]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type },
  }));
}

function queryParameters({ query }: Operation, components: Components): Json[] {
  return Object.entries<TSchema>(query.properties).map(([name, { description, aliases, ...schema }]) => ({
    name,
    in: 'query',
    ...(description && { description }),
    ...(aliases && { 'x-aliases': aliases }),
    schema: components.refer(schema),
  }));
}

function requestBody(body: TSchema, example: object | undefined, components: Components): Json {
  const content = { schema: components.refer(body), example };
  return { required: true, content: Object.fromEntries(BODY_TYPES.map((type) => [type, content])) };
}

function answerSchema({ answer, response }: Operation, results: ResultShape): TSchema {
  if (answer === 'page') return pageSchema(response, results);
  return answer === 'list' ? listSchema(response, results) : response;
}

function answerExample({ answer }: Operation, item: object, results: ResultShape): object {
  if (answer === 'page') return shapePage({ count: 1, next: null, previous: null, results: [item] }, results);
  return answer === 'list' ? shapeList([item], results) : item;
}

/** The refusals of an operation, each with the details of one case. */
function refusals(name: OperationName, operation: Operation): [ErrorStatus, string][] {
  const list: [ErrorStatus, string][] = [];
  const hasInput = operation.body !== null || Object.keys(operation.query.properties).length > 0;
  if (hasInput || operation.method === 'POST') list.push([400, exampleFault(name, operation)]);
  list.push([401, `${KEY_HEADER}: The key is unknown or was revoked.`]);
  if (operation.path.includes('{') || name === 'createOrder') list.push([404, 'detail: Order not found.']);
  else if (operation.answer === 'page') list.push([404, 'detail: Invalid page.']);
  if (operation.method !== 'GET') {
    list.push([413, 'body: At most 1048576 bytes are accepted.']);
    list.push([415, 'Content-Type: application/json is required.']);
  }
  list.push([500, 'Internal server error.'], [503, 'detail: Another process is writing; try again.']);
  return list;
}

function exampleFault(name: OperationName, { body, method }: Operation): string {
  if (name === 'cancelOrder') return 'delivery_state: Delivered orders cannot be cancelled.';
  if (name === 'createOrder')
    return 'merchant_location: This field is required.; workflow: "EXPRESS" is not a valid choice.';
  if (body) return `${Object.keys(body.properties)[0]}: Not a valid string.`;
  if (method === 'POST') return 'delivery_state: Pickup can be requested only for an order in CREATED.';
  return 'page: A valid integer is required.';
}

function refusal({ path }: Operation, status: ErrorStatus, details: string, components: Components): Json {
  const example = errorBody(status, details, `/v1/external/${path}`);
  const content = { [JSON_TYPE]: { schema: components.refer(ErrorBody), example } };
  return { description: example.message, content };
}

/** A part of the document, as JSON. */
type Json = Record<string, unknown>;

/** The document's named schemas: each wire schema with an `$id` is here once, and referred to by its name. */
class Components {
  readonly schemas: Record<string, unknown> = {};

  /** A schema, or a part of one, as JSON, with references in place of its named parts. */
  refer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.refer(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, ...fields } = value as { readonly $id?: string };
    const plain = () => Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, this.refer(inner)]));
    if (name === undefined) return plain();
    if (!Object.hasOwn(this.schemas, name)) {
      this.schemas[name] = null; // so that it comes before its parts
      this.schemas[name] = plain();
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

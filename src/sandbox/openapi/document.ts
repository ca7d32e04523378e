import type { TSchema } from '@sinclair/typebox';
import { ErrorBody } from '../../api/wire.ts';
import { KEY_HEADER } from '../http/auth.ts';
import { type ErrorStatus, errorBody } from '../http/errors.ts';
import { listSchema, pageSchema, type ResultShape, shapeList, shapePage } from '../http/shapes.ts';
import { operations } from '../routes/index.ts';
import type { Operation } from '../routes/operation.ts';
import { Components, type Json } from './components.ts';
import { EXAMPLES } from './examples.ts';

const JSON_TYPE = 'application/json';
const BODY_TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * The service's OpenAPI 3.1 document, made from the schemas and operations that it runs on.
 *
 * @param results how the served lists are wrapped, which the document states
 */
export function openApiDocument(results: ResultShape): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Json)[operation.method.toLowerCase()] = describe(operation, results, components);
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
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: KEY_HEADER } },
    },
  };
}

/** `/orders/{order_id}/` → `Orders`. */
function tagOf({ path }: Operation): string {
  const word = path.split('/')[1] ?? '';
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function describe(operation: Operation, results: ResultShape, components: Components): Json {
  const example = EXAMPLES[operation.id];
  if (!example) throw new Error(`the operation ${operation.id} has no example`);
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
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
        refusals(operation).map(([status, details]) => [status, refusal(operation, status, details, components)]),
      ),
    },
  };
}

function pathParameters({ path }: Operation): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'order_id' ? { type: 'string' } : { type: 'integer' },
  }));
}

function queryParameters({ query }: Operation, components: Components): Json[] {
  return Object.entries<TSchema>(query.properties).map(([name, { description, aliases, ...schema }]) => ({
    name,
    in: 'query',
    ...(description && { description }),
    ...(aliases && { 'x-aliases': aliases }),
    schema: components.refer(schema as TSchema),
  }));
}

function requestBody(body: TSchema, example: object | undefined, components: Components): Json {
  const schema = components.refer(body);
  return {
    required: true,
    content: Object.fromEntries(BODY_TYPES.map((type) => [type, { schema, example }])),
  };
}

function answerSchema({ answers, schema }: Operation, results: ResultShape): TSchema {
  if (answers === 'page') return pageSchema(schema, results);
  return answers === 'list' ? listSchema(schema, results) : schema;
}

function answerExample({ answers }: Operation, item: object, results: ResultShape): object {
  if (answers === 'page') return shapePage({ count: 1, next: null, previous: null, results: [item] }, results);
  return answers === 'list' ? shapeList([item], results) : item;
}

/** The failures that an operation can answer with, each with the details of one case. */
function refusals(operation: Operation): [ErrorStatus, string][] {
  const found: [ErrorStatus, string][] = [];
  const refuses400 = operation.body !== null || operation.method === 'POST' || 'page' in operation.query.properties;
  if (refuses400 || Object.keys(operation.query.properties).length > 0) found.push([400, exampleFault(operation)]);
  found.push([401, `${KEY_HEADER}: The key is unknown or was revoked.`]);
  if (operation.path.includes('{') || operation.id === 'createOrder') found.push([404, 'detail: Order not found.']);
  else if (operation.answers === 'page') found.push([404, 'detail: Invalid page.']);
  if (operation.method !== 'GET') {
    found.push([413, 'body: At most 1048576 bytes are accepted.']);
    found.push([415, 'Content-Type: application/json is required.']);
  }
  found.push([500, 'Internal server error.'], [503, 'detail: Another process is writing; try again.']);
  return found;
}

function exampleFault({ body, method, id }: Operation): string {
  if (id === 'cancelOrder') return 'delivery_state: Delivered orders cannot be cancelled.';
  if (id === 'createOrder')
    return 'merchant_location: This field is required.; workflow: "EXPRESS" is not a valid choice.';
  if (body) return `${Object.keys(body.properties)[0]}: Not a valid string.`;
  if (method === 'POST') return 'delivery_state: Pickup can be requested only for an order in CREATED.';
  return 'page: A valid integer is required.';
}

function refusal({ path }: Operation, status: ErrorStatus, details: string, components: Components): Json {
  const example = errorBody(status, details, `/v1/external${path}`);
  return {
    description: example.message,
    content: { [JSON_TYPE]: { schema: components.refer(ErrorBody), example } },
  };
}

import { VERSION } from '../base/version.ts';
import { API } from './answer.ts';
import { DECIDE_ROUTES } from './decide-routes.ts';
import type { DecideRoute } from './deciding/route.ts';
import { type PageName, READ_ROUTES } from './routes.ts';
import { SYNC_BODY } from './serve-syncs.ts';

const COUNT = { type: 'integer', minimum: 0 };

const SYNC = {
  type: 'object',
  required: ['id', 'status', 'progress', 'said'],
  properties: {
    id: COUNT,
    status: { enum: ['running', 'complete', 'partial', 'failed', 'cancelled'] },
    progress: { type: 'object', properties: { months: COUNT, invoices: COUNT, orders: COUNT, faults: COUNT } },
    said: { type: 'string' },
  },
};

const JSON_OBJECT = { 'application/json': { schema: { type: 'object', additionalProperties: true } } };

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is no such decision, a program sent no Idempotency-Key, or a list has no such column or limit',
  401: 'Nobody is let in by this request',
  403: 'The sender may not do this',
  404: 'There is no such thing',
  409: 'Somebody was first, another command is at work, or the key was used for another request',
  413: 'More was sent than the desk takes',
  422: 'The books do not allow it',
};

const LANGUAGE = { name: 'lang', in: 'query', schema: { type: 'string', enum: ['en', 'ar'] } };
const COURIER = { name: 'courier', in: 'query', schema: { type: 'string' } };
const FORMAT = { name: 'format', in: 'query', schema: { type: 'string', enum: ['xlsx', 'html'], default: 'xlsx' } };

/** Path, operationId, summary and query parameters of each download. */
const DOWNLOADS = [
  ['/evidence/:sha256/download', 'downloadEvidence', 'A document as received, byte for byte', []],
  ['/months/:month/statement', 'downloadStatement', 'A statement of the month as it is', [FORMAT, COURIER, LANGUAGE]],
  [
    '/months/:month/dispute',
    'downloadDispute',
    'What of the month is disputed, as a page to print',
    [COURIER, LANGUAGE],
  ],
  ['/claims/:id/letter', 'downloadLetter', 'The letter about a claimed mismatch, byte for byte as it was sent', []],
] as const;

function refusals(...statuses: readonly number[]) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(statuses.map((status) => [status, { description: REFUSALS[status], content }]));
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
};

/** The desk's JSON as OpenAPI 3.1: every page that can be read, every decision that can be sent. */
export function openapiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  const methodsOf = (path: string) => {
    // `/orders/:id` → `/api/v1/orders/{id}`
    const template = `${API}${path}`.replace(/:(\w+)/g, '{$1}');
    paths[template] ??= {};
    return paths[template];
  };
  for (const [name, route] of Object.entries(READ_ROUTES) as [PageName, (typeof READ_ROUTES)[PageName]][]) {
    methodsOf(route.path).get = {
      operationId: `read${name[0]!.toUpperCase()}${name.slice(1)}`,
      summary: route.title,
      parameters: [
        ...parametersIn(route.path),
        ...(route.query ?? []).map((parameter) => ({ name: parameter, in: 'query', schema: { type: 'string' } })),
        { name: 'format', in: 'query', schema: { type: 'string', enum: ['json', 'csv', 'xlsx'] } },
      ],
      responses: { 200: { description: 'What the page shows', content: JSON_OBJECT }, ...refusals(400, 401, 404) },
    };
  }
  for (const [path, operationId, summary, parameters] of DOWNLOADS) {
    methodsOf(path).get = {
      operationId,
      summary,
      parameters: [...parametersIn(path), ...parameters],
      responses: { 200: { description: 'The file', content: { '*/*': {} } }, ...refusals(401, 404) },
    };
  }
  for (const route of DECIDE_ROUTES) methodsOf(route.path).post = decisionOf(route);
  const sync = (description: string) => ({ description, content: { 'application/json': { schema: SYNC } } });
  methodsOf('/syncs').post = {
    operationId: 'startSync',
    summary: 'Bring invoices and their orders from the couriers’ APIs; one sync runs at a time',
    requestBody: { required: true, content: { 'application/json': { schema: SYNC_BODY } } },
    responses: {
      200: sync('The same, by a later version'),
      202: sync('It runs'),
      ...refusals(400, 401, 403, 409, 422),
    },
  };
  methodsOf('/syncs/:id').get = {
    operationId: 'readSync',
    summary: 'How far a sync is, and what it brought',
    parameters: parametersIn('/syncs/:id'),
    responses: { 200: sync('The sync'), ...refusals(401, 404) },
  };
  methodsOf('/syncs/:id/cancel').post = {
    operationId: 'cancelSync',
    summary: 'End a sync: what it brought is kept',
    parameters: parametersIn('/syncs/:id/cancel'),
    requestBody: { required: false, content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
    responses: { 200: sync('The sync'), ...refusals(400, 401, 403, 404, 409, 422) },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'remit: the web desk', version: VERSION },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function decisionOf({ path, title, operationId, body, takesFiles, isForPeople }: DecideRoute) {
  const { properties, ...schema } = body;
  const file = { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } };
  const content = takesFiles
    ? { 'multipart/form-data': { schema: { ...schema, properties: { ...properties, file } } } }
    : { 'application/json': { schema: body } };
  return {
    operationId,
    summary: isForPeople ? `${title}. For people alone: a token gets 403` : title,
    parameters: [
      ...parametersIn(path),
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'Needed with a token: the same key and body get the same answer',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content },
    responses: {
      200: { description: 'What was decided; `waiting` where a second person has to approve it', content: JSON_OBJECT },
      ...refusals(400, 401, 403, 409, 413, 422),
    },
  };
}

function parametersIn(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } };
  });
}

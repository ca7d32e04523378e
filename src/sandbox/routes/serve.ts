import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, type OperationName, operations } from '../../api/operations.ts';
import { authenticate } from '../http/auth.ts';
import { readBody } from '../http/bodies.ts';
import type { ReadCache } from '../http/cache.ts';
import { coerceTexts } from '../http/coerce.ts';
import { type Decoded, decode } from '../http/decode.ts';
import { ServiceError } from '../http/errors.ts';
import { originOf } from '../http/origin.ts';
import { type Listing, pageOf } from '../http/paging.ts';
import { Problems } from '../http/problems.ts';
import { readQuery } from '../http/query.ts';
import { type ResultShape, shapeList, shapePage } from '../http/shapes.ts';
import { jsonOf, Ready } from '../present/ready.ts';
import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';
import type { Call } from './handler.ts';
import { handlers } from './index.ts';

export interface Service {
  readonly store: Store;
  readonly cache: ReadCache;
  readonly results: ResultShape;
  readonly now: () => Date;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** Puts every operation on its route, behind the key; their paths refuse all other methods with 405. */
export function serveOperations(api: FastifyInstance, service: Service): void {
  api.addHook('onRequest', async (request) => {
    request.merchant = authenticate(request, service.store, service.cache);
  });
  const allowed = new Map<string, string[]>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const handle = handlers[name as OperationName] as Handle;
    const url = `/${operation.path}`.replace(/\{(\w+)\}/g, ':$1');
    const own = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method];
    allowed.set(url, [...(allowed.get(url) ?? []), ...own]);
    api.route({
      method: operation.method,
      url,
      handler:
        operation.method === 'GET' ? answerRead(operation, handle, service) : answerWrite(operation, handle, service),
    });
  }
  for (const [url, methods] of allowed) {
    const refuse = async (request: FastifyRequest) => {
      throw new ServiceError(405, `detail: Method "${request.method}" not allowed.`, { allow: methods.join(', ') });
    };
    const others = METHODS.filter((method) => !methods.includes(method));
    // Refused before the body is looked at: what it holds does not matter.
    api.route({ method: others, url, onRequest: refuse, handler: refuse });
  }
}

/** A handler of any operation: what it is called with is what its declaration decoded. */
type Handle = (call: Call<never, never>) => object;
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function answerRead(operation: Operation, handle: Handle, service: Service): Handler {
  const { store, cache } = service;
  return async (request, reply) => {
    const key = `${request.merchant} ${request.headers.host} ${request.url}`;
    const answer = cache.answer(key, () =>
      store.read(() => {
        const call = callOf(operation, service, request, { value: {}, problems: new Problems() });
        return bodyOf(operation, handle(call as Call<never, never>), call, request.url, service.results);
      }),
    );
    return reply.type('application/json; charset=utf-8').send(answer);
  };
}

function answerWrite(operation: Operation, handle: Handle, service: Service): Handler {
  return async (request, reply) => {
    const body = await readBody(request);
    const { value = {}, isForm } = body;
    const decoded = operation.body
      ? decode(operation.body, isForm ? coerceTexts(operation.body, value) : value)
      : { value: {}, problems: new Problems() };
    const call = callOf(operation, service, request, decoded);
    return reply.status(operation.status).send(handle(call as Call<never, never>));
  };
}

function callOf(operation: Operation, service: Service, request: FastifyRequest, body: Decoded<unknown>): Call {
  const query = readQuery(operation.query, request.query as Record<string, unknown>);
  if (request.merchant === null) throw new Error('a request came past the key');
  return {
    store: service.store,
    merchant: request.merchant,
    at: timestamp(service.now()),
    origin: originOf(request),
    params: request.params as Record<string, string>,
    query,
    body,
  };
}

/** An answer as it is sent. */
function bodyOf({ answer: kind }: Operation, answer: object, call: Call, url: string, shape: ResultShape): Buffer {
  switch (kind) {
    case 'page':
      return jsonOf(
        shapePage(pageOf(answer as Listing, call.query as { page?: number }, `${call.origin}${url}`), shape),
      );
    case 'list':
      return Buffer.from(JSON.stringify(shapeList(answer as unknown[], shape)));
    default:
      return answer instanceof Ready ? answer.bytes : Buffer.from(JSON.stringify(answer));
  }
}

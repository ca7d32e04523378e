import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, type OperationName, operations } from '../../api/operations.ts';
import { timestamp } from '../calendar.ts';
import { readRequestBody } from '../http/bodies.ts';
import { coerceTexts, type Decoded, decodeInput, readQuery } from '../http/decode.ts';
import { KEY_HEADER, Problems, ServiceError } from '../http/errors.ts';
import { originOf } from '../http/host.ts';
import { type PagedList, type ResultShape, resultPage, shapeList, shapePage } from '../http/shapes.ts';
import { hashKey, merchantOfKeyHash } from '../store/merchants.ts';
import type { MerchantRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { customerHandlers } from './customers.ts';
import type { Call, Handlers } from './handler.ts';
import { invoiceHandlers } from './invoices.ts';
import { locationHandlers } from './locations.ts';
import { orderHandlers } from './orders.ts';

interface Service {
  readonly store: Store;
  readonly results: ResultShape;
  readonly now: () => Date;
}

/** The handler of each operation that `api/operations.ts` declares. */
const handlers: Handlers = {
  ...orderHandlers,
  ...customerHandlers,
  ...locationHandlers,
  ...invoiceHandlers,
  profile: ({ store, merchant, origin }) => {
    const row = store.get<MerchantRow>('select * from merchant where id = ?', merchant)!;
    return {
      organisation_name: row.name,
      brand: row.brand,
      logo_url: `${origin}/brand/${row.id}/logo.png`,
      primary_color: row.primary_color,
    };
  },
};

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** Puts every operation on its route, behind the key. Each path refuses all other methods with 405. */
export function serveOperations(api: FastifyInstance, service: Service): void {
  api.addHook('onRequest', async (request) => {
    request.merchant = authenticate(request, service.store);
  });
  const allowed = new Map<string, string[]>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { method } = operation;
    const url = `/${operation.path}`.replace(/\{(\w+)\}/g, ':$1');
    allowed.set(url, [...(allowed.get(url) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
    api.route({ method, url, handler: handlerOf(operation, handlers[name as OperationName] as Handle, service) });
  }
  for (const [url, methods] of allowed) {
    const refuse = async (request: FastifyRequest) => {
      throw new ServiceError(405, `detail: Method "${request.method}" not allowed.`, { allow: methods.join(', ') });
    };
    const refused = METHODS.filter((method) => !methods.includes(method));
    // Before the body is read: a wrong method is refused even with an unreadable body.
    api.route({ method: refused, url, onRequest: refuse, handler: refuse });
  }
}

/**
 * The merchant whose key a request carries.
 *
 * @throws ServiceError 401 when the key is missing, unknown or revoked; the answer does not tell the last two apart
 */
function authenticate(request: FastifyRequest, store: Store): number {
  const key = request.headers[KEY_HEADER.toLowerCase()];
  if (typeof key !== 'string' || key === '') throw new ServiceError(401, `${KEY_HEADER}: This header is required.`);
  const merchant = merchantOfKeyHash(store, hashKey(key));
  if (merchant === undefined) throw new ServiceError(401, `${KEY_HEADER}: The key is unknown or was revoked.`);
  return merchant;
}

/** A handler of any operation: `never` stands for the query and body that it alone knows. */
type Handle = (call: Call<never, never>) => object;

/** The handler of a route: it decodes the request, calls `handle` in one transaction, and wraps the answer. */
function handlerOf(operation: Operation, handle: Handle, { store, results, now }: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (request.merchant === null) throw new Error('a request came past the key');
    const body = await decodeBody(operation, request);
    const call: Call = {
      store,
      merchant: request.merchant,
      at: timestamp(now()),
      origin: originOf(request),
      params: request.params as Record<string, string>,
      query: readQuery(operation.query, request.query as Record<string, unknown>),
      body,
    };
    const respond = () => shaped(operation, handle(call as Call<never, never>), call, request.url, results);
    const answered = operation.method === 'GET' ? store.read(respond) : store.write(respond);
    return reply.status(operation.status).send(answered);
  };
}

async function decodeBody(operation: Operation, request: FastifyRequest): Promise<Decoded<unknown>> {
  // Even an operation without a body refuses one that cannot be read.
  const { value = {}, isForm } = await readRequestBody(request);
  if (!operation.body) return { value: {}, problems: new Problems() };
  return decodeInput(operation.body, isForm ? coerceTexts(operation.body, value) : value);
}

/** The answer of an operation's handler, wrapped as the service wraps its lists. */
function shaped({ answer }: Operation, given: object, call: Call, url: string, shape: ResultShape): object {
  if (answer === 'list') return shapeList(given as unknown[], shape);
  if (answer !== 'page') return given;
  return shapePage(resultPage(given as PagedList, call.query as { page?: number }, `${call.origin}${url}`), shape);
}

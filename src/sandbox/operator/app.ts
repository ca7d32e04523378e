import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RemitError } from '../../errors.ts';
import { readBody } from '../http/bodies.ts';
import { ServiceError, toServiceError } from '../http/errors.ts';
import { newServer } from '../http/server.ts';
import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';
import { OperatorError } from './errors.ts';
import { issueInvoice } from './invoicing.ts';
import { isOperatorKey } from './keys.ts';
import { momentOfIssue } from './moment.ts';
import { moveOrder } from './move-order.ts';
import { isMove, MOVES } from './moves.ts';
import { payInvoice } from './paying.ts';

/** The header that carries the operator's key. */
const OPERATOR_KEY_HEADER = 'X-Operator-Key';

/** Where the operator's paths begin. */
export const OPERATOR_PREFIX = '/v1/operator';

/**
 * The operator's side as an API of its own, to be served on a loopback port of its own (design: 'the operator's side'). Its
 * keys are made with `createOperatorKey`; a merchant's key opens nothing here. Errors have the form of the merchant API's.
 *
 * `POST orders/{order_id}/{move}/` · `POST invoices/` with `{"merchant", "date"?}` · `POST invoices/{number}/pay/`
 */
export async function buildOperatorApp({ store, now }: { store: Store; now: () => Date }): Promise<FastifyInstance> {
  const app = await newServer({ refusal: refusalOf, ignoreTrailingSlash: true });
  app.addHook('onRequest', async (request) => authenticate(request, store));

  app.post<{ Params: { orderId: string; move: string } }>(
    `${OPERATOR_PREFIX}/orders/:orderId/:move`,
    async ({ params: { orderId, move } }) => {
      if (!isMove(move)) {
        throw new ServiceError(
          404,
          `move: There is none of this name; the moves are ${Object.keys(MOVES).join(', ')}.`,
        );
      }
      return { order_id: orderId, ...moveOrder(store, orderId, move, timestamp(now())) };
    },
  );
  app.post(`${OPERATOR_PREFIX}/invoices`, async (request, reply) => {
    const { value } = await readBody(request);
    const { merchant, date } = (value ?? {}) as { merchant?: unknown; date?: unknown };
    if (typeof merchant !== 'string')
      throw new ServiceError(400, "merchant: The merchant's name is required, as text.");
    if (date !== undefined && typeof date !== 'string') throw new ServiceError(400, 'date: Text such as 2026-10-31.');
    reply.code(201);
    return issueInvoice(store, merchant, momentOfIssue(store, now(), date));
  });
  app.post<{ Params: { number: string } }>(
    `${OPERATOR_PREFIX}/invoices/:number/pay`,
    async ({ params: { number } }) => {
      if (!/^\d{1,15}$/.test(number)) throw new ServiceError(404, 'detail: Invoice not found.');
      return payInvoice(store, Number(number), timestamp(now()));
    },
  );
  return app;
}

/** Sentences for people, as the details of an error body. */
function refusalOf(error: unknown): ServiceError {
  if (error instanceof OperatorError && error.kind === 'not-found') return new ServiceError(404, told(error));
  if (error instanceof RemitError) return new ServiceError(400, told(error));
  return toServiceError(error);
}

const told = (error: RemitError): string => `detail: ${error.message}. ${error.hint}`;

function authenticate(request: FastifyRequest, store: Store): void {
  const key = request.headers[OPERATOR_KEY_HEADER.toLowerCase()];
  if (typeof key !== 'string' || key === '') {
    throw new ServiceError(401, `${OPERATOR_KEY_HEADER}: This header is required.`);
  }
  if (!isOperatorKey(store, key)) {
    throw new ServiceError(401, `${OPERATOR_KEY_HEADER}: The key is unknown or was replaced.`);
  }
}

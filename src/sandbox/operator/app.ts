import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RemitError } from '../../base/errors.ts';
import { timestamp } from '../calendar.ts';
import { readRequestBody } from '../http/bodies.ts';
import { ServiceError, toServiceError } from '../http/errors.ts';
import { newServer } from '../http/server.ts';
import { isOperatorKey } from '../store/merchants.ts';
import type { Store } from '../store/store.ts';
import { issueInvoice, momentOfIssue, payInvoice } from './invoicing.ts';
import { isMove, MOVES, moveOrder, OperatorError } from './moves.ts';

const OPERATOR_KEY_HEADER = 'X-Operator-Key';

export const OPERATOR_PREFIX = '/v1/operator';

/**
 * Builds the API of the delivery company's operator, who moves orders and issues and pays invoices. It is served on a
 * separate loopback port, and takes the operator's key (`createOperatorKey`), never a merchant's. Errors look as in the
 * merchant API.
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
        const moves = Object.keys(MOVES).join(', ');
        throw new ServiceError(404, `move: There is none of this name; the moves are ${moves}.`);
      }
      return { order_id: orderId, ...moveOrder(store, orderId, move, timestamp(now())) };
    },
  );
  app.post(`${OPERATOR_PREFIX}/invoices`, async (request, reply) => {
    const { value } = await readRequestBody(request);
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

function refusalOf(error: unknown): ServiceError {
  if (error instanceof OperatorError && error.kind === 'not-found') return new ServiceError(404, detailsOf(error));
  if (error instanceof RemitError) return new ServiceError(400, detailsOf(error));
  return toServiceError(error);
}

const detailsOf = (error: RemitError): string => `detail: ${error.message}. ${error.hint}`;

function authenticate(request: FastifyRequest, store: Store): void {
  const key = request.headers[OPERATOR_KEY_HEADER.toLowerCase()];
  if (typeof key !== 'string' || key === '') {
    throw new ServiceError(401, `${OPERATOR_KEY_HEADER}: This header is required.`);
  }
  if (!isOperatorKey(store, key)) {
    throw new ServiceError(401, `${OPERATOR_KEY_HEADER}: The key is unknown or was replaced.`);
  }
}

import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InvoiceDetail, InvoiceListItem } from '../../api/wire.ts';
import { KEY_HEADER } from '../http/auth.ts';
import { errorBody, ServiceError } from '../http/errors.ts';
import { Dice, type Draws } from './dice.ts';
import type { Faults } from './parse.ts';
import { isPage, itemsOf, lowerCount, restate } from './rewrite.ts';

/** Marks the requests that the hooks make themselves; its value is known to nobody else. */
const INNER_HEADER = 'x-inner-request';

/** Puts faults before and behind the routes of the merchant API. */
export function faultHooks(faults: Faults): (api: FastifyInstance) => void {
  const dice = new Dice(faults);
  const inner = randomUUID();
  const drawsOf = new WeakMap<FastifyRequest, Draws>();

  return (api) => {
    api.addHook('onRequest', async (request) => {
      if (request.headers[INNER_HEADER] === inner) return;
      const draws = dice.draws(request.method, request.url);
      drawsOf.set(request, draws);
      const [least, most] = faults.latency;
      if (most > 0) await setTimeout(draws.between('latency', least, most));
      if (draws.chance('429', faults.tooMany)) {
        throw new ServiceError(429, 'detail: A fault that was asked for with --faults.', {
          'retry-after': String(faults.retryAfter),
        });
      }
      if (draws.chance('500', faults.serverError)) {
        throw new ServiceError(500, 'Internal server error.');
      }
    });

    api.addHook('onSend', async (request, reply, payload) => {
      const draws = drawsOf.get(request);
      if (!draws || request.method !== 'GET' || reply.statusCode !== 200) return payload;
      return rewritten(api, request, reply, payload, draws);
    });

    // With `done` instead of a promise: an answer that is cut off is never finished.
    api.addHook('onSend', (request, reply, payload, done) => {
      const draws = drawsOf.get(request);
      if (draws?.chance('drop', faults.drop)) cutOff(reply, '');
      else if (draws?.chance('truncate', faults.truncate)) cutOff(reply, textOf(payload));
      else done(null, payload);
    });
  };

  async function rewritten(
    api: FastifyInstance,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    draws: Draws,
  ): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const invoices = /\/invoices\/(?:(\d+)\/)?$/.exec(pathname);
    const body: unknown = JSON.parse(textOf(payload));
    if (invoices?.[1]) {
      if (dice.strikes('vanish', faults.vanish, Number(invoices[1]))) {
        reply.code(404);
        return JSON.stringify(errorBody(404, 'detail: Invoice not found.', request.url));
      }
      restateStruck(body as InvoiceDetail);
    } else if (isPage(body)) {
      const items = itemsOf(body);
      if (invoices) {
        lowerCount(body, await countVanished(api, request));
        const shown = (items as InvoiceListItem[]).filter(({ number }) => !isVanished(number));
        shown.forEach(restateStruck);
        items.splice(0, items.length, ...shown);
      }
      if (Number(searchParams.get('page') ?? 1) > 1 && draws.chance('drift', faults.drift)) items.shift();
    } else return payload;
    reply.removeHeader('content-length');
    return JSON.stringify(body);
  }

  function isVanished(number: number): boolean {
    return dice.strikes('vanish', faults.vanish, number);
  }

  function restateStruck(invoice: InvoiceListItem | InvoiceDetail): void {
    if (dice.strikes('restate', faults.restate, invoice.number)) restate(invoice);
  }

  /** How many invoices of a list have vanished, over all of its pages, so that the count it states is that of what it shows. */
  async function countVanished(api: FastifyInstance, request: FastifyRequest): Promise<number> {
    if (faults.vanish.probability === 0 && faults.vanish.numbers.size === 0) return 0;
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.set('page_size', '100');
    let vanished = 0;
    for (let page = 1; ; page++) {
      url.searchParams.set('page', String(page));
      const answer = await api.inject({
        url: url.pathname + url.search,
        headers: { [INNER_HEADER]: inner, [KEY_HEADER]: String(request.headers[KEY_HEADER.toLowerCase()]) },
      });
      const body: unknown = answer.json();
      if (!isPage(body)) return vanished;
      vanished += (itemsOf(body) as InvoiceListItem[]).filter(({ number }) => isVanished(number)).length;
      if (body.next === null) return vanished;
    }
  }
}

/** Ends the connection after the first half of a text, with headers that promise all of it; at once where there is none. */
function cutOff(reply: FastifyReply, text: string): void {
  const { raw } = reply.hijack();
  if (text === '') {
    raw.destroy();
    return;
  }
  const body = Buffer.from(text);
  raw.writeHead(reply.statusCode, { ...reply.getHeaders(), 'content-length': body.length } as OutgoingHttpHeaders);
  raw.write(body.subarray(0, body.length / 2), () => raw.destroy());
}

function textOf(payload: unknown): string {
  return Buffer.isBuffer(payload) ? payload.toString('utf8') : String(payload ?? '');
}

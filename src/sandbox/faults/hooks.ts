import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InvoiceDetail, InvoiceListItem } from '../../api/wire.ts';
import { errorBody, KEY_HEADER, ServiceError } from '../http/errors.ts';
import { originOf } from '../http/host.ts';
import { spoil } from '../routes/invoices.ts';
import { Dice, type Draws } from './dice.ts';
import type { Faults } from './parse.ts';
import { bomb, isPage, itemsOf, lowerCount, renamed, restate, setNext, type Wrapper, withDepth } from './rewrite.ts';

/** Marks the requests that these hooks make to the service; only they know its value. */
const INNER_HEADER = 'x-inner-request';

/** Adds faults to the routes of the merchant API, before and after they run. */
export function faultHooks(faults: Faults, now: () => Date): (api: FastifyInstance) => void {
  const dice = new Dice(faults);
  const quota = new Quota(faults, now);
  const inner = randomUUID();
  const drawsOf = new WeakMap<FastifyRequest, Draws>();

  return (api) => {
    api.addHook('onRequest', async (request) => {
      if (request.headers[INNER_HEADER] === inner) return;
      const wait = quota.take(keyOf(request));
      if (wait !== null) {
        throw new ServiceError(429, 'detail: The plan allows no more requests for now.', {
          'retry-after': String(wait),
        });
      }
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
      if (!draws || request.method !== 'GET') return payload;
      if (pathOf(request) === 'orders/' && faults.bomb > 0 && reply.statusCode === 200) {
        reply.header('content-encoding', 'gzip').removeHeader('content-length');
        return bomb(faults.bomb);
      }
      if (pathOf(request) === 'orders/' && faults.endless && [200, 404].includes(reply.statusCode)) {
        reply.code(200).removeHeader('content-length');
        return JSON.stringify(await endlessPage(api, request));
      }
      if (reply.statusCode !== 200) return payload;
      return rewritten(api, request, reply, payload, draws);
    });

    // With `done`: a promise would have to finish the answer that is cut off here.
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
      if (dice.strikes('malformed', faults.malformed, Number(invoices[1]))) spoil(body as InvoiceDetail);
    } else if (pathname.endsWith('/profile/') && faults.echo) {
      Object.assign(body as object, { organisation_name: `Account of ${keyOf(request)}` });
    } else if (isPage(body)) {
      const items = itemsOf(body);
      const asked = Number(searchParams.get('page_size') ?? 0);
      if (faults.pageSize > 0 && asked > 100) await widen(api, request, body, items, Math.min(asked, faults.pageSize));
      if (invoices) {
        lowerCount(body, await countVanished(api, request));
        const shown = (items as InvoiceListItem[]).filter(({ number }) => !isVanished(number));
        shown.forEach(restateStruck);
        items.splice(0, items.length, ...shown);
        const month = `${searchParams.get('year')}-${String(searchParams.get('month')).padStart(2, '0')}`;
        if (faults.incomplete.has(month)) lowerCount(body, -1);
      }
      if (faults.deep > 0 && pathOf(request) === 'orders/') {
        reply.removeHeader('content-length');
        return withDepth(body, items, faults.deep);
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

  /** How many invoices have vanished from a list, over all of its pages, so that its count can leave them out. */
  async function countVanished(api: FastifyInstance, request: FastifyRequest): Promise<number> {
    if (faults.vanish.probability === 0 && faults.vanish.numbers.size === 0) return 0;
    const all = await itemsBetween(api, request, 0, Number.POSITIVE_INFINITY);
    return (all as InvoiceListItem[]).filter(({ number }) => isVanished(number)).length;
  }

  /** The items from one place to another of the requested list, across its pages. */
  async function itemsBetween(
    api: FastifyInstance,
    request: FastifyRequest,
    from: number,
    to: number,
  ): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let page = Math.floor(from / 100) + 1; (page - 1) * 100 < to; page++) {
      const body = await ask(api, request, { page, page_size: 100 });
      if (!isPage(body)) break;
      found.push(...itemsOf(body));
      if (body.next === null) break;
    }
    const skipped = Math.floor(from / 100) * 100;
    return found.slice(from - skipped, to - skipped);
  }

  /** Fills a page up to the size that was asked for. */
  async function widen(
    api: FastifyInstance,
    request: FastifyRequest,
    body: Wrapper,
    items: unknown[],
    size: number,
  ): Promise<void> {
    const page = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 1);
    items.splice(0, items.length, ...(await itemsBetween(api, request, (page - 1) * size, page * size)));
    setNext(body, page * size < body.count ? linkTo(request, page + 1) : null);
  }

  /** A page of an order book that never ends: after the last page, the first one again under new ids. */
  async function endlessPage(api: FastifyInstance, request: FastifyRequest): Promise<unknown> {
    const page = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 1);
    let body = await ask(api, request, { page });
    if (!isPage(body)) {
      body = await ask(api, request, { page: 1 });
      if (isPage(body)) renamed(itemsOf(body), page);
    }
    if (isPage(body)) setNext(body, linkTo(request, page + 1));
    return body;
  }

  /** Requests a page of the same list from the service, without faults. */
  async function ask(
    api: FastifyInstance,
    request: FastifyRequest,
    query: Readonly<Record<string, number>>,
  ): Promise<unknown> {
    const url = new URL(request.url, 'http://localhost');
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const answer = await api.inject({
      url: url.pathname + url.search,
      headers: { [INNER_HEADER]: inner, [KEY_HEADER]: keyOf(request), host: request.host },
    });
    return answer.json();
  }
}

const keyOf = (request: FastifyRequest): string => String(request.headers[KEY_HEADER.toLowerCase()]);

/** The path of a request below the base URL. */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^.*\/external\//, '').replace(/\?.*$/, '');
}

function linkTo(request: FastifyRequest, page: number): string {
  const url = new URL(request.url, originOf(request));
  url.searchParams.set('page', String(page));
  return url.href;
}

/** Closes the connection after half of a text whose headers promise all of it; at once where the text is empty. */
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

/** The plan of a key that allows so many requests a minute and a month, and answers no more until it ends. Its counts end with the process. */
class Quota {
  readonly #limits: readonly { readonly most: number; readonly end: (now: Date) => number }[];
  readonly #now: () => Date;
  /** By key and the instant at which they begin again. */
  readonly #counts = new Map<string, number>();

  constructor({ perMinute, perMonth }: Pick<Faults, 'perMinute' | 'perMonth'>, now: () => Date) {
    this.#now = now;
    this.#limits = [
      { most: perMinute, end: (at: Date) => (Math.floor(at.getTime() / 60_000) + 1) * 60_000 },
      { most: perMonth, end: (at: Date) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) },
    ].filter(({ most }) => most > 0);
  }

  /** Counts a request of a key. @returns the seconds until it may ask again where it has asked too often; null where it has not */
  take(key: string): number | null {
    const now = this.#now();
    let wait: number | null = null;
    for (const { most, end } of this.#limits) {
      const until = end(now);
      const count = (this.#counts.get(`${key} ${until}`) ?? 0) + 1;
      this.#counts.set(`${key} ${until}`, count);
      if (count > most) wait = Math.max(wait ?? 1, Math.ceil((until - now.getTime()) / 1_000));
    }
    return wait;
  }
}

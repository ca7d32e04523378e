import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InvoiceDetail, InvoiceListItem } from '../../api/wire.ts';
import { errorBody, KEY_HEADER, ServiceError } from '../http/errors.ts';
import { originOf } from '../http/host.ts';
import { seededRandom } from '../random.ts';
import { spoil } from '../routes/invoices.ts';
import type { Faults, StruckInvoices } from './faults.ts';
import {
  isPage,
  itemsOf,
  lowerCount,
  renewIds,
  restate,
  setNext,
  type Wrapper,
  withDepth,
  zipBomb,
} from './rewrite.ts';

/** Marks the requests that these hooks make to the service, by a random value. */
const INNER_HEADER = 'x-inner-request';

/** The page size by default, and the most items of a page without a fault. */
const PAGE_SIZE = 100;

/** Adds faults to the merchant API: refusals and delays before a route runs, changes to its answer afterwards. */
export function addFaults(api: FastifyInstance, faults: Faults, now: () => Date): void {
  const dice = diceOf(faults.seed);
  const takeFromQuota = quota(faults, now);
  const innerMark = randomUUID();
  const drawsOf = new WeakMap<FastifyRequest, Draws>();

  api.addHook('onRequest', async (request) => {
    if (request.headers[INNER_HEADER] === innerMark) return;
    const wait = takeFromQuota(keyOf(request));
    if (wait !== null) {
      throw new ServiceError(429, 'detail: The plan allows no more requests for now.', { 'retry-after': String(wait) });
    }
    const draws = dice.drawFor(request.method, request.url);
    drawsOf.set(request, draws);
    const [least, most] = faults.latency;
    if (most > 0) await setTimeout(draws.between('latency', least, most));
    if (draws.chance('429', faults.tooMany)) {
      throw new ServiceError(429, 'detail: A fault that was asked for with --faults.', {
        'retry-after': String(faults.retryAfter),
      });
    }
    if (draws.chance('500', faults.serverError)) throw new ServiceError(500, 'Internal server error.');
  });

  api.addHook('onSend', async (request, reply, payload) => {
    // A request of these hooks, or one beyond the quota, has no draws, and no fault strikes it.
    const draws = drawsOf.get(request);
    if (!draws || request.method !== 'GET') return payload;
    if (pathOf(request) === 'orders/' && faults.bomb > 0 && reply.statusCode === 200) {
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return zipBomb(faults.bomb);
    }
    // The service answers 404 for a page after the last, which an endless book does not have.
    if (pathOf(request) === 'orders/' && faults.endless && [200, 404].includes(reply.statusCode)) {
      reply.code(200).removeHeader('content-length');
      return JSON.stringify(await endlessPage(request));
    }
    if (reply.statusCode !== 200) return payload;
    return rewritten(request, reply, payload, draws);
  });

  // With a callback: a promise would have to finish the answer, which is cut off here.
  api.addHook('onSend', (request, reply, payload, done) => {
    const draws = drawsOf.get(request);
    if (draws?.chance('drop', faults.drop)) cutOff(reply, '');
    else if (draws?.chance('truncate', faults.truncate)) cutOff(reply, textOf(payload));
    else done(null, payload);
  });

  /** The answer with the faults in it that strike its invoice, profile or list. */
  async function rewritten(request: FastifyRequest, reply: FastifyReply, payload: unknown, draws: Draws) {
    const { pathname, searchParams } = urlOf(request);
    const [, invoiceNumber] = /\/invoices\/(\d+)\/$/.exec(pathname) ?? [];
    const body: unknown = JSON.parse(textOf(payload));
    if (invoiceNumber !== undefined) {
      if (isVanished(Number(invoiceNumber))) {
        reply.code(404);
        return JSON.stringify(errorBody(404, 'detail: Invoice not found.', request.url));
      }
      restateStruck(body as InvoiceDetail);
      if (dice.strikes('malformed', faults.malformed, Number(invoiceNumber))) spoil(body as InvoiceDetail);
    } else if (pathname.endsWith('/profile/') && faults.echo) {
      Object.assign(body as object, { organisation_name: `Account of ${keyOf(request)}` });
    } else if (isPage(body)) {
      const items = itemsOf(body);
      const size = Number(searchParams.get('page_size') ?? 0);
      if (faults.pageSize > 0 && size > PAGE_SIZE) await widen(request, body, items, Math.min(size, faults.pageSize));
      if (pathname.endsWith('/invoices/')) await rewriteInvoiceList(request, body, items);
      if (faults.deep > 0 && pathOf(request) === 'orders/') {
        reply.removeHeader('content-length');
        return withDepth(body, items, faults.deep);
      }
      if (pageOf(request) > 1 && draws.chance('drift', faults.drift)) items.shift();
    } else return payload;
    reply.removeHeader('content-length');
    return JSON.stringify(body);
  }

  /** Takes the vanished invoices off a page of the list, and restates those that a fault strikes. */
  async function rewriteInvoiceList(request: FastifyRequest, body: Wrapper, items: unknown[]): Promise<void> {
    const { searchParams } = urlOf(request);
    lowerCount(body, await countVanished(request));
    const listed = (items as InvoiceListItem[]).filter(({ number }) => !isVanished(number));
    listed.forEach(restateStruck);
    items.splice(0, items.length, ...listed);
    const month = `${searchParams.get('year')}-${String(searchParams.get('month')).padStart(2, '0')}`;
    // The list states one invoice more than it shows.
    if (faults.incomplete.has(month)) lowerCount(body, -1);
  }

  function isVanished(number: number): boolean {
    return dice.strikes('vanish', faults.vanish, number);
  }

  function restateStruck(invoice: InvoiceListItem | InvoiceDetail): void {
    if (dice.strikes('restate', faults.restate, invoice.number)) restate(invoice);
  }

  /** Counts the invoices that vanish from a list, on all of its pages, so that its stated count can leave them out. */
  async function countVanished(request: FastifyRequest): Promise<number> {
    if (faults.vanish.probability === 0 && faults.vanish.numbers.size === 0) return 0;
    const allItems = await itemsBetween(request, 0, Number.POSITIVE_INFINITY);
    return (allItems as InvoiceListItem[]).filter(({ number }) => isVanished(number)).length;
  }

  /** The items of the requested list from one index to another, across its pages. */
  async function itemsBetween(request: FastifyRequest, from: number, to: number): Promise<unknown[]> {
    const items: unknown[] = [];
    const firstPage = Math.floor(from / PAGE_SIZE) + 1;
    for (let page = firstPage; (page - 1) * PAGE_SIZE < to; page++) {
      const body = await pageWithoutFaults(request, { page, page_size: PAGE_SIZE });
      if (!isPage(body)) break;
      items.push(...itemsOf(body));
      if (body.next === null) break;
    }
    const skipped = (firstPage - 1) * PAGE_SIZE;
    return items.slice(from - skipped, to - skipped);
  }

  /** Fills a page up to a size above the service's limit. */
  async function widen(request: FastifyRequest, body: Wrapper, items: unknown[], size: number): Promise<void> {
    const page = pageOf(request);
    items.splice(0, items.length, ...(await itemsBetween(request, (page - 1) * size, page * size)));
    setNext(body, page * size < body.count ? linkTo(request, page + 1) : null);
  }

  /** A page of an order book that never ends: after the last page, the first one again, with new ids. */
  async function endlessPage(request: FastifyRequest): Promise<unknown> {
    const page = pageOf(request);
    let body = await pageWithoutFaults(request, { page });
    if (!isPage(body)) {
      body = await pageWithoutFaults(request, { page: 1 });
      if (isPage(body)) renewIds(itemsOf(body), page);
    }
    if (isPage(body)) setNext(body, linkTo(request, page + 1));
    return body;
  }

  async function pageWithoutFaults(request: FastifyRequest, query: Readonly<Record<string, number>>): Promise<unknown> {
    const url = urlOf(request);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const answer = await api.inject({
      url: url.pathname + url.search,
      headers: { [INNER_HEADER]: innerMark, [KEY_HEADER]: keyOf(request), host: request.host },
    });
    return answer.json();
  }
}

const keyOf = (request: FastifyRequest): string => String(request.headers[KEY_HEADER.toLowerCase()]);

const urlOf = (request: FastifyRequest): URL => new URL(request.url, 'http://localhost');

/** The page of a list that a request asks for, from 1. */
const pageOf = (request: FastifyRequest): number => Number(urlOf(request).searchParams.get('page') ?? 1);

/** The path of a request below the base URL. */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^.*\/external\//, '').replace(/\?.*$/, '');
}

function linkTo(request: FastifyRequest, page: number): string {
  const url = new URL(request.url, originOf(request));
  url.searchParams.set('page', String(page));
  return url.href;
}

/** Closes the connection after half of a text, whose headers promise all of it; at once if the text is empty. */
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

/** After this many distinct requests the counts start again, so that memory stays bounded. */
const MOST_REQUESTS = 10_000;

/** The random draws for one request, by the names of faults: the same request draws the same in every run. */
type Draws = ReturnType<ReturnType<typeof diceOf>['drawFor']>;

/**
 * Decides which faults strike a request, from the seed, its method and URL, and how often it came before. The order in
 * which requests arrive does not matter, so that a run with parallel requests can be repeated.
 */
function diceOf(seed: string) {
  const timesSeen = new Map<string, number>();
  return {
    drawFor(method: string, url: string) {
      const request = `${method} ${url}`;
      const times = (timesSeen.get(request) ?? 0) + 1;
      if (timesSeen.size >= MOST_REQUESTS) timesSeen.clear();
      timesSeen.set(request, times);
      const random = (name: string) => seededRandom(`${seed}/${name}/${request}/${times}`);
      return {
        chance: (name: string, probability: number) => probability > 0 && random(name).chance(probability),
        between: (name: string, least: number, most: number) => random(name).int(least, most),
      };
    },
    /** A fault strikes an invoice, in every request or in none. */
    strikes(name: string, { numbers, probability }: StruckInvoices, invoice: number): boolean {
      if (numbers.has(invoice)) return true;
      return probability > 0 && seededRandom(`${seed}/${name}/${invoice}`).chance(probability);
    },
  };
}

const MINUTE_MS = 60_000;

/**
 * Limits the requests of a key in a minute and in a month. The counts end with the process.
 *
 * @returns a function that counts a request, and returns the seconds until the key may request again, or null if it is
 *   within its limits
 */
function quota({ perMinute, perMonth }: Faults, now: () => Date) {
  // `endOf`: when the minute or month of an instant ends, in milliseconds.
  const limits = [
    { most: perMinute, endOf: (instant: Date) => (Math.floor(instant.getTime() / MINUTE_MS) + 1) * MINUTE_MS },
    { most: perMonth, endOf: (instant: Date) => Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1) },
  ].filter(({ most }) => most > 0);
  /** Requests of the minute or month that ends at `until`, by limit and key. */
  const counts = new Map<string, { readonly until: number; readonly count: number }>();
  return (key: string): number | null => {
    const instant = now();
    let wait: number | null = null;
    for (const [limit, { most, endOf }] of limits.entries()) {
      const until = endOf(instant);
      const counted = counts.get(`${limit} ${key}`);
      const count = counted?.until === until ? counted.count + 1 : 1;
      counts.set(`${limit} ${key}`, { until, count });
      if (count > most) wait = Math.max(wait ?? 1, Math.ceil((until - instant.getTime()) / 1_000));
    }
    return wait;
  };
}

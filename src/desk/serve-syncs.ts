import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/seen.ts';
import { UsageError } from '../base/errors.ts';
import { isRelative, parsePeriod } from '../base/period.ts';
import type { ConfigSources } from '../config/index.ts';
import { because } from '../words/errors/desk.ts';
import { API, sendJson, sendPage, shapeOf } from './answer.ts';
import { bodyOf, readSent } from './deciding/body.ts';
import type { Desk } from './desk.ts';
import { contextOf } from './make-context.ts';
import { Refusal } from './refusal.ts';
import type { DeskSync, Syncs } from './syncs/syncs.ts';

export const SYNC_BODY = Type.Object(
  {
    couriers: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 100 })),
    period: Type.Optional(Type.String({ maxLength: 40 })),
    orders: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

interface Serving {
  readonly desk: Desk;
  readonly sources: ConfigSources;
  readonly syncs: Syncs;
  readonly readOnly: boolean;
}

/** Serves the start of a sync, its progress and its end. */
export function serveSyncs(app: FastifyInstance, { desk, sources, syncs, readOnly }: Serving): void {
  const serve = (method: 'GET' | 'POST', path: string, handler: typeof start) => {
    for (const url of [path, `${API}${path}`]) app.route({ method, url, handler });
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, sync: DeskSync, status: number) => {
    if (shapeOf(request) !== 'html') return sendJson(reply.status(status), jsonOf(sync));
    return reply.redirect(`/syncs/${sync.id}`, 303);
  };
  const start = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseFiles(request);
    const { couriers = [], period = null, orders = false } = bodyOf(SYNC_BODY, await readSent(request));
    const now = desk.books.now();
    if (period !== null) requirePeriod(period, now, desk);
    const by = request.who!.user;
    return answer(request, reply, syncs.start({ sources, by, couriers, period, orders, now: now.getTime() }), 202);
  };
  serve('POST', '/syncs', start);
  serve('POST', '/syncs/:id/cancel', async (request, reply) => {
    refuseFiles(request);
    return answer(request, reply, syncs.cancel(idOf(request)), 200);
  });
  serve('GET', '/syncs/:id', async (request, reply) => {
    const sync = syncs.get(idOf(request));
    if (shapeOf(request) !== 'html') return sendJson(reply, jsonOf(sync));
    const [path = '/', search] = request.url.split('?');
    const view = { readOnly, path, query: new URLSearchParams(search), seen: await readSeen(desk.books) };
    if (sync.status === 'running') reply.header('refresh', '1');
    return sendPage(reply, 'sync', sync, contextOf(request, desk, view));
  });
}

/** @throws UsageError if the text is no period */
function requirePeriod(text: string, now: Date, { books }: Desk): void {
  try {
    // Only `this-month` and `last-month` depend on a time zone.
    parsePeriod(text, now, isRelative(text) ? books.config.timeZone : 'UTC');
  } catch (error) {
    throw error instanceof UsageError ? error.at('period') : error;
  }
}

/** A sync takes no file, and is not previewed. @throws Refusal 400 */
function refuseFiles(request: FastifyRequest): void {
  if (request.isMultipart()) throw new Refusal(400, 'request', because({ id: 'no-files' }));
  if ('preview' in (request.query as object)) throw new Refusal(400, 'request', because({ id: 'no-such-preview' }));
}

/** The sync's number in the path; 0, which no sync has, for anything else. */
function idOf({ params }: FastifyRequest): number {
  const { id = '' } = params as { readonly id?: string };
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0;
}

function jsonOf({ id, status, progress, says }: DeskSync): object {
  return { id, status, progress, said: says.message };
}

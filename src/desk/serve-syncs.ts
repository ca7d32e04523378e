import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UsageError } from '../base/errors.ts';
import { isRelative, parsePeriod } from '../base/period.ts';
import type { ConfigSources } from '../config/index.ts';
import { deskError } from '../words/errors/desk.ts';
import { sendJson, sendPage, serveAt, shapeOf } from './answer.ts';
import { bodyOf, readSent } from './deciding/body.ts';
import type { Desk } from './desk.ts';
import { contextAt } from './make-context.ts';
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
}

export function serveSyncs(app: FastifyInstance, { desk, sources, syncs }: Serving): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, sync: DeskSync, status: number) => {
    if (shapeOf(request) !== 'html') return sendJson(reply.status(status), jsonOf(sync));
    return reply.redirect(`/syncs/${sync.id}`, 303);
  };
  const start = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseFilesAndPreviews(request);
    const { couriers = [], period = null, orders = false } = bodyOf(SYNC_BODY, await readSent(request));
    const now = desk.books.now();
    if (period !== null) requirePeriod(period, now, desk);
    const by = request.who!.user;
    return answer(request, reply, syncs.start({ sources, by, couriers, period, orders, now: now.getTime() }), 202);
  };
  const cancel = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseFilesAndPreviews(request);
    return answer(request, reply, syncs.cancel(idOf(request)), 200);
  };
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const sync = syncs.get(idOf(request));
    if (shapeOf(request) !== 'html') return sendJson(reply, jsonOf(sync));
    const context = await contextAt(request.url, request, desk);
    if (sync.status === 'running') reply.header('refresh', '1');
    return sendPage(reply, 'sync', sync, context);
  };
  serveAt(app, '/syncs', { method: 'POST', handler: start });
  serveAt(app, '/syncs/:id/cancel', { method: 'POST', handler: cancel });
  serveAt(app, '/syncs/:id', { method: 'GET', handler: show });
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
function refuseFilesAndPreviews(request: FastifyRequest): void {
  if (request.isMultipart()) throw new Refusal(400, 'request', deskError({ id: 'no-files' }));
  if ('preview' in (request.query as object)) throw new Refusal(400, 'request', deskError({ id: 'no-such-preview' }));
}

/** The sync's number in the path; 0, which no sync has, for anything else. */
function idOf({ params }: FastifyRequest): number {
  const { id = '' } = params as { readonly id?: string };
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0;
}

function jsonOf({ id, status, progress, says }: DeskSync): object {
  return { id, status, progress, said: says.message };
}

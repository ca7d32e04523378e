import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWaiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import { doneBy } from '../app/decisions/lines.ts';
import type { Decided } from '../app/decisions/once.ts';
import { previewOf } from '../app/decisions/preview.ts';
import { because } from '../words/errors/desk.ts';
import { ENGLISH } from '../words/index.ts';
import { API, sendJson, shapeOf } from './answer.ts';
import { DECIDE_ROUTES } from './decide-routes.ts';
import type { DecideRoute, Outcome } from './deciding/act.ts';
import {
  aroundOf,
  BODY_LIMIT,
  bodyOf,
  FILE_LIMIT,
  fieldsOf,
  MOST_FIELDS,
  MOST_FILES,
  readSent,
} from './deciding/body.ts';
import { once, Turns } from './deciding/once.ts';
import type { Desk } from './desk.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** Serves every decision, as a form and as JSON. */
export async function serveDecisions(app: FastifyInstance, desk: Desk): Promise<void> {
  await app.register(formbody, { bodyLimit: BODY_LIMIT, parser: fieldsOf as never });
  await app.register(multipart, {
    limits: { fileSize: FILE_LIMIT, files: MOST_FILES, fields: MOST_FIELDS, fieldSize: BODY_LIMIT, headerPairs: 100 },
  });
  const turns = new Turns();
  for (const route of DECIDE_ROUTES) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => decide(request, reply, { route, desk, turns });
    const onRequest = async ({ who, headers }: FastifyRequest) => {
      if (who?.kind !== 'program') return;
      // Before anything of the request is read.
      if (route.isForPeople) throw forPeople();
      if (!headers['idempotency-key']) throw noKey();
    };
    app.post(route.path, { onRequest }, handler);
    app.post(`${API}${route.path}`, { onRequest }, handler);
  }
}

interface Deciding {
  readonly route: DecideRoute;
  readonly desk: Desk;
  readonly turns: Turns;
}

async function decide(request: FastifyRequest, reply: FastifyReply, { route, desk, turns }: Deciding) {
  const who = request.who!;
  if (request.isMultipart() && !route.takesFiles) throw new Refusal(400, 'request', because({ id: 'no-files' }));
  const sent = await readSent(request);
  const body = bodyOf(route.body, sent);
  const { form, back } = aroundOf(sent);
  const parameters = request.params as Readonly<Record<string, string>>;
  const path = request.url.split('?')[0]!.replace(API, '');
  const { seen, ...said } = body as { readonly seen?: number | string };
  const books = request.settings ? { ...desk.books, config: request.settings, onRecord: false } : desk.books;
  const work = (books: Books) =>
    route.decide({
      desk: { ...desk, books },
      by: who.user,
      body: said,
      seen: typeof seen === 'number' ? seen : undefined,
      parameters,
      files: sent.files,
    });
  if ((request.query as { preview?: unknown }).preview === '1') {
    return sendJson(reply, await turns.take(() => previewOf(books, work, whyRefused)));
  }
  const { answer: outcome, ...decided } = await turns.take(() =>
    once<Outcome>(
      books,
      {
        by: `${who.kind} ${who.user}`,
        key: keyOf(request) ?? form,
        asked: { path, body, files: sent.files },
        seen: typeof seen === 'string' ? seen : undefined,
      },
      work,
    ),
  );
  const shape = shapeOf(request);
  if (shape !== 'html' || who.kind !== 'person')
    return sendJson(reply, { ...outcome.answer, ...sayOf(decided, outcome.answer) });
  const { answer, to } = outcome;
  who.session.notice = isWaiting(answer) ? { kind: 'waiting', id: answer.id } : { kind: 'done' };
  return reply.redirect(ownPage(back) ?? to, 303);
}

/** What a refusal says in a preview; null for a failure that is none of the books. */
function whyRefused(error: unknown): { readonly code: string; readonly why: string } | null {
  const { status, code, explanation } = refusalOf(error, false);
  return status === 409 || status === 422 ? { code, why: explanation.message } : null;
}

/** What a decision did, in a sentence, and what undoes it. */
function sayOf({ effects, undo }: Pick<Decided<Outcome>, 'effects' | 'undo'>, answer: object): object {
  const said = isWaiting(answer)
    ? ({ id: 'decision-waits', decision: answer.id } as const)
    : ({ id: 'decided', done: doneBy(effects.lines) } as const);
  return {
    said: ENGLISH.say(said),
    undo: undo === null ? null : { method: 'POST', address: `${API}/decisions/${undo}/undo`, body: { reason: '' } },
  };
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** A page of the desk to go back to; null for what a browser could take for another place. */
function ownPage(address: string | null): string | null {
  return address !== null && /^\/(?![/\\])[\x21-\x7e]{0,1999}$/.test(address) ? address : null;
}

function forPeople(): Refusal {
  return new Refusal(403, 'for-people', because({ id: 'never-approves' }));
}

function noKey(): Refusal {
  return new Refusal(400, 'no-key', because({ id: 'no-key' }));
}

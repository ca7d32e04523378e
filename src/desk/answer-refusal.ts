import type { FastifyReply, FastifyRequest } from 'fastify';
import { documentOf } from '../render/html/page.tsx';
import { sendJson, sendPage, shapeOf } from './answer.ts';
import type { DeskContext } from './context.ts';
import { isReading } from './door/guard.ts';
import { SAFE_HEADERS } from './door/headers.ts';
import { deskLanguage } from './languages.ts';
import { PlainPage } from './plain-page.tsx';
import { refusalOf, saysNoMonthYet } from './refusal.ts';
import { requestedLanguage } from './requested-language.ts';

/** What the answer to a failure needs from the desk. */
export interface RefusalSurroundings {
  /** Called with each failure that was not foreseen. */
  readonly onFailure: (error: unknown) => void;
  /** The context of a page, for a person who was let in; null for anybody else. */
  readonly contextFor: (request: FastifyRequest) => Promise<DeskContext | null>;
}

/** Answers a failure: as JSON to a program, as a page to a person. What was not foreseen is not explained to either. */
export async function answerRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { onFailure, contextFor }: RefusalSurroundings,
): Promise<FastifyReply> {
  const refusal = refusalOf(error, isReading(request));
  const { status } = refusal;
  if (status >= 500) onFailure(error);
  // Set here too: what Fastify refuses itself runs no hooks.
  reply.status(status).headers(SAFE_HEADERS);
  if (shapeOf(request) !== 'html') return sendJson(reply, { error: refusal });
  // Where the books themselves cannot be read, their page cannot be made either.
  const context = await contextFor(request).catch(() => null);
  if (context && saysNoMonthYet(refusal)) return sendPage(reply.status(200), 'empty', null, context);
  if (context) return sendPage(reply, 'refusal', refusal, context);
  const language = deskLanguage(requestedLanguage(request));
  const { message, hint } = language.explain(refusal.explanation);
  const page = PlainPage({ language, title: String(status), text: `${message}\n\n${hint}` });
  return reply.type('text/html; charset=utf-8').send(documentOf(page));
}

import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWaiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import { checkBooks } from '../app/check-books.ts';
import { doneBy } from '../app/decisions/lines.ts';
import type { Decided } from '../app/decisions/once.ts';
import { type Preview, previewOf } from '../app/decisions/preview.ts';
import { kindByHeader } from '../app/import/unmapped.ts';
import { type Explanation, RemitError, UsageError } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import { deskError } from '../words/errors/desk.ts';
import { ENGLISH } from '../words/index.ts';
import { API, sendJson, sendPage, serveAt, shapeOf } from './answer.ts';
import { DECIDE_ROUTES } from './decide-routes.ts';
import {
  bodyOf,
  FIELDS_LIMIT,
  FILE_LIMIT,
  fieldsOf,
  hiddenFieldsOf,
  MOST_FIELDS,
  MOST_FILES,
  readSent,
  type Sent,
} from './deciding/body.ts';
import { type FilePreview, type ImportBody, previewFiles } from './deciding/imports.ts';
import { once, type Turns } from './deciding/once.ts';
import type { DecideRoute, Outcome, Uploaded } from './deciding/route.ts';
import { ownerOf, type Staged } from './deciding/staged.ts';
import type { Desk } from './desk.ts';
import type { Who } from './door/sessions.ts';
import { contextAt, pageBefore } from './make-context.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { ShowPage } from './serve-pages.ts';

export async function serveDecisions(
  app: FastifyInstance,
  { desk, showPage, staged, turns }: Pick<Deciding, 'desk' | 'showPage' | 'staged' | 'turns'>,
): Promise<void> {
  await app.register(formbody, { bodyLimit: FIELDS_LIMIT, parser: fieldsOf as never });
  await app.register(multipart, {
    limits: { fileSize: FILE_LIMIT, files: MOST_FILES, fields: MOST_FIELDS, fieldSize: FIELDS_LIMIT, headerPairs: 100 },
  });
  for (const route of DECIDE_ROUTES) {
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      decide(request, reply, { route, desk, turns, showPage, staged });
    const onRequest = async ({ who, headers }: FastifyRequest) => {
      if (who?.kind !== 'program') return;
      // Refused before the body is read.
      if (route.isForPeople) throw new Refusal(403, 'for-people', deskError({ id: 'never-approves' }));
      if (!headers['idempotency-key']) throw new Refusal(400, 'no-key', deskError({ id: 'no-key' }));
    };
    serveAt(app, route.path, { method: 'POST', onRequest, handler });
  }
}

interface Deciding {
  readonly route: DecideRoute;
  readonly desk: Desk;
  /** Lets decisions wait for each other. */
  readonly turns: Turns;
  /** Shows a form's page again, if the form is refused. */
  readonly showPage: ShowPage;
  /** Files whose preview was shown wait here: nobody has to send them again. */
  readonly staged: Staged;
}

async function decide(request: FastifyRequest, reply: FastifyReply, deciding: Deciding) {
  if (request.isMultipart() && !deciding.route.takesFiles) {
    throw new Refusal(400, 'request', deskError({ id: 'no-files' }));
  }
  const sent = await readSent(request);
  try {
    return await decideSent(request, reply, sent, deciding);
  } catch (error) {
    const shown = await showFault(request, reply, { error, sent, showPage: deciding.showPage });
    if (shown === null) throw error;
    return shown;
  }
}

/** Shows the page of a refused form again, filled in as it was sent, with the reason; null if there is no such page. */
async function showFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, sent, showPage }: { readonly error: unknown; readonly sent: Sent; readonly showPage: ShowPage },
): Promise<FastifyReply | null> {
  const { who } = request;
  if (who?.kind !== 'person' || sent.form === null || shapeOf(request) !== 'html') return null;
  const { status, explanation, field } = refusalOf(error);
  const address = deskPath(hiddenFieldsOf(sent).back) ?? pageBefore(request);
  const mayBeMended = status === 400 || status === 422;
  if (!mayBeMended || address === null) return null;
  // The page shows the fault at its form.
  request.fault = { path: pathOf(request), field, explanation, values: sent.form };
  try {
    return await showPage(request, reply.status(status), asPage(address));
  } catch {
    // There is no such page: the error page shows the refusal.
    request.fault = null;
    return null;
  }
}

/** An address without `format`, which would make its page a file. */
function asPage(address: string): string {
  const [path = '/', search] = address.split('?');
  const query = new URLSearchParams(search);
  query.delete('format');
  return query.size === 0 ? path : `${path}?${query}`;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0]!.replace(API, '');
}

/** A decision whose body was read, ready to be made. */
interface Ready {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sent: Sent;
  /** The body as it came: what was filled in, and `seen`. */
  readonly sentBody: object;
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly Uploaded[];
  /** After a preview, the digest of its lines; else the last row of evidence that the page knew of. */
  readonly seen: number | string | undefined;
  readonly books: Books;
  /** Decides what a body says, in the books that it is given: for a preview they are rolled back. */
  readonly work: (body: Readonly<Record<string, unknown>>) => (books: Books) => Promise<Outcome>;
  /** The person who gets a page; null if JSON is wanted. */
  readonly person: Person | null;
}

type Person = Extract<Who, { kind: 'person' }>;

async function decideSent(request: FastifyRequest, reply: FastifyReply, sent: Sent, deciding: Deciding) {
  const { route, desk, staged } = deciding;
  const who = request.who!;
  const sentBody = bodyOf(route.body, sent);
  const { seen, ...body } = sentBody as { readonly seen?: number | string };
  const stagedKey = sent.form?.get('staged');
  const files = stagedKey ? staged.filesOf(stagedKey, ownerOf(who)) : sent.files;
  const books = {
    ...desk.books,
    // Settings that were read anew for this request are put on record first, if they changed.
    ...(request.settings && { config: request.settings, onRecord: false }),
    by: who.user,
    // Everybody at a team's desk has signed in.
    isNamed: desk.books.isNamed === true || desk.books.isTeams === true,
  };
  const parameters = request.params as Readonly<Record<string, string>>;
  const work: Ready['work'] = (body) => (books) =>
    route.decide({
      desk: { ...desk, books },
      by: who.user,
      body,
      seen: typeof seen === 'number' ? seen : undefined,
      parameters,
      files,
    });
  const person = shapeOf(request) === 'html' && who.kind === 'person' ? who : null;
  const ready: Ready = { request, reply, sent, sentBody, body, files, seen, books, work, person };
  const { preview } = request.query as { preview?: unknown };
  if (preview === undefined) return makeDecision(ready, deciding);
  if (preview !== '1') throw new Refusal(400, 'request', deskError({ id: 'no-such-preview' }));
  return route.takesFiles ? showFiles(ready, deciding) : showDecision(ready, deciding);
}

/** Makes the decision, once for each key, checks the books again if it changed them, and says what was done. */
async function makeDecision(ready: Ready, { turns }: Pick<Deciding, 'turns'>): Promise<FastifyReply> {
  const { request, reply, sent, sentBody, body, files, seen, books, work, person } = ready;
  const who = request.who!;
  const { form, back } = hiddenFieldsOf(sent);
  const keyed = {
    by: `${who.kind} ${who.user}`,
    key: keyOf(request) ?? form,
    content: { path: pathOf(request), body: sentBody, files },
    seen: typeof seen === 'string' ? seen : undefined,
  };
  const { answer: outcome, ...decided } = await turns.take(() => once<Outcome>(books, keyed, work(body)));
  const { answer, to, see = null } = outcome;
  const says = sayOf(decided, outcome);
  // Before the answer, so that whoever reads after it finds the figures as they are now.
  const unchecked = decided.changesFacts ? await turns.take(() => checkAgain(books)) : null;
  if (person === null) {
    const address = `${API}/decisions/${decided.undo}/undo`;
    const undo = decided.undo === null ? null : { method: 'POST', address, body: { reason: UNDO_REASON } };
    const notChecked = unchecked === null ? {} : { not_checked_again: unchecked.message };
    return sendJson(reply, { ...answer, said: ENGLISH.say(says), undo, ...notChecked });
  }
  person.session.notice = { says, see, undo: decided.undo, unchecked, isWaiting: isWaiting(answer) };
  return reply.redirect(deskPath(back) ?? to, 303);
}

async function showFiles({ request, reply, body, files, books, person }: Ready, { desk, turns, staged }: Deciding) {
  const who = request.who!;
  if (files.length === 0) throw new UsageError(deskError({ id: 'no-file' })).at('file');
  if (person === null && files.length > 1) throw new Refusal(400, 'request', deskError({ id: 'one-file' }));
  const previews = await turns.take(() => previewFiles(books, who.user, files, body as ImportBody));
  if (person === null) {
    const [{ name: _, ...preview }] = previews.files as [FilePreview];
    return sendJson(reply, preview);
  }
  const owner = ownerOf(person);
  const importBody = body as ImportBody;
  const { kind } = importBody;
  const readable = files.filter((_, place) => previews.files[place]!.refusals.length === 0);
  // A table of an unknown format waits too, until a person has named its columns.
  const unread: (string | null)[] = [];
  for (const [place, { refusals }] of previews.files.entries()) {
    const file = files[place]!;
    const isUnread = refusals.some(({ code }) => code === 'import') && (await kindByHeader(file, kind)) !== null;
    unread.push(isUnread ? staged.keep([file], owner) : null);
  }
  const model = { ...previews, staged: staged.keep(readable, owner), unread, body: importBody };
  return sendPage(reply, 'files', model, await contextAt('/imports', request, desk));
}

async function showDecision({ request, reply, sent, body, books, work, person }: Ready, deciding: Deciding) {
  const { route, desk, turns } = deciding;
  // A program gets a refusal as part of the preview; for a person it is thrown, and shown at the form.
  const whyOf = person === null ? whyRefused : () => null;
  const preview = (body: ChosenBody) => turns.take(() => previewOf(books, work(body), { whyOf }));
  if (person === null) return sendJson(reply, await preview(body));
  const chosenBody = body as ChosenBody;
  const shown = await previewForPage(route, chosenBody, preview);
  const back = deskPath(hiddenFieldsOf(sent).back);
  // The preview's form has a new `seen` and `form`; `back` is added below if it is a path of the desk.
  const fields = [...(sent.form ?? [])].filter(([name]) => !['seen', 'form', 'back'].includes(name));
  if (back !== null) fields.push(['back', back]);
  const { month = chosenBody.month ?? null } = request.params as Readonly<Record<string, string>>;
  const model = { ...shown, path: pathOf(request), decision: route.operationId, fields, month };
  return sendPage(reply, 'deciding', model, await contextAt(back ?? pageBefore(request) ?? '/', request, desk));
}

/** Checks the books again after a decision, which holds anyway. @returns why that failed, such as a sync at work */
export async function checkAgain(books: Books): Promise<Explanation | null> {
  try {
    await checkBooks(books, { periods: null });
    return null;
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    return error.explanation;
  }
}

/** The fields of a body that say which lines a decision is about: mismatches, or a month. */
type ChosenBody = { readonly ids?: readonly string[] | undefined; readonly month?: string | undefined };

/** The preview for a page; if lines can be left out, also the preview of all lines, and the ids of the chosen ones. */
async function previewForPage(route: DecideRoute, body: ChosenBody, preview: (body: ChosenBody) => Promise<Preview>) {
  if (!route.canLeaveOutLines) return { preview: await preview(body), all: null, chosen: null };
  // A month's preview has all lines of the month; the ids say which of them are ticked.
  const all = await preview(body.month === undefined ? body : { ...body, ids: undefined });
  const isRefused = all.stale_after === null;
  if (isRefused) return { preview: all, all: null, chosen: null };
  // At first, what the courier owes is chosen.
  const owedByCourier = all.lines.filter(({ mismatch, direction }) => mismatch !== undefined && direction === 'to-us');
  const chosen = body.ids ?? owedByCourier.map(({ mismatch }) => mismatch!);
  // With nothing ticked nothing would be decided: the page shows all lines, without their sums.
  return { preview: chosen.length === 0 ? all : await preview({ ...body, ids: chosen }), all, chosen };
}

/** A refusal as a preview shows it; null for a failure that has nothing to do with the books. */
function whyRefused(error: unknown) {
  const { status, code, explanation } = refusalOf(error);
  return status === 409 || status === 422 ? { code, why: explanation.message } : null;
}

function sayOf({ effects }: Pick<Decided<Outcome>, 'effects'>, { answer, says, also = [] }: Outcome): Sentence {
  if (isWaiting(answer)) return { id: 'decision-waits', decision: answer.id };
  const changedSettings = effects.lines.filter(({ what }) => what === 'policy').map(({ subject }) => subject);
  if (changedSettings.length > 0) return { id: 'policy-changed', changes: changedSettings };
  return says ?? { id: 'decided', done: [...doneBy(effects.lines), ...also] };
}

/** The reason in the undo request that a program is given to send. */
const UNDO_REASON = ENGLISH.say({ id: 'desk', word: 'undone-at-once' });

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** A path of the desk to go back to; null for what a browser could take for another site, such as `//x.example`. */
function deskPath(address: string | null): string | null {
  return address !== null && /^\/(?![/\\])[\x21-\x7e]{0,1999}$/.test(address) ? address : null;
}

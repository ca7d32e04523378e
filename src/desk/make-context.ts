import type { FastifyRequest } from 'fastify';
import { readSeen, type Seen } from '../app/desk/books-state.ts';
import { isLanguageCode } from '../words/index.ts';
import type { DeskContext } from './context.ts';
import type { Desk } from './desk.ts';
import { isReading } from './door/guard.ts';
import { newSecret } from './door/sessions.ts';
import { acceptedLanguage } from './languages.ts';

export interface PageView {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The state of the books before the model was read. */
  readonly seen: Seen;
}

/** The page at an address, with the state of the books now. */
async function viewOf(address: string, { books }: Desk): Promise<PageView> {
  const [path = '/', search] = address.split('?');
  return { path, query: new URLSearchParams(search), seen: await readSeen(books) };
}

export async function contextAt(address: string, request: FastifyRequest, desk: Desk): Promise<DeskContext> {
  return contextOf(request, desk, await viewOf(address, desk));
}

/**
 * The context of a page that shows a refusal; null if no person sent the request. What another form did, perhaps in
 * another window, is not said here: the page that follows says it.
 */
export async function personsContext(request: FastifyRequest, desk: Desk): Promise<DeskContext | null> {
  if (request.who?.kind !== 'person') return null;
  const address = isReading(request) ? request.url : (pageBefore(request) ?? '/');
  return { ...waitingContext(request, desk, await viewOf(address, desk)), notice: null };
}

/** The page whose form was sent, to come back to: a decision's address is no page. Null if the browser hides it. */
export function pageBefore({ headers }: FastifyRequest): string | null {
  const { referer = '', host = '' } = headers;
  const from = URL.canParse(referer) ? new URL(referer) : null;
  return from?.host === host ? from.pathname + from.search : null;
}

/** The context of a page. It takes the notice out of the session: a notice is said once. */
export function contextOf(request: FastifyRequest, desk: Desk, view: PageView): DeskContext {
  const context = waitingContext(request, desk, view);
  // A form that is shown again with its fault leaves the notice to the page that follows.
  if (request.who?.kind === 'person' && request.fault === null) request.who.session.notice = null;
  return context;
}

/**
 * The context of a page that only waits: it says the notice, and leaves it for the page that follows. Keeps the
 * address's language in the session.
 */
export function waitingContext(request: FastifyRequest, { books }: Desk, { path, query, seen }: PageView): DeskContext {
  const { who, headers, fault } = request;
  if (who?.kind !== 'person') throw new Error('a page is for a person');
  const { user, role, session } = who;
  const language = query.get('lang');
  if (language !== null && isLanguageCode(language)) session.language = language;
  // A browser takes what begins with two slashes for another site.
  const safePath = path.replace(/^[/\\]+/, '/');
  const link: DeskContext['link'] = (changes) => {
    const changed = new URLSearchParams(query);
    // The session has kept the language.
    changed.delete('lang');
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) changed.delete(name);
      else changed.set(name, value);
    }
    const text = changed.toString();
    return text === '' ? safePath : `${safePath}?${text}`;
  };
  return {
    user,
    role,
    readOnly: books.readOnly === true || role === 'reader',
    language: session.language ?? acceptedLanguage(headers['accept-language']),
    path: safePath,
    query,
    now: books.now(),
    // The couriers, the time zone, the merchant and the last sync.
    ...seen,
    // What the page's forms send as `seen`: the last row of evidence alone.
    seen: seen.last,
    form: newSecret,
    notice: fault === null ? session.notice : null,
    fault,
    link,
    returnTo: isReading(request) ? null : (pageBefore(request) ?? link({})),
  };
}

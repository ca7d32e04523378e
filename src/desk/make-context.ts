import type { FastifyRequest } from 'fastify';
import { readSeen, type Seen } from '../app/desk/seen.ts';
import { isLanguageCode } from '../words/index.ts';
import type { DeskContext } from './context.ts';
import type { Desk } from './desk.ts';
import { isReading } from './door/guard.ts';
import { newSecret } from './door/secret.ts';
import { acceptedLanguage } from './requested-language.ts';

/** The page that is asked for, and the books when it was. */
interface Where {
  readonly readOnly: boolean;
  readonly path: string;
  readonly query: URLSearchParams;
  /** How far the books were seen before the model was read. */
  readonly seen: Seen;
}

/** The context of a page that says why something is not done; null for nobody and for programs. */
export async function personsContext(
  request: FastifyRequest,
  desk: Desk,
  readOnly: boolean,
): Promise<DeskContext | null> {
  if (request.who?.kind !== 'person') return null;
  const [path = '/', search] = (isReading(request) ? request.url : (pageBefore(request) ?? '/')).split('?');
  const seen = await readSeen(desk.books);
  return contextOf(request, desk, { readOnly, path, query: new URLSearchParams(search), seen });
}

/** The page whose form was sent, to come back to: the address of a decision is no page. Null where the browser does not say it. */
export function pageBefore({ headers }: FastifyRequest): string | null {
  const { referer = '', host = '' } = headers;
  const from = URL.canParse(referer) ? new URL(referer) : null;
  return from?.host === host ? from.pathname + from.search : null;
}

/** The context of a page that only waits: what a form did is said there, and on the one that follows. */
export function waitingContext(request: FastifyRequest, desk: Desk, where: Where): DeskContext {
  const session = request.who?.kind === 'person' ? request.who.session : null;
  const notice = session?.notice ?? null;
  const context = contextOf(request, desk, where);
  if (session) session.notice = notice;
  return context;
}

/** What a page needs with its model. A language that the address names is kept in the session; what a form did is said once. */
export function contextOf(
  { who, headers, fault }: FastifyRequest,
  { books }: Desk,
  { readOnly, path, query, seen }: Where,
): DeskContext {
  if (who?.kind !== 'person') throw new Error('a page is for a person');
  const { user, role, session } = who;
  const language = query.get('lang');
  if (language !== null && isLanguageCode(language)) session.language = language;
  // A browser takes what begins with two slashes for another site.
  const ownPath = path.replace(/^[/\\]+/, '/');
  const { notice } = session;
  session.notice = null;
  return {
    user,
    role,
    readOnly: readOnly || role === 'reader',
    language: session.language ?? acceptedLanguage(headers['accept-language']),
    path: ownPath,
    query,
    now: books.now(),
    timeZone: seen.timeZone,
    couriers: seen.couriers,
    merchant: seen.merchant,
    synced: seen.synced,
    seen: seen.last,
    form: newSecret,
    notice,
    fault,
    link: (changes) => {
      const changed = new URLSearchParams(query);
      changed.delete('lang');
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) changed.delete(name);
        else changed.set(name, value);
      }
      const text = changed.toString();
      return text === '' ? ownPath : `${ownPath}?${text}`;
    },
  };
}

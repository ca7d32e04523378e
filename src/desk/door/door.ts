import type { FastifyReply, FastifyRequest } from 'fastify';
import { deskError } from '../../words/errors/desk.ts';
import type { DeskWord } from '../../words/sentences.ts';
import { sendHtml } from '../answer.ts';
import { deskLanguage, requestedLanguage } from '../languages.ts';
import { PlainPage } from '../pages/parts/head.tsx';
import { Refusal } from '../refusal.ts';
import { isSameSecret, newSecret, Sessions, type Who } from './sessions.ts';

/** How one person gets in on the machine where the desk runs: by a link that works once, and then by a cookie. */
export class Door {
  readonly #user: string;
  readonly #sessions: Sessions;
  #token: string | null = newSecret();
  /** The name of the cookie, one for each port: browsers keep the cookies of all ports together. */
  cookie = 'remit_desk';

  readonly entered: Promise<void>;
  #enter: () => void = () => {};

  constructor(user: string, now: () => Date) {
    this.#user = user;
    this.#sessions = new Sessions(now);
    this.entered = new Promise((resolve) => {
      this.#enter = resolve;
    });
  }

  /** The path that lets its first visitor in. */
  path(): string {
    return `/open?token=${this.#token}`;
  }

  /** There is no proxy on the way: whoever reaches an address of this machine may come. */
  requireProxy(): void {}

  who(request: FastifyRequest): Who | null {
    // A page of another port can set a cookie of this name before the desk's: that is no session, and keeps nobody out.
    for (const secret of this.#secretsOf(request)) {
      const session = this.#sessions.use(secret);
      if (session) return { kind: 'person', user: session.user, role: session.role, session };
    }
    return null;
  }

  /** Every value that a request has for the cookie, in its order. */
  #secretsOf({ headers }: FastifyRequest): string[] {
    const name = `${this.cookie}=`;
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
  }

  /**
   * Opens a session for the one who brings the token. The answer is a page and no redirect: browsers do not send
   * a strict cookie along a redirect after a click on another site or in a mail.
   *
   * @throws Refusal 401 for a token that was used, or that is wrong
   */
  open(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { token } = request.query as { token?: unknown };
    if (this.#token === null || typeof token !== 'string' || !isSameSecret(token, this.#token)) {
      throw new Refusal(401, 'token', deskError({ id: 'link-used' }));
    }
    this.#token = null;
    this.#enter();
    const secret = this.#sessions.open({ user: this.#user, role: 'clerk' });
    reply.setCookie(this.cookie, secret, { path: '/', httpOnly: true, sameSite: 'strict' });
    const language = deskLanguage(requestedLanguage(request));
    const word = (word: DeskWord) => language.say({ id: 'desk', word });
    const page = PlainPage({ language, title: word('desk-opens'), text: word('let-in'), goOn: '/' });
    return sendHtml(reply, page);
  }
}

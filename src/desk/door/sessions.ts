import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/index.ts';
import type { LanguageCode } from '../../words/index.ts';
import type { Notice, RefusedForm, Role } from '../context.ts';

const IDLE_MS = 12 * 60 * 60 * 1_000;

/** Far more than one person opens: it bounds the memory. */
const MOST_SESSIONS = 1_000;

export interface DeskSession {
  readonly user: string;
  role: Role;
  /** The language that was chosen; null for the browser's. */
  language: LanguageCode | null;
  /** What the last form did, until a page has said it. */
  notice: Notice | null;
}

/** Who sends a request: a person at the desk, or a program with a token. */
export type Who =
  | { readonly kind: 'person'; readonly user: string; readonly role: Role; readonly session: DeskSession }
  | { readonly kind: 'program'; readonly user: string; readonly role: Role };

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the door has let somebody in. */
    who: Who | null;
    /** The settings when the request came; null if they were not read for it. */
    settings: Config | null;
    /** Why the form that was just sent was refused; null if none was. */
    fault: RefusedForm | null;
  }
}

/** The sessions of a desk, in memory: they end with it. */
export class Sessions {
  readonly #now: () => Date;
  readonly #bySecret = new Map<string, { readonly session: DeskSession; usedAt: number }>();

  /** @param now the wall clock, so that a session ends while the machine sleeps */
  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Opens a session. @returns its secret, which the cookie carries */
  open(who: Pick<DeskSession, 'user' | 'role'>): string {
    this.#makeRoom();
    const secret = newSecret();
    this.#bySecret.set(secret, {
      session: { ...who, language: null, notice: null },
      usedAt: this.#now().getTime(),
    });
    return secret;
  }

  /** The session of a secret, renewed by this use; undefined if it ended or never was. */
  use(secret: string): DeskSession | undefined {
    const entry = this.#bySecret.get(secret);
    if (!entry) return undefined;
    const now = this.#now().getTime();
    if (now - entry.usedAt >= IDLE_MS) {
      this.#bySecret.delete(secret);
      return undefined;
    }
    entry.usedAt = now;
    return entry.session;
  }

  /** Drops the sessions that ended, and the oldest one if there are still too many. */
  #makeRoom(): void {
    const now = this.#now().getTime();
    for (const [secret, { usedAt }] of this.#bySecret) if (now - usedAt >= IDLE_MS) this.#bySecret.delete(secret);
    const [oldest] = this.#bySecret.keys();
    if (this.#bySecret.size >= MOST_SESSIONS && oldest !== undefined) this.#bySecret.delete(oldest);
  }
}

/** A secret that nobody guesses: 32 random bytes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether two secrets are the same, in a time that tells nothing about either. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

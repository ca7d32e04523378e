import type { LanguageCode } from '../../words/index.ts';
import type { Notice, Role } from '../context.ts';
import { newSecret } from './secret.ts';

/** A session that nobody uses for so long ends. */
const IDLE_MS = 12 * 60 * 60 * 1_000;

/** Far more than one person opens: it bounds the memory. */
const MOST_SESSIONS = 1_000;

/** A person at the desk. */
export interface DeskSession {
  readonly user: string;
  role: Role;
  /** The language that was chosen; null for the browser's. */
  language: LanguageCode | null;
  /** What the last form did, until a page has said it. */
  notice: Notice | null;
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

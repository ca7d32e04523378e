import type { LanguageCode } from '../../words/index.ts';
import type { Notice, Role } from '../context.ts';
import { newSecret } from './secret.ts';

/** How long a session lasts that nobody uses. */
const IDLE_MS = 12 * 60 * 60 * 1_000;

/** Far more than one person opens, so that memory stays flat. */
const MOST = 1_000;

/** A person at the desk. */
export interface Session {
  readonly user: string;
  role: Role;
  /** The language that was chosen; null for the browser's. */
  language: LanguageCode | null;
  /** What the last form did, until it was said. */
  notice: Notice | null;
}

/** The sessions of a desk, in memory: they end with it. */
export class Sessions {
  readonly #now: () => Date;
  readonly #held = new Map<string, { readonly session: Session; usedAt: number }>();

  /** @param now the wall clock, so that a session ends while the machine sleeps */
  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Opens a session. @returns its secret, which the cookie carries */
  open(who: Pick<Session, 'user' | 'role'>): string {
    this.#drop();
    const secret = newSecret();
    this.#held.set(secret, {
      session: { ...who, language: null, notice: null },
      usedAt: this.#now().getTime(),
    });
    return secret;
  }

  /** The session of a secret, renewed by this use; undefined where it ended or never was. */
  use(secret: string): Session | undefined {
    const held = this.#held.get(secret);
    if (!held) return undefined;
    const now = this.#now().getTime();
    if (now - held.usedAt >= IDLE_MS) {
      this.#held.delete(secret);
      return undefined;
    }
    held.usedAt = now;
    return held.session;
  }

  #drop(): void {
    const now = this.#now().getTime();
    for (const [secret, { usedAt }] of this.#held) if (now - usedAt >= IDLE_MS) this.#held.delete(secret);
    const oldest = this.#held.keys().next().value;
    if (this.#held.size >= MOST && oldest !== undefined) this.#held.delete(oldest);
  }
}

import type { Config } from '../config/index.ts';
import type { RefusedForm, Role } from './context.ts';
import type { DeskSession } from './door/sessions.ts';

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

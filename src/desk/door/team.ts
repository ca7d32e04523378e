import type { FastifyRequest } from 'fastify';
import type { DeskSettings } from '../../config/tables.ts';
import { deskError } from '../../words/errors/desk.ts';
import type { Role } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { type DeskSession, isSameSecret, type Who } from './sessions.ts';

/** The header in which the proxy of a team sends the secret that it shares with the desk. */
const SECRET_HEADER = 'x-remit-proxy-secret';

/** How a team reaches the desk: through a proxy, which knows who sends a request. */
export interface TeamOptions {
  /** Where people see the desk: `https://desk.example.com`. */
  readonly publicOrigin: string;
  /** The header in which the proxy names the user. */
  readonly authHeader: string;
  /** Where the proxy connects: a Unix socket; null for a port of this machine. */
  readonly socket: string | null;
  /** What the proxy sends to show that it is the proxy; null if only it can reach the socket. */
  readonly secret: string | null;
}

/** How a team gets in: the proxy puts the user's name into each request. */
export class Team {
  readonly #options: TeamOptions;
  readonly #sessions = new Map<string, DeskSession>();

  constructor(options: TeamOptions) {
    this.#options = options;
  }

  /** Refuses what did not come through the proxy. @throws Refusal 401; 400 if the secret is sent twice */
  requireProxy(request: FastifyRequest): void {
    const { secret } = this.#options;
    if (secret === null) return;
    const sent = headerOf(request, SECRET_HEADER);
    if (sent !== null && isSameSecret(sent, secret)) return;
    throw new Refusal(401, 'proxy', deskError({ id: 'not-by-proxy', header: SECRET_HEADER }));
  }

  /**
   * The user that the proxy names; null if it names none.
   *
   * @param roles as the settings are now: whoever is taken off a list decides no more
   * @throws Refusal 403 if they do not list the user; 400 if two users are named
   */
  who(request: FastifyRequest, roles: DeskSettings): Who | null {
    const user = headerOf(request, this.#options.authHeader.toLowerCase());
    if (user === null || user === '') return null;
    const role = roleOf(user, roles);
    if (role === null) throw new Refusal(403, 'unknown-user', deskError({ id: 'unknown-user' }));
    const session: DeskSession = this.#sessions.get(user) ?? { language: null, notice: null, user, role };
    session.role = role;
    this.#sessions.set(user, session);
    return { kind: 'person', user, role, session };
  }
}

function roleOf(user: string, { clerks, readers }: DeskSettings): Role | null {
  if (clerks.includes(user)) return 'clerk';
  return readers.includes(user) ? 'reader' : null;
}

/** A header's one value; null if it is absent. @throws Refusal 400 for several */
function headerOf({ raw }: FastifyRequest, name: string): string | null {
  const values = raw.headersDistinct[name] ?? [];
  if (values.length < 2) return values[0]?.trim() ?? null;
  throw new Refusal(400, 'request', deskError({ id: 'header-repeated', header: name, times: values.length }));
}

import { createHmac } from 'node:crypto';
import { timestamp } from '../calendar.ts';
import type { Faults, WebhookFault } from '../faults/faults.ts';
import { seededRandom } from '../random.ts';
import { presentOrder } from '../routes/orders.ts';
import type { OrderRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** The header of the signature: hex HMAC-SHA256 of the raw body. */
const SIGNATURE_HEADER = 'x-pt-webhook-signature';
/** The header of the number of the attempt, from 1. */
const ATTEMPT_HEADER = 'x-pt-webhook-attempt';

/** The time between two looks for messages in the service's file. */
const READ_EVERY_MS = 100;
/** Messages that are sent at the same time. */
const MOST_AT_ONCE = 8;
const ANSWER_TIMEOUT_MS = 10_000;
/** The wait after the first failure; each further failure doubles it. */
const FIRST_WAIT_MS = 1_000;
const MOST_ATTEMPTS = 12;
/** The least and the longest time for which the fault `disorder` delays a message. */
const DELAY_MS = [500, 3_000] as const;

/** A message that is to be sent now, with its webhook's address. */
interface DueMessage {
  readonly id: number;
  readonly webhook_id: number;
  readonly order_id: string;
  readonly changed_at: string;
  readonly body: string | null;
  readonly attempts: number;
  readonly url: string;
  readonly secret: string;
}

/**
 * Sends the messages that wait in the service's file, whichever process put them there (a trigger adds one for each
 * change of an order), and retries failed ones. Faults strike some: `drop` never sends a message, `disorder` holds it
 * back so that later ones overtake it, `double` sends the first attempt twice, `forge` signs with a wrong secret.
 */
export class WebhookSender {
  readonly #store: Store;
  readonly #origin: string;
  readonly #faults: Faults | undefined;
  /** Messages that are being sent, by id. */
  readonly #sending = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param origin the service's address, with which links to an order begin */
  constructor(store: Store, origin: string, faults: Faults | undefined) {
    this.#store = store;
    this.#origin = origin;
    this.#faults = faults;
    this.#timer = setInterval(() => this.#sendDue(), READ_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await Promise.all(this.#sending.values());
  }

  #sendDue(): void {
    const free = MOST_AT_ONCE - this.#sending.size;
    if (free <= 0) return;
    const due = this.#store.all<DueMessage>(
      `select s.id, s.webhook_id, s.order_id, s.changed_at, s.body, s.attempts, w.url, w.secret
       from webhook_message s join webhook w on w.id = s.webhook_id
       where s.try_at <= ? order by s.try_at, s.id limit ?`,
      Date.now(),
      // The messages that are being sent are among those that are due.
      MOST_AT_ONCE + free,
    );
    for (const message of due.filter(({ id }) => !this.#sending.has(id)).slice(0, free)) {
      // A message whose sending fails here stays due.
      const sent = this.#send(message)
        .catch(() => {})
        .finally(() => this.#sending.delete(message.id));
      this.#sending.set(message.id, sent);
    }
  }

  async #send(message: DueMessage): Promise<void> {
    const attempt = message.attempts + 1;
    if (attempt === 1) {
      // Noted as tried without an answer, and not tried again.
      if (this.#strikes('drop', message)) return this.#note(message, attempt, 0, null);
      // Once it has its body it was delayed already.
      if (this.#strikes('disorder', message) && message.body === null) {
        this.#bodyOf(message);
        const random = seededRandom(`${this.#faults!.seed}/webhook/${message.order_id}/${message.changed_at}`);
        return this.#delay(message, Date.now() + random.int(...DELAY_MS));
      }
    }
    const body = this.#bodyOf(message);
    const times = attempt === 1 && this.#strikes('double', message) ? 2 : 1;
    let status = 0;
    for (let n = 0; n < times; n += 1) status = await this.#post(message, body, attempt);
    // The service was closed meanwhile: the attempt does not count.
    if (this.#stop.signal.aborted && status === 0) return;
    const isLast = isTaken(status) || attempt >= MOST_ATTEMPTS;
    const tryAt = isLast ? null : Date.now() + FIRST_WAIT_MS * 2 ** (attempt - 1);
    this.#note(message, attempt, status, tryAt);
  }

  /** @returns the status of the answer; 0 if none came */
  async #post(message: DueMessage, body: string, attempt: number): Promise<number> {
    const { url, secret } = message;
    const isForged = this.#strikes('forge', message, attempt);
    const signature = createHmac('sha256', isForged ? `not ${secret}` : secret)
      .update(body)
      .digest('hex');
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature, [ATTEMPT_HEADER]: `${attempt}` },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** The body for every attempt: it is made at the first, with the order as it is then. */
  #bodyOf(message: DueMessage): string {
    if (message.body !== null) return message.body;
    return this.#store.write(() => {
      const { order_id: id, webhook_id } = message;
      const row = this.#store.get<OrderRow>('select * from delivery_order where order_id = ?', id)!;
      const lastSql = 'select max(updated_at) as at from webhook_message where webhook_id = ? and order_id = ?';
      const last = this.#store.get<{ at: string | null }>(lastSql, webhook_id, id)!.at;
      // A body that is made later states a later time, even if `disorder` held the older change back.
      const last_updated_at = last !== null && last >= message.changed_at ? microsecondAfter(last) : message.changed_at;
      const body = JSON.stringify({ id, last_updated_at, data: presentOrder(this.#store, row, this.#origin) });
      const update = 'update webhook_message set body = ?, updated_at = ? where id = ?';
      this.#store.run(update, body, last_updated_at, message.id);
      return body;
    });
  }

  #delay({ id }: DueMessage, until: number): void {
    this.#store.write(() => this.#store.run('update webhook_message set try_at = ? where id = ?', until, id));
  }

  #note({ id }: DueMessage, attempts: number, status: number, tryAt: number | null): void {
    const sql = 'update webhook_message set attempts = ?, status = ?, delivered = ?, try_at = ? where id = ?';
    this.#store.write(() => this.#store.run(sql, attempts, status, isTaken(status) ? 1 : 0, tryAt, id));
  }

  /**
   * A fault strikes a message: drawn from the seed, the order and its change, so that a run can be repeated. Without an
   * `attempt` it is one draw for all of the message's attempts.
   */
  #strikes(name: WebhookFault, { order_id, changed_at }: DueMessage, attempt = 0): boolean {
    const { seed, webhook } = this.#faults ?? {};
    const chance = webhook?.[name] ?? 0;
    return chance > 0 && seededRandom(`${seed}/webhook-${name}/${order_id}/${changed_at}/${attempt}`).chance(chance);
  }
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** The next microsecond, as `timestamp()` writes both moments: no two messages of an order have the same time. */
function microsecondAfter(at: string): string {
  const micros = Number(at.slice(20, 26)) + 1;
  if (micros < 1_000_000) return `${at.slice(0, 20)}${String(micros).padStart(6, '0')}${at.slice(26)}`;
  const second = new Date(Date.parse(`${at.slice(0, 19)}Z`) + 1_000).toISOString().slice(0, 19);
  return `${second}.000000${at.slice(26)}`;
}

/** An address to which a merchant's messages are sent, and how many are waiting, delivered or given up. */
export interface ListedWebhook {
  readonly id: number;
  readonly merchant: string;
  readonly url: string;
  readonly created_at: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Messages that failed at every attempt, or that a fault dropped. */
  readonly given_up: number;
}

/** From now on, sends a merchant's changes of orders to an address, or changes the secret of one. @returns its id */
export function addWebhook(
  store: Store,
  { merchant, url, secret, now }: { merchant: number; url: string; secret: string; now: Date },
): number {
  return store.write(() => {
    store.run(
      `insert into webhook (merchant_id, url, secret, created_at) values (?, ?, ?, ?)
       on conflict (merchant_id, url) do update set secret = excluded.secret`,
      [merchant, url, secret, timestamp(now)],
    );
    return store.get<{ id: number }>('select id from webhook where merchant_id = ? and url = ?', merchant, url)!.id;
  });
}

export function listWebhooks(store: Store): ListedWebhook[] {
  return store.all<ListedWebhook>(
    `select w.id, m.name as merchant, w.url, w.created_at, count(case when s.try_at is not null then 1 end) as waiting,
       coalesce(sum(s.delivered), 0) as delivered,
       count(case when s.try_at is null and s.delivered = 0 then 1 end) as given_up
     from webhook w join merchant m on m.id = w.merchant_id left join webhook_message s on s.webhook_id = w.id
     group by w.id order by w.id`,
  );
}

/** Removes the webhooks with an id or address, and their messages. @returns how many */
export function removeWebhook(store: Store, idOrUrl: string): number {
  return store.write(() => {
    const sql = 'select id from webhook where url = ? or cast(id as text) = ?';
    const ids = store.all<{ id: number }>(sql, idOrUrl, idOrUrl);
    for (const { id } of ids) store.run('delete from webhook where id = ?', id);
    return ids.length;
  });
}

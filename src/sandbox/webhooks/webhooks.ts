import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';

/** Where a merchant is told of its orders, and what became of the messages. */
export interface ListedWebhook {
  readonly id: number;
  readonly merchant: string;
  readonly url: string;
  readonly created_at: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Messages that nobody took after every try, or that a fault dropped. */
  readonly given_up: number;
}

/** Tells a merchant of each change of its orders from now on. One that is told at the address already gets the new secret. @returns its id */
export function addWebhook(
  store: Store,
  { merchant, url, secret, now }: { merchant: number; url: string; secret: string; now: Date },
): number {
  return store.write(() => {
    store.run(
      `insert into webhook (merchant_id, url, secret, created_at) values (?, ?, ?, ?)
       on conflict (merchant_id, url) do update set secret = excluded.secret`,
      merchant,
      url,
      secret,
      timestamp(now),
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

/** Takes a webhook away, and its messages. @param which its id or its address @returns how many were taken away */
export function removeWebhook(store: Store, which: string): number {
  return store.write(() => {
    const ids = store.all<{ id: number }>('select id from webhook where url = ? or cast(id as text) = ?', which, which);
    for (const { id } of ids) store.run('delete from webhook where id = ?', id);
    return ids.length;
  });
}

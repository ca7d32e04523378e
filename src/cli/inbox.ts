import type { Books } from '../app/books.ts';
import { counted } from '../base/counted.ts';
import type { Session } from './session.ts';

/** Opens the inbox for the couriers' webhooks, which reports on standard error. @throws ConfigError without a secret */
export async function openInbox(session: Session, books: Books) {
  const [{ Inbox }, { Webhooks }] = await Promise.all([
    import('../app/webhooks/inbox.ts'),
    import('../desk/webhooks.ts'),
  ]);
  const inbox = new Inbox(books, {
    warn: session.warn,
    fetched: (courier, orders, changed) =>
      session.event(
        'webhook-orders',
        { courier, orders, changed },
        `${courier}: ${counted(orders, 'order')} fetched that webhooks named, ${changed} changed`,
      ),
  });
  await inbox.open();
  return { inbox, webhooks: new Webhooks(inbox, books.now) };
}

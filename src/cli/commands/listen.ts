import path from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { Books } from '../../app/books.ts';
import { counted } from '../../base/counted.ts';
import { example, ledgerOption, type Start, wholeNumber } from '../command.ts';
import { stopped } from '../io.ts';
import type { Session, SettingInput, Texts } from '../session.ts';

export const declare = (start: Start) =>
  new Command('listen')
    .summary('receive the webhooks of couriers')
    .description(
      'Receives the webhooks of the couriers that have a webhook_secret_file or webhook_secret_command in remit.toml, until it is stopped with Ctrl-C: POST /hooks/COURIER. A message is kept and answered; then the order that it names is fetched. Your own server or tunnel leads the company’s requests here.',
    )
    .option('--port <n>', 'the port of this machine; 0 chooses a free one', wholeNumber(0), 0)
    .addOption(new Option('--socket <path>', 'listen on a Unix socket').conflicts('port'))
    .addOption(ledgerOption())
    .addHelpText(...example('remit listen --port 8377', 'remit listen --socket /run/remit/hooks.sock'))
    .action((options) => start('listen', options, listen));

type ListenInput = SettingInput & Texts<'socket'> & { readonly port: number };

async function listen(session: Session, { port, socket, ...input }: ListenInput): Promise<number> {
  const { startListener } = await import('../../desk/webhooks.ts');
  const { inbox, webhooks } = await openInbox(session, await session.books(input));
  try {
    const listener = await startListener(webhooks, socket === undefined ? port : path.resolve(session.io.cwd, socket));
    try {
      const { listens } = listener;
      const hooks = inbox.names.map((courier) => ({ courier, path: `/hooks/${courier}` }));
      if (session.json) session.resultJson({ url: socket === undefined ? listens : null, listens, hooks });
      else {
        for (const hook of hooks) session.result(socket === undefined ? `${listens}${hook.path}` : hook.path);
        session.note(`Webhooks are received at ${listens}. Stop it with Ctrl-C.`);
      }
      await stopped(session.io.signal);
    } finally {
      await listener.close();
    }
  } finally {
    await inbox.close();
  }
  return 0;
}

/** Opens the inbox for the couriers' webhooks, which reports on standard error. @throws ConfigError without a secret */
export async function openInbox(session: Session, books: Books) {
  const { Inbox } = await import('../../app/webhooks/inbox.ts');
  const { Webhooks } = await import('../../desk/webhooks.ts');
  const inbox = new Inbox(books, {
    warn: session.warn,
    fetched: (courier, orders, changed) => {
      const sentence = `${courier}: ${counted(orders, 'order')} fetched that webhooks named, ${changed} changed`;
      session.event('webhook-orders', { courier, orders, changed }, sentence);
    },
  });
  await inbox.open();
  return { inbox, webhooks: new Webhooks(inbox, books.now) };
}

import { setImmediate } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import type { DayResult } from '../../../sandbox/world/day.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';
import { declare as key } from './key.ts';
import { declare as operate } from './operate.ts';
import { declare as seed } from './seed.ts';
import { declare as serve } from './serve.ts';
import { declare as webhook } from './webhook.ts';

export const declare = (start: Start) => {
  const sandbox = new Command('sandbox')
    .summary("run the delivery company's own service on this machine")
    .description(
      "The delivery company's whole service on this machine, with its own data, to try remit or build against.",
    )
    .addHelpText(
      ...example('remit sandbox seed --data courier.db --plant', 'remit sandbox serve --data courier.db --port 8080'),
    );
  for (const command of [seed, key, serve, operate, declareRunDay, webhook]) sandbox.addCommand(command(start));
  return sandbox;
};

const declareRunDay = (start: Start) =>
  new Command('run-day')
    .summary('let days of the business pass')
    .description('New orders, pickups, deliveries, returns, weekly invoices and payments, a simulated day at a time.')
    .addOption(dataOption())
    .option('--days <n>', 'how many days', wholeNumber(1), 1)
    .addHelpText(...example('remit sandbox run-day --data courier.db --days 7'))
    .action((options) => start('sandbox run-day', options, runDays));

/** Plays days from the day after the world's latest event. Each day is saved when it is done. */
async function runDays(session: Session, input: { readonly data: string; readonly days: number }): Promise<number> {
  const { runDay } = await import('../../../sandbox/world/day.ts');
  const days: DayResult[] = [];
  for (let i = 0; i < input.days; i++) {
    // Lets Ctrl-C arrive between two days.
    await setImmediate();
    session.io.signal.throwIfAborted();
    const play = (store: Store) => runDay(store, { now: session.io.now() });
    const day = await usingStore(session, input.data, { mustExist: true }, play);
    days.push(day);
    if (!session.json) session.result(dayLine(day));
  }
  if (session.json) session.resultJson({ days });
  return 0;
}

function dayLine({ date, created, moved, invoices, payments }: DayResult): string {
  const orders = `${counted(created, 'new order')}, ${counted(moved, 'move')}`;
  return `${date}  ${orders}, ${counted(invoices, 'invoice')}, ${counted(payments, 'payment')}`;
}

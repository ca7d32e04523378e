import { Argument, type Command, Option } from 'commander';
import { OPERATOR_ACTIONS } from '../../sandbox/operator/moves.ts';
import type { SandboxKeyInput } from '../commands/sandbox-key.ts';
import type { SandboxOperateInput } from '../commands/sandbox-operate.ts';
import type { SandboxRunDayInput } from '../commands/sandbox-run-day.ts';
import type { SandboxSeedInput } from '../commands/sandbox-seed.ts';
import type { SandboxServeInput } from '../commands/sandbox-serve.ts';
import { example, type Start, wholeNumber } from './start.ts';

const dataOption = () => new Option('--data <file>', "the service's file").makeOptionMandatory();

/** The delivery company's service: its world, its keys, its server, its operator. */
export function declareSandbox(program: Command, start: Start): void {
  const sandbox = program
    .command('sandbox')
    .summary("run the delivery company's own service on this machine")
    .description(
      "The delivery company's whole service on this machine, with its own data, to try remit or build against.",
    )
    .addHelpText(
      'after',
      example('remit sandbox seed --data courier.db --plant', 'remit sandbox serve --data courier.db --port 8080'),
    );

  sandbox
    .command('seed')
    .summary('fill a new service file with a world')
    .description('Makes merchants, customers, months of orders and invoices; prints the API keys, this once.')
    .addOption(dataOption())
    .option('--months <range>', 'such as 2026-08..2026-10 (default: the last two months and this one to date)')
    .option('--orders <n>', 'orders of each merchant over all the months', wholeNumber(1))
    .option('--seed <text>', 'equal seeds make equal worlds')
    .option('--plant', 'add one of every mismatch, and say where')
    .option('--plant-drift', 'instead, change a seeded world in a way that only a second sync can see')
    .option('--as-of <date>', 'nothing happens after this day (default: now)')
    .addHelpText('after', example('remit sandbox seed --data courier.db --months 2026-08..2026-10 --plant'))
    .action((options: SandboxSeedInput) =>
      start('sandbox seed', options, async (session, input) =>
        (await import('../commands/sandbox-seed.ts')).sandboxSeed(session, input),
      ),
    );

  sandbox
    .command('key')
    .summary("make, list and revoke a merchant's API keys")
    .description(
      'Makes (the merchant too, if new), lists or revokes API keys. A new key is printed once, alone on standard output.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['create', 'list', 'revoke']))
    .addOption(dataOption())
    .requiredOption('--merchant <name>', "the merchant's name")
    .option('--prefix <text>', 'for revoke: the start of the key, as list shows it (default: all of its keys)')
    .addHelpText('after', example('remit sandbox key create --data courier.db --merchant "My Shop"'))
    .action((action: SandboxKeyInput['action'], options: Omit<SandboxKeyInput, 'action'>) =>
      start('sandbox key', { action, ...options }, async (session, input: SandboxKeyInput) =>
        (await import('../commands/sandbox-key.ts')).sandboxKey(session, input),
      ),
    );

  sandbox
    .command('serve')
    .summary('serve the API until stopped')
    .description('Serves the API; when it is ready, prints its base URL. Stop it with Ctrl-C.')
    .addOption(dataOption())
    .option('--port <n>', 'the port; 0 takes a free one', wholeNumber(0), 0)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(
      new Option('--results <shape>', 'how lists are wrapped')
        .choices(['flat', 'array', 'wrapper', 'object'])
        .default('flat'),
    )
    .option('--operator-port <n>', "serve the operator's API too, on this machine only", wholeNumber(0))
    .option('--faults <spec>', 'fail on demand, such as 500=0.1,latency=20..80,seed=7')
    .addHelpText('after', example('remit sandbox serve --data courier.db --port 8080'))
    .action((options: SandboxServeInput) =>
      start('sandbox serve', options, async (session, input) =>
        (await import('../commands/sandbox-serve.ts')).sandboxServe(session, input),
      ),
    );

  sandbox
    .command('operate')
    .summary('do what the delivery company does: move, bill, pay')
    .description(
      'One action of the operator, on a stopped or a running service alike: assign, scan, pickup, warehouse, dispatch, deliver, fail, return or collect ORDER_ID; invoice --merchant NAME; pay INVOICE_NUMBER; key.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(OPERATOR_ACTIONS))
    .argument('[target]', 'the order, or the invoice to pay')
    .addOption(dataOption())
    .option('--merchant <name>', 'whom to bill, for: invoice')
    .option('--date <date>', 'the day of issue, for: invoice')
    .addHelpText(
      'after',
      example(
        'remit sandbox operate deliver 7K2MQ4XHTB --data courier.db',
        'remit sandbox operate invoice --merchant "Zahra Store" --data courier.db',
      ),
    )

    .action(
      (
        action: SandboxOperateInput['action'],
        target: string | undefined,
        options: Omit<SandboxOperateInput, 'action' | 'target'>,
      ) =>
        start('sandbox operate', { action, target, ...options }, async (session, input: SandboxOperateInput) =>
          (await import('../commands/sandbox-operate.ts')).sandboxOperate(session, input),
        ),
    );

  sandbox
    .command('run-day')
    .summary('let days of the business pass')
    .description('New orders, pickups, deliveries, returns, weekly invoices and payments, a simulated day at a time.')
    .addOption(dataOption())
    .option('--days <n>', 'how many days', wholeNumber(1), 1)
    .addHelpText('after', example('remit sandbox run-day --data courier.db --days 7'))
    .action((options: SandboxRunDayInput) =>
      start('sandbox run-day', options, async (session, input) =>
        (await import('../commands/sandbox-run-day.ts')).sandboxRunDay(session, input),
      ),
    );
}

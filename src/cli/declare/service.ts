import { Argument, type Command } from 'commander';
import type { ApiInput } from '../commands/api.ts';
import type { CompletionInput } from '../commands/completion.ts';
import { apiUrlOption, example, type Start } from './start.ts';

/** Commands that speak to the API directly, the delivery company's service itself, and the shell. */
export function declareService(program: Command, start: Start): void {
  program
    .command('api')
    .summary('call any operation of the API; without a name, list them')
    .description('Calls an operation of the API and prints the answer. Without a name: lists the operations.')
    .argument('[operation]', 'the operation')
    .argument('[key=value...]', 'values of its path, its query and its body')
    .option('--body <json>', 'the body as JSON, or @FILE')
    .option('--dry-run', 'print the request, with the key masked, and send nothing')
    .addOption(apiUrlOption())
    .addHelpText(
      'after',
      example('remit api invoices year=2026 month=10', 'remit api create-order --body @order.json --dry-run'),
    )
    .action((operation: string | undefined, pairs: string[], options: Omit<ApiInput, 'operation' | 'pairs'>) =>
      start('api', { operation, pairs, ...options }, async (session, input: ApiInput) =>
        (await import('../commands/api.ts')).api(session, input),
      ),
    );

  program
    .command('completion')
    .summary('print shell completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', example('source <(remit completion bash)'))
    .action((shell: CompletionInput['shell']) =>
      start('completion', { shell }, async (session, input: CompletionInput) =>
        (await import('../commands/completion.ts')).completion(session, input),
      ),
    );
}

import { Argument, type Command } from 'commander';
import type { CompletionInput } from '../commands/completion.ts';
import { SHELLS } from '../completion/shells.ts';
import { example, type Start } from './start.ts';

/** Commands that speak to the API directly, the delivery company's service itself, and the shell. */
export function declareService(program: Command, start: Start): void {
  program
    .command('completion')
    .summary('print shell completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', example('source <(remit completion bash)'))
    .action((shell: CompletionInput['shell']) =>
      start('completion', { shell }, async (session, input: CompletionInput) =>
        (await import('../commands/completion.ts')).completion(session, input),
      ),
    );
}

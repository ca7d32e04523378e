import { Argument, Command } from '@commander-js/extra-typings';
import { example, type Start, type WholeProgram } from '../command.ts';
import type { ShellName } from '../completion.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start, whole: () => Promise<WholeProgram>) =>
  new Command('completion')
    .summary('print shell completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', example('source <(remit completion bash)'))
    .action((shell) => start('completion', { shell }, (session, input) => completion(session, input.shell, whole)));

async function completion(session: Session, shell: ShellName, whole: () => Promise<WholeProgram>): Promise<number> {
  const { completionScript } = await import('../completion.ts');
  const { program, words } = await whole();
  session.result(completionScript(shell, program, words));
  return 0;
}

import { Argument, Command } from '@commander-js/extra-typings';
import { example, type Start } from '../command.ts';
import type { Shell } from '../completion/index.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start) =>
  new Command('completion')
    .summary('print shell completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', example('source <(remit completion bash)'))
    .action((shell) => start('completion', { shell }, completion));

/** Prints the script that completes remit's commands and flags in a shell. */
async function completion(session: Session, { shell }: { shell: Shell }): Promise<number> {
  const [{ completionScript }, { buildProgram, completedWords }] = await Promise.all([
    import('../completion/index.ts'),
    import('../program.ts'),
  ]);
  session.result(completionScript(shell, await buildProgram(async () => {}), await completedWords()));
  return 0;
}

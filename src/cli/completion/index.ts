import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { WholeProgram } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { readTree } from './tree.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof SCRIPTS;

/** The completion script of a shell for a whole program. */
export function completionScript(shell: Shell, program: CommandUnknownOpts, words: WholeProgram['words']): string {
  return SCRIPTS[shell](readTree(program, words));
}

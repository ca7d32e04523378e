import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { Shell } from './shells.ts';
import { type Node, readTree } from './tree.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Record<Shell, (tree: Node) => string> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The completion script of a shell for a whole program. */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](readTree(program));
}

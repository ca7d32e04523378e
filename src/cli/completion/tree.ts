import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { WholeProgram } from '../command.ts';

/** A command as completion sees it. */
export interface Node {
  /** The words that lead to it, such as `sandbox serve`; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly children: readonly Node[];
  readonly options: readonly OptionNode[];
  /** The values of its first argument, where they are a fixed few. */
  readonly values: readonly string[];
}

export interface OptionNode {
  readonly flags: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The program's commands and options, with the options that hold everywhere on every command. */
export function readTree(program: CommandUnknownOpts, words: WholeProgram['words']): Node {
  return readCommand(program, [], [], words);
}

/** A node and everything below it. */
export function everyNode(node: Node): Node[] {
  return [node, ...node.children.flatMap(everyNode)];
}

function readCommand(
  command: CommandUnknownOpts,
  path: readonly string[],
  inherited: readonly OptionNode[],
  words: WholeProgram['words'],
): Node {
  const completions = words.get(path.join(' ')) ?? {};
  const commandOptions = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => readOption(option, completions));
  const options = [
    ...commandOptions,
    ...inherited.filter(({ flags }) => !commandOptions.some((option) => option.flags[0] === flags[0])),
  ];
  const everywhere = path.length === 0 ? commandOptions.filter(({ flags }) => !flags.includes('--version')) : inherited;
  const argument = command.registeredArguments[0];
  return {
    path: path.join(' '),
    name: command.name(),
    summary: command.summary() || command.description(),
    children: command.commands.map((child) => readCommand(child, [...path, child.name()], everywhere, words)),
    options,
    values: argument?.argChoices ?? completions[argument?.name() ?? ''] ?? [],
  };
}

function readOption(
  option: CommandUnknownOpts['options'][number],
  known: Readonly<Record<string, readonly string[]>>,
): OptionNode {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    summary: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? known[option.long ?? ''] ?? [],
  };
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';

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
export function readTree(program: CommandUnknownOpts): Node {
  return readCommand(program, [], []);
}

/** A node and everything below it. */
export function everyNode(node: Node): Node[] {
  return [node, ...node.children.flatMap(everyNode)];
}

function readCommand(command: CommandUnknownOpts, path: readonly string[], inherited: readonly OptionNode[]): Node {
  const own = command.createHelp().visibleOptions(command).map(readOption);
  const options = [...own, ...inherited.filter(({ flags }) => !own.some((option) => option.flags[0] === flags[0]))];
  const everywhere = path.length === 0 ? own.filter(({ flags }) => !flags.includes('--version')) : inherited;
  return {
    path: path.join(' '),
    name: command.name(),
    summary: command.summary() || command.description(),
    children: command.commands.map((child) => readCommand(child, [...path, child.name()], everywhere)),
    options,
    values: command.registeredArguments[0]?.argChoices ?? [],
  };
}

function readOption(option: CommandUnknownOpts['options'][number]): OptionNode {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    summary: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

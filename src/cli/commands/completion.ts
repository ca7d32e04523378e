import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { example, type Start, type WholeProgram } from '../command.ts';
import type { Session } from '../session.ts';

export const declare = (start: Start, whole: () => Promise<WholeProgram>) =>
  new Command('completion')
    .summary('print shell completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(...example('source <(remit completion bash)'))
    .action((shell) => start('completion', { shell }, (session, input) => completion(session, input.shell, whole)));

async function completion(session: Session, shell: ShellName, whole: () => Promise<WholeProgram>): Promise<number> {
  const { program, words } = await whole();
  session.result(completionScript(shell, program, words));
  return 0;
}

/** A command as completion sees it. */
interface CommandNode {
  /** The words that are typed for it, such as `sandbox serve`; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly children: readonly CommandNode[];
  readonly options: readonly OptionNode[];
  /** The values of its first argument, if they are a fixed few. */
  readonly values: readonly string[];
}

type OptionNode = ReturnType<typeof readOption>;

function everyNode(node: CommandNode): CommandNode[] {
  return [node, ...node.children.flatMap(everyNode)];
}

/** Reads a command and the commands below it. Each also has the options that every command takes. */
function readCommand(
  command: CommandUnknownOpts,
  path: readonly string[],
  inherited: readonly OptionNode[],
  words: WholeProgram['words'],
): CommandNode {
  const completions = words.get(path.join(' ')) ?? {};
  const commandOptions = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => readOption(option, completions));
  const options = [
    ...commandOptions,
    ...inherited.filter(({ flags }) => !commandOptions.some((option) => option.flags[0] === flags[0])),
  ];
  // What the commands below take too: the options of the program, but not `--version`.
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
  completions: Readonly<Record<string, readonly string[]>>,
) {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    summary: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? completions[option.long ?? ''] ?? [],
  };
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

type ShellName = keyof typeof SCRIPTS;

function completionScript(shell: ShellName, program: CommandUnknownOpts, words: WholeProgram['words']): string {
  return SCRIPTS[shell](readCommand(program, [], [], words));
}

/**
 * For bash 3.2 and later, as macOS still has it. The script finds the command that was typed so far (`path`). If the
 * word before the cursor is a flag with fixed values, it offers these, or else all that the command takes.
 */
function bashScript(tree: CommandNode): string {
  const nodes = everyNode(tree);
  const pathBranches = nodes.slice(1).map(({ path }) => `      ${quote(path)}) path=${quote(path)} ;;`);
  const valueBranches = nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap(({ flags, choices: values }) => flags.map((flag) => reply(`${path}:${flag}`, values))),
  );
  const wordBranches = nodes.map(({ path, children, values, options }) =>
    reply(path, [...children.map(({ name }) => name), ...values, ...options.flatMap(({ flags }) => flags)]),
  );
  return `# remit completion for bash: put  source <(remit completion bash)  into ~/.bashrc
_remit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
${pathBranches.join('\n')}
    esac
  done
  case "$path:$prev" in
${valueBranches.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$path" in
${wordBranches.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _remit remit`;
}

/** A branch of bash's `case`: for a pattern, the words to offer. */
function reply(pattern: string, words: readonly string[]): string {
  return `      ${quote(pattern)}) words=${quote(words.join(' '))} ;;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A zsh script that completes commands, their fixed arguments, and options with their values. */
function zshScript(tree: CommandNode): string {
  return `#compdef remit
# remit completion for zsh: put  source <(remit completion zsh)  into ~/.zshrc, after compinit
${everyNode(tree).map(completer).join('\n')}
compdef _remit remit`;
}

function completer(node: CommandNode): string {
  const name = functionName(node);
  const options = node.options.map((option) => `    ${zshOption(option)} \\`).join('\n');
  if (node.children.length === 0) {
    const argument = node.values.length > 0 ? `'1:value:(${node.values.join(' ')})'` : `'*:file:_files'`;
    return `${name}() {
  _arguments \\
${options}
    ${argument}
}`;
  }
  const commands = node.children.map((child) => `    ${quote(`${child.name}:${child.summary}`)}`).join('\n');
  const descents = node.children.map((child) => `        ${child.name}) ${functionName(child)} ;;`).join('\n');
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${commands}
  )
  _arguments -C \\
${options}
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${descents}
      esac ;;
  esac
}`;
}

function functionName({ path }: CommandNode): string {
  return ['_remit', ...path.split(' ').filter(Boolean)].join('_').replaceAll('-', '_');
}

/** `'(-h --help)'{-h,--help}'[summary]:value:(a b)'`: either form, but not both. */
function zshOption({ flags, summary, takesValue, choices }: OptionNode): string {
  const about = `[${summary.replace(/[[\]:]/g, '\\$&')}]`;
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : '';
  if (flags.length === 1) return quote(`${flags[0]}${about}${value}`);
  return `${quote(`(${flags.join(' ')})`)}{${flags.join(',')}}${quote(`${about}${value}`)}`;
}

/** A fish script that completes commands, their fixed arguments, and options with their values. */
function fishScript(tree: CommandNode): string {
  const nodes = everyNode(tree);
  const paths = nodes.slice(1).map(({ path }) => fishQuote(path));
  return `# remit completion for fish: remit completion fish > ~/.config/fish/completions/remit.fish
function __remit_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        contains -- $next ${paths.join(' ')}; and set at $next
    end
    test "$at" = "$argv[1]"
end
${nodes.flatMap(fishLines).join('\n')}`;
}

function fishLines(node: CommandNode): string[] {
  const here = `complete -c remit -n "__remit_at ${fishQuote(node.path)}"`;
  return [
    ...node.children.map(({ name, summary }) => `${here} -f -a ${name} -d ${fishQuote(summary)}`),
    ...node.values.map((value) => `${here} -f -a ${value}`),
    ...node.options.map((option) => `${here} ${fishOption(option)}`),
  ];
}

function fishOption({ flags, summary, takesValue, choices }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = choices.length > 0 ? ` -f -a ${fishQuote(choices.join(' '))}` : '';
  return `${names.join(' ')}${takesValue ? ' -r' : ''}${values} -d ${fishQuote(summary)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

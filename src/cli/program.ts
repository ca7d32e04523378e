import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { askWhich, didYouMean, nearestWords } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import { VERSION } from '../base/version.ts';
import { example, type Start, type WholeProgram } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import type { CommonFlags } from './session.ts';

/**
 * The command line as a tree. Parsing, help and shell completion come from it.
 *
 * @param argv a line that will be parsed: where it plainly names a command, only that one is declared, which takes a tenth of the time
 */
export async function buildProgram(start: Start, argv: readonly string[] = []) {
  const program = new Command('remit')
    .description('Reconciles what a delivery company collected in cash, charged in fees and owes you.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('-C, --directory <dir>', 'the books folder (default: REMIT_HOME, or the current folder)')
    .option('--courier <name>', 'only this courier of several (default: all)')
    .option('--json', 'print the result for machines')
    .option('-q, --quiet', 'no progress and no notes: only results and errors')
    .option('-v, --verbose', 'more about what is done, and about what went wrong')
    .addOption(
      new Option('--log-format <format>', 'what goes to standard error: text, or a JSON line an event').choices([
        'text',
        'json',
      ] as const),
    )
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: globalOptions })
    .exitOverride()
    // Wrong use is reported by the caller, like every other failure.
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText('after', example('remit demo', 'remit sync && remit check && remit statement last-month'));
  const named = namedCommand(program, argv);
  const files = await Promise.all(
    Object.entries(COMMANDS).flatMap(([name, load]) => (named && name !== named ? [] : load())),
  );
  for (const { declare } of files) program.addCommand(inheriting(program, declare(start, wholeProgram)));
  return program;
}

/** All commands, with what completion offers beyond what they say of themselves. */
async function wholeProgram(): Promise<WholeProgram> {
  const known = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => [name, (await (await load()).completes?.()) ?? {}] as const),
  );
  return { program: await buildProgram(async () => {}), words: new Map(known) };
}

/** The flags of the program itself, but for those that the command has under the same name. */
function globalOptions(command: CommandUnknownOpts): Option[] {
  let program = command;
  while (program.parent) program = program.parent;
  const commandFlags = new Set(command.options.map(({ long }) => long));
  return command === program ? [] : program.options.filter(({ long, hidden }) => !hidden && !commandFlags.has(long));
}

/**
 * A line that asks for help by the word, as one that asks by the flag: `help import receipts` → `import receipts --help`.
 *
 * @throws UsageError for a command that does not exist
 */
export function helpByFlag(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const asked = argv.slice(at + 1).filter((word) => !word.startsWith('-'));
  if (at === -1 || argv[at] !== 'help' || asked.length === 0) return argv;
  let command = program;
  for (const [index, word] of asked.entries()) {
    const names = command.commands.map((child) => child.name());
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) {
      const before = asked.slice(0, index);
      const whole = names.map((name) => [...before, name].join(' '));
      throw new UsageError(
        `there is no command ${quoted([...before, word].join(' '))}`,
        didYouMean([...before, word].join(' '), whole) ?? 'See: remit --help',
      );
    }
    command = child;
  }
  return [...argv.slice(0, at), ...argv.slice(at + 1), '--help'];
}

/** The command that a line names after nothing but the program's own flags; undefined where help or a suggestion may need them all. */
function namedCommand({ options }: CommandUnknownOpts, argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    if (Object.hasOwn(COMMANDS, word)) return word;
    const flag = options.find(({ short, long }) => word === short || word === long);
    if (!flag) return undefined;
    if (flag.required) at += 1;
  }
  return undefined;
}

/** Gives a command and those below it the settings of the program: how help is written, and that nothing ends the process. */
function inheriting(parent: CommandUnknownOpts, command: CommandUnknownOpts): CommandUnknownOpts {
  command.copyInheritedSettings(parent);
  for (const choice of [...command.options, ...command.registeredArguments]) suggestChoices(choice);
  if (command.commands.length > 0) {
    command.hook('preSubcommand', handDown);
    command.hook('preAction', (_, acting) => {
      if (acting === command) refuseMistyped(command);
    });
  }
  for (const child of command.commands) inheriting(command, child);
  return command;
}

/** Has a value that is none of the choices answered with the nearest of them. */
function suggestChoices(choice: Pick<Option, 'argChoices' | 'parseArg'>): void {
  const { argChoices, parseArg } = choice;
  if (argChoices === undefined || parseArg === undefined) return;
  choice.parseArg = <T>(value: string, previous: T): T => {
    if (argChoices.includes(value)) return parseArg.call(choice, value, previous) as T;
    const suggestion = didYouMean(value, argChoices);
    const allowed = `It must be one of ${argChoices.join(', ')}.`;
    throw new InvalidArgumentError(suggestion === null ? allowed : `${allowed}\n(${suggestion})`);
  };
}

/** Of a command with both arguments and subcommands: a first argument that is nearly the name of one of these. */
function refuseMistyped(command: CommandUnknownOpts): void {
  const [word] = command.args;
  if (word === undefined || !/^[a-z][a-z-]+$/.test(word)) return;
  const whole = `${command.name()} ${word}`;
  const names = nearestWords(
    word,
    command.commands.map((child) => child.name()),
  );
  if (names.length === 0) return;
  const nearest = names.map((name) => `${command.name()} ${name}`);
  throw new UsageError(`there is no command ${quoted(whole)}`, askWhich(nearest));
}

/** A flag that both a command and its subcommand take is the subcommand's: commander gives it to the command, wherever it is typed. */
function handDown(command: CommandUnknownOpts, subcommand: CommandUnknownOpts): void {
  for (const option of subcommand.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    subcommand.setOptionValueWithSource(name, command.getOptionValue(name), 'cli');
  }
}

export function commonFlags(program: CommandUnknownOpts): CommonFlags {
  return program.opts();
}

import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { VERSION } from '../version.ts';
import { example, type Start } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import type { CommonFlags } from './session.ts';

/**
 * The command line as a tree. Parsing, help and shell completion are made from it.
 *
 * @param argv a line that will be parsed: where it plainly names a command, only that one is declared, which takes a tenth of the time
 */
export async function buildProgram(start: Start, argv: readonly string[] = []) {
  const program = new Command('remit')
    .description('Reconciles what a delivery company collected in cash, charged in fees and owes you.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('-C, --directory <dir>', 'the books folder (default: REMIT_HOME, or the current folder)')
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
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Wrong use is reported by the caller, like every other failure.
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText('after', example('remit demo', 'remit sync && remit check && remit statement last-month'));
  const named = namedCommand(program, argv);
  const files = await Promise.all(
    Object.entries(COMMANDS).flatMap(([name, load]) => (named && name !== named ? [] : load())),
  );
  for (const { declare } of files) program.addCommand(inheriting(program, declare(start)));
  return program;
}

/** What completion offers beyond what the tree itself says, by command. */
export async function completedWords(): Promise<ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>> {
  const files = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const known = await Promise.all(
    files.map(async ({ declare, completes }) => [declare(async () => {}).name(), (await completes?.()) ?? {}] as const),
  );
  return new Map(known);
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
  if (command.commands.length > 0) command.hook('preSubcommand', handDown);
  for (const child of command.commands) inheriting(command, child);
  return command;
}

/** A flag that both a command and its subcommand take is the subcommand's: commander gives it to the command, wherever it stands. */
function handDown(command: CommandUnknownOpts, subcommand: CommandUnknownOpts): void {
  for (const option of subcommand.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    subcommand.setOptionValueWithSource(name, command.getOptionValue(name), 'cli');
  }
}

/** The flags that every command takes, as they were given. */
export function commonFlags(program: CommandUnknownOpts): CommonFlags {
  return program.opts();
}

import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { askWhich, didYouMean, nearestWords } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import { VERSION } from '../base/version.ts';
import { type CommandFile, example, type Start, type WholeProgram } from './command.ts';
import type { CommonFlags } from './session.ts';

/**
 * Every command by its name, in the order in which help lists them; a command's file is loaded when it is needed. Some
 * files declare several commands; `close` and `reopen` are made from the decisions that the desk shares.
 */
const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  demo: () => import('./commands/demo.ts'),
  init: () => import('./commands/init.ts'),
  doctor: () => import('./commands/doctor.ts'),
  backup: async () => ({ declare: (await import('./commands/ledger.ts')).declareBackup }),
  sync: () => import('./commands/sync.ts'),
  courier: () => import('./commands/courier.ts'),
  import: () => import('./commands/import/index.ts'),
  match: () => import('./commands/match/index.ts'),
  settle: () => import('./commands/settle/index.ts'),
  check: () => import('./commands/check.ts'),
  night: () => import('./commands/night.ts'),
  report: () => import('./commands/report.ts'),
  statement: () => import('./commands/statement.ts'),
  close: async () => (await import('./decisions.ts')).commandFileOf('close'),
  reopen: async () => (await import('./decisions.ts')).commandFileOf('reopen'),
  approvals: () => import('./commands/approvals/index.ts'),
  serve: () => import('./commands/serve/index.ts'),
  listen: () => import('./commands/listen.ts'),
  verify: () => import('./commands/verify.ts'),
  rebuild: async () => ({ declare: (await import('./commands/verify.ts')).declareRebuild }),
  selftest: () => import('./commands/selftest.ts'),
  changes: () => import('./commands/changes.ts'),
  show: () => import('./commands/show.ts'),
  evidence: () => import('./commands/evidence.ts'),
  mismatch: () => import('./commands/mismatch/index.ts'),
  dispute: () => import('./commands/dispute/index.ts'),
  ledger: () => import('./commands/ledger.ts'),
  export: async () => ({ declare: (await import('./commands/ledger.ts')).declareExport }),
  fleet: () => import('./commands/fleet.ts'),
  api: () => import('./commands/api.ts'),
  'update-check': () => import('./commands/update-check.ts'),
  completion: () => import('./commands/completion.ts'),
  sandbox: () => import('./commands/sandbox/index.ts'),
};

/**
 * The tree of all commands, from which parsing, help and shell completion come.
 *
 * @param argv the line to parse: if it plainly names a command, only that one is declared, which takes a tenth of the
 *   time
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
    .addOption(new Option('--log-format <format>', LOG_FORMAT_HELP).choices(LOG_FORMATS))
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: globalOptions })
    .exitOverride()
    // Wrong use is reported by the caller, like every other failure.
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText(...example('remit demo', 'remit sync && remit check && remit statement last-month'));
  const onlyCommand = namedCommand(program, argv);
  const files = await Promise.all(
    Object.entries(COMMANDS).flatMap(([name, load]) => (onlyCommand && name !== onlyCommand ? [] : load())),
  );
  for (const { declare } of files) program.addCommand(inheriting(program, declare(start, wholeProgram)));
  return program;
}

const LOG_FORMATS = ['text', 'json'] as const;
const LOG_FORMAT_HELP = 'what goes to standard error: text, or a JSON line an event';

async function wholeProgram(): Promise<WholeProgram> {
  const completions = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => [name, (await (await load()).completes?.()) ?? {}] as const),
  );
  return { program: await buildProgram(async () => {}), words: new Map(completions) };
}

/** The flags of the program itself, without those that the command has under the same name. */
function globalOptions(command: CommandUnknownOpts): Option[] {
  let program = command;
  while (program.parent) program = program.parent;
  const commandFlags = new Set(command.options.map(({ long }) => long));
  return command === program ? [] : program.options.filter(({ long, hidden }) => !hidden && !commandFlags.has(long));
}

/**
 * Rewrites a line that begins with the word `help`: `help import receipts` → `import receipts --help`. The `help` of
 * commander looks at one name only.
 *
 * @throws UsageError for a command that does not exist
 */
export function helpByFlag(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  const isName = (word: string, at: number) => !word.startsWith('-') && !takesValue(program, argv[at - 1]);
  const helpAt = argv.findIndex(isName);
  const names = argv.filter((word, at) => at > helpAt && isName(word, at));
  if (helpAt === -1 || argv[helpAt] !== 'help' || names.length === 0) return argv;
  let command = program;
  for (const [index, word] of names.entries()) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) {
      const before = names.slice(0, index);
      const typed = [...before, word].join(' ');
      const possible = command.commands.map((candidate) => [...before, candidate.name()].join(' '));
      throw new UsageError(`there is no command ${quoted(typed)}`, didYouMean(typed, possible) ?? 'See: remit --help');
    }
    command = child;
  }
  return [...argv.slice(0, helpAt), ...argv.slice(helpAt + 1), '--help'];
}

/** The first command on a line, after the program's own flags; undefined if help or a suggestion may need all. */
function namedCommand(program: CommandUnknownOpts, argv: readonly string[]): string | undefined {
  const isFlag = (word: string) => program.options.some(({ short, long }) => word === short || word === long);
  const first = argv.find((word, at) => !isFlag(word) && !takesValue(program, argv[at - 1]));
  return first !== undefined && Object.hasOwn(COMMANDS, first) ? first : undefined;
}

/** Whether a word is one of the program's own flags whose value is the next word. */
function takesValue({ options }: CommandUnknownOpts, word = ''): boolean {
  return options.some(({ short, long, required }) => required && (word === short || word === long));
}

/** Gives a command and those below it the program's settings: how help is written, and to throw instead of exit. */
function inheriting(parent: CommandUnknownOpts, command: CommandUnknownOpts): CommandUnknownOpts {
  command.copyInheritedSettings(parent);
  for (const choice of [...command.options, ...command.registeredArguments]) suggestChoices(choice);
  if (command.commands.length > 0) {
    command.hook('preSubcommand', giveSharedFlags);
    command.hook('preAction', (_, acting) => {
      if (acting === command) refuseMistyped(command);
    });
  }
  for (const child of command.commands) inheriting(command, child);
  return command;
}

/** Makes the error for a value that is none of the choices name the nearest of them. */
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

/** For a command with arguments and subcommands: refuses a first argument that is nearly a subcommand's name. */
function refuseMistyped(command: CommandUnknownOpts): void {
  const [word] = command.args;
  if (word === undefined || !/^[a-z][a-z-]+$/.test(word)) return;
  const typed = `${command.name()} ${word}`;
  const existing = command.commands.map((child) => child.name());
  const names = nearestWords(word, existing);
  if (names.length === 0) return;
  const nearest = names.map((name) => `${command.name()} ${name}`);
  throw new UsageError(`there is no command ${quoted(typed)}`, askWhich(nearest));
}

/** Gives a subcommand the flags that its command takes too: commander gives `--ledger` of `match list` to `match`. */
function giveSharedFlags(command: CommandUnknownOpts, subcommand: CommandUnknownOpts): void {
  for (const option of subcommand.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    subcommand.setOptionValueWithSource(name, command.getOptionValue(name), 'cli');
  }
}

export function commonFlags(program: CommandUnknownOpts): CommonFlags {
  return program.opts();
}

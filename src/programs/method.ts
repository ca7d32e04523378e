import { Readable, Writable } from 'node:stream';
import type { Decision } from '../app/decisions/decision.ts';
import { type DeclaredDecision, EVERY_DECISION } from '../app/decisions/every.ts';
import type { Preview as DecisionPreview } from '../app/decisions/preview.ts';
import { didYouMean } from '../base/edit-distance.ts';
import { ApiError, InterruptedError, RemitError, UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import type { CommandFile, CommandWork } from '../cli/command.ts';
import type { Io } from '../cli/io.ts';
import type { Session, SettingInput } from '../cli/session.ts';
import type { Caller, Method, MethodOf, MethodsOfGroup, Options } from './method-types.ts';

type Declare = CommandFile['declare'];

/**
 * Makes a method of a command, in three calls: `method<Checked>()('check', load)(caller)`. TypeScript infers either all
 * types of a call or none. So the first call names the types that no argument shows, and the second infers the types of
 * `load` and `fixed`. The third takes the books that the method works on.
 *
 * @typeParam Result what the method gives
 * @typeParam Defaulted the options that may be left out although the command's work needs them
 * @typeParam Preview what `dryRun` gives; `never` if the command knows no dry run
 * @typeParam Setting the setting among the options that may be given; every other is of remit.toml alone
 * @param name as it is typed, such as `match add`
 * @param load imports its declaration and its work, on the first call
 * @param exceptions `argumentNames`: the arguments' names in the work's input, in the order in which they are typed, if
 * the declaration names them otherwise; `fixed`: options that the method sets itself, such as the kind of file
 */
export const method =
  <Result, Defaulted extends PropertyKey = never, Preview = never, Setting extends keyof SettingInput = 'ledger'>() =>
  <Input, const Fixed extends Partial<Input> = Record<never, never>>(
    name: string,
    load: () => Promise<readonly [declare: (...start: Parameters<Declare>) => object, work: CommandWork<Input>]>,
    exceptions: { readonly argumentNames?: readonly string[]; readonly fixed?: Fixed } = {},
  ) =>
  (caller: Caller) => {
    const call = async (givenOptions?: Readonly<Record<string, unknown>> | null) => {
      const options = givenOptions ?? {};
      caller.requireOpen();
      if (typeof options !== 'object' || Array.isArray(options)) {
        throw new UsageError(`${name} takes its arguments as one object`, 'Give each by its name: { name: value }.');
      }
      const [declare, work] = await load();
      const input = inputOf(declare as Declare, name, options, exceptions);
      // A report in another format is returned as the text that the command prints.
      const isJson = name !== 'report' || (options.format ?? 'json') === 'json';
      const courier = options.courier as string | undefined;
      return run(caller, { name, isJson, courier }, (session) => work(session, input as Input));
    };
    return call as unknown as Method<
      Options<Omit<Input, keyof Fixed | Exclude<keyof SettingInput, Setting>>, Defaulted>,
      Result,
      Preview
    >;
  };

/** The method that makes a decision, as its command does. */
export function methodOfDecision<Name extends DeclaredDecision['name']>(
  name: Name,
): MethodOf<Extract<DeclaredDecision, { name: Name }>> {
  const decision = EVERY_DECISION.find((candidate) => candidate.name === name)!;
  const argumentNames = Object.entries(decision.fields).flatMap(([key, { typed }]) =>
    typed === null || typed.startsWith('--') ? [] : key,
  );
  const made = method<object, never, DecisionPreview>()(
    name,
    async () => {
      const { commandOf, actionOf } = await import('../cli/decisions.ts');
      return [(start) => commandOf(decision, start), actionOf(decision)];
    },
    { argumentNames },
  );
  // The list of all decisions has lost the types of this one; MethodOf takes them from its declaration.
  return made as unknown as MethodOf<Extract<DeclaredDecision, { name: Name }>>;
}

/** The methods of a group of decisions, such as `match`, by their verbs. */
export function methodsOfGroup<Group extends string>(group: Group): MethodsOfGroup<Group> {
  const ofGroup = EVERY_DECISION.filter(({ name }) => name.startsWith(`${group} `));
  const verb = ({ name }: Decision) =>
    name.slice(group.length + 1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    ofGroup.map((decision) => [verb(decision), methodOfDecision(decision.name as DeclaredDecision['name'])]),
  ) as unknown as MethodsOfGroup<Group>;
}

/** The input that the command line would make: options and defaults. @throws UsageError for unknown or missing ones */
function inputOf(
  declare: Declare,
  name: string,
  options: Readonly<Record<string, unknown>>,
  exceptions: { readonly argumentNames?: readonly string[]; readonly fixed?: object },
): object {
  const notRun = () => Promise.reject(new Error('nothing is read from a line'));
  // Declared for its options alone: nothing of it runs here.
  const { options: flags, registeredArguments } = declare(notRun, notRun);
  const argumentNames = exceptions.argumentNames ?? registeredArguments.map((argument) => argument.name());
  const input: Record<string, unknown> = {};
  for (const flag of flags) if (flag.defaultValue !== undefined) input[flag.attributeName()] = flag.defaultValue;
  const optionNames = [...argumentNames, ...flags.map((flag) => flag.attributeName()), 'courier'];
  for (const [key, value] of Object.entries(options)) {
    // The courier is a flag of the whole program: it goes to the session.
    if (value === undefined || key === 'courier') continue;
    if (!optionNames.includes(key)) {
      const hint = didYouMean(key, optionNames) ?? `It takes ${optionNames.join(', ')}.`;
      throw new UsageError(`${name} has no option ${quoted(key)}`, hint);
    }
    const flag = flags.find((candidate) => candidate.attributeName() === key);
    const declared = flag ?? registeredArguments[argumentNames.indexOf(key)];
    input[key] = readOption(`${key} of ${name}`, declared, value);
  }
  const missing = (key: string) => new UsageError(`${name} needs ${key}`, `Give it as { ${key}: ... }.`);
  for (const [at, { required, variadic }] of registeredArguments.entries()) {
    const key = argumentNames[at];
    if (key === undefined) continue;
    if (variadic) input[key] ??= [];
    const isEmpty = input[key] === undefined || (Array.isArray(input[key]) && input[key].length === 0);
    if (required && isEmpty) throw missing(key);
  }
  for (const flag of flags) {
    const key = flag.attributeName();
    if (flag.mandatory && input[key] === undefined) throw missing(key);
  }
  // There is nobody to ask.
  return { yes: true, ...input, ...exceptions.fixed };
}

/** An option or argument of the command line, as commander has it. */
interface OptionOrArgument {
  readonly variadic: boolean;
  /** `--out <file>` has `required`, `--out [file]` has `optional`, a switch neither; an argument has no `optional`. */
  readonly required: boolean;
  readonly optional?: boolean;
  readonly argChoices?: readonly string[] | undefined;
  readonly parseArg?: ((text: string, previous: never) => unknown) | undefined;
}

/**
 * Reads an option as the command line would.
 *
 * @param what names the option in an error: `period of check`
 * @throws UsageError for what it would refuse, or cannot be typed
 */
function readOption(what: string, declared: OptionOrArgument | undefined, value: unknown): unknown {
  const isSwitch = declared?.required === false && declared.optional === false;
  if (isSwitch) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${what} is neither true nor false`, 'Give one of them, or leave it out.');
  }
  if (declared?.variadic) return [value].flat().map((item) => textOf(what, item, declared.argChoices));
  const text = textOf(what, value, declared?.argChoices);
  if (declared?.parseArg === undefined || declared.argChoices !== undefined) return text;
  try {
    return declared.parseArg(text, undefined as never);
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${quoted(text)}`, (error as Error).message);
  }
}

function textOf(what: string, value: unknown, choices: readonly string[] | undefined): string {
  // An amount is a text: a number may have lost its last digit.
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
    throw new UsageError(`${what} is neither a text nor a whole number`, 'Give it as it is typed; amounts as texts.');
  }
  const text = String(value);
  if (choices === undefined || choices.includes(text)) return text;
  throw new UsageError(`${what} is none of its choices: ${quoted(text)}`, `It is one of ${choices.join(', ')}.`);
}

/** Runs a command in a session without a terminal. @returns what it printed; a list for several JSON results */
async function run(
  caller: Caller,
  { name, courier, isJson }: { name: string; courier: string | undefined; isJson: boolean },
  work: (session: Session) => Promise<number>,
): Promise<unknown> {
  const { folder, signal } = caller;
  if (signal.aborted) throw new InterruptedError('it was interrupted before it began');
  const { openSession } = await import('../cli/session.ts');
  if (courier !== undefined) (await import('../cli/flags.ts')).refuseCourier(name, courier);
  const printed: Buffer[] = [];
  const results: unknown[] = [];
  const opened = openSession(printingInto(printed, caller), { json: isJson, quiet: true, directory: folder, courier });
  // What the command writes with `resultJson` is kept as a value; all else that it writes is in `printed`.
  const session = { ...opened, resultJson: (value: unknown) => void results.push(value) };
  try {
    await work(session);
  } catch (error) {
    // A request whose client is closed on the way out fails with an ApiError.
    if (signal.aborted && error instanceof ApiError) throw new InterruptedError('interrupted; what was done is kept');
    if (error instanceof RemitError) maskSecrets(error, session);
    throw error;
  }
  if (results.length > 0) return JSON.parse(JSON.stringify(results.length === 1 ? results[0] : results));
  const text = Buffer.concat(printed).toString();
  if (text === '') return null;
  // A report writes its JSON piece by piece.
  return isJson ? JSON.parse(text) : text;
}

/** The surroundings of a command: what it prints is added to `printed`, and its messages are dropped. */
function printingInto(printed: Buffer[], { now, signal }: Caller): Io {
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    printed.push(chunk);
    done();
  };
  return {
    stdin: Readable.from([]),
    stdout: new Writable({ write }),
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    env: process.env,
    cwd: process.cwd(),
    now,
    isTTY: { stdin: false, stdout: false, stderr: false },
    program: 'remit',
    signal,
  };
}

function maskSecrets(error: RemitError, session: Pick<Session, 'mask'>): void {
  const { sentence, message, hint } = error.explanation;
  const masked = { sentence, message: session.mask(message), hint: session.mask(hint) };
  if (masked.message !== message || masked.hint !== hint) error.sayOtherwise(masked);
}

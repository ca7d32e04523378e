import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { OptionalKind } from '@sinclair/typebox';
import type { Waiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import {
  AMOUNT,
  CODES,
  type Decision,
  type DecisionInput,
  type Field,
  type Fields,
  isText,
  LEDGER,
  MONTH,
  PERIOD,
} from '../app/decisions/decision.ts';
import { EVERY_DECISION } from '../app/decisions/every.ts';
import type { DecisionLine } from '../app/decisions/lines.ts';
import { UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';
import { type CommandFile, example, ledgerOption, printAnswer, type Start, wholeNumber } from './command.ts';
import type { Flags, PersonInput, Session, Texts } from './session.ts';

/** For every command that decides. */
export const dryRunOption = (text = 'show what it would do, and decide nothing') => new Option('--dry-run', text);

/** For every command that decides. */
export const seenOption = () =>
  new Option('--seen <head>', 'decide only what a dry run showed: its stale_after').argParser((text: string) => {
    if (/^[0-9a-f]{64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be the stale_after of a dry run.');
  });

/** `seen`: the digest of what a dry run showed, which it printed as `stale_after`. */
export type DecidingInput = Flags<'dryRun'> & Texts<'seen'>;

/** The arguments and flags of a decision's command, as commander gives them. */
export interface TypedInput extends PersonInput, DecidingInput, Flags<'yes'> {
  readonly [name: string]: unknown;
}

/** The command file of a decision that belongs to no group. */
export function commandFileOf(name: string): CommandFile {
  return { declare: (start) => commandNamed(name, start) };
}

export function commandNamed(name: string, start: Start): Command {
  return commandOf(EVERY_DECISION.find((decision) => decision.name === name)!, start);
}

/** The commands of a group of decisions, such as `match`. */
export function commandsOfGroup(group: string, start: Start): Command[] {
  const ofGroup = EVERY_DECISION.filter(({ name }) => name.startsWith(`${group} `));
  return ofGroup.map((decision) => commandOf(decision, start));
}

export function commandOf(decision: Decision, start: Start): Command {
  const { name, summary, description, examples, fields } = decision;
  const command = new Command(name.split(' ').at(-1)).summary(summary).description(description);
  // Commander would ask each command of the group for a mandatory flag of its parent.
  const isGroup = EVERY_DECISION.some((other) => other.name.startsWith(`${name} `));
  const args: string[] = [];
  for (const [key, field] of Object.entries(fields)) {
    const { typed, help, schema } = field;
    // Only the desk and programs send this field.
    if (typed === null) continue;
    const declared = isFlag(typed) ? new Option(typed, help) : new Argument(typed, help);
    const choices = choicesOf(schema);
    if (choices) declared.choices(choices);
    if (schema.type === 'integer') declared.argParser(wholeNumber(schema.minimum));
    if (declared instanceof Argument) {
      command.addArgument(declared);
      args.push(key);
    } else if (field === LEDGER) command.addOption(ledgerOption());
    else command.addOption(declared.makeOptionMandatory(!isGroup && isNeeded(field)));
  }
  const common = [dryRunOption(), seenOption(), ...(fields.ledger ? [] : [ledgerOption()])];
  for (const option of common) command.addOption(option);
  return command.addHelpText(...example(...examples)).action((...words: unknown[]) => {
    // Commander passes the arguments one by one, then an object with the options.
    const argumentValues = Object.fromEntries(args.map((key, index) => [key, words[index]]));
    return start(name, { ...argumentValues, ...(words[args.length] as object) }, actionOf(decision));
  });
}

/**
 * Makes the work of a decision's command. It exits with 1 if a month is refused, or a named mismatch is not in a fit
 * state.
 */
export function actionOf(decision: Decision) {
  return async (session: Session, input: TypedInput): Promise<number> => {
    const values = await readFields(session, decision, input);
    const books = await session.books(input);
    const work = (decidingBooks: typeof books) => decision.decide(decidingBooks, values);
    let { seen } = input;
    const asks = input.yes || input.dryRun ? null : (decision.asks?.(values) ?? null);
    if (asks === 'always' || (asks === 'on a terminal' && session.io.isTTY.stdin)) {
      const { previewOf } = await import('../app/decisions/preview.ts');
      const { lines, stale_after } = await previewOf(books, async (copy) => ({ answer: await work(copy) }));
      if (lines.length > 0 && !(await isAgreed(session, decision, lines))) {
        session.note('nothing was changed');
        return 0;
      }
      // What was answered with a yes is decided, and nothing else.
      seen ??= stale_after ?? undefined;
    }
    const answer = await decideOrPreview(session, books, { ...input, seen }, work, decision.refuses);
    if (answer === null) return 0;
    const { decidedLines } = await import('./lines/decided.ts');
    const { warnings, lines, isIncomplete } = await decidedLines(decision, answer, () => session.zone(books));
    for (const line of session.json ? [] : warnings) session.warn(line);
    await printAnswer(session, answer, () => lines, !session.quiet && lines.length > 0);
    return isIncomplete ? 1 : 0;
  };
}

/**
 * Makes a decision as the web desk does: in one transaction, and with --seen only if it does just what the dry run
 * showed. With --dry-run it prints a preview instead.
 *
 * @param refusalKind `close` or `reopen`, if the work is one of them: its answer may be a refusal
 * @returns null after a preview, and if all of the decision waits for a second person: both are printed already
 */
export async function decideOrPreview<Answer>(
  session: Session,
  books: Books,
  { dryRun, seen }: DecidingInput,
  work: (books: Books) => Promise<Answer>,
  refusalKind?: 'close' | 'reopen',
): Promise<Exclude<Answer, Waiting> | null> {
  if (!dryRun) {
    const answer = await (await import('../app/decisions/once.ts')).decideAsSeen(books, seen, work);
    const { isWaiting } = await import('../app/approvals/propose.ts');
    // The answer about mismatches has `changed`: those of some couriers may be decided while those of others wait.
    const waitsWhole = answer instanceof Object && isWaiting(answer) && !('changed' in answer);
    if (!waitsWhole) return answer as Exclude<Answer, Waiting>;
    await printAnswer(session, answer, async () => (await import('./lines/decided.ts')).waitingLines(answer));
    return null;
  }
  const { previewOf } = await import('../app/decisions/preview.ts');
  const preview = await previewOf(books, async (copy) => ({ answer: await work(copy), what: refusalKind }), { seen });
  await printAnswer(session, preview, async () => (await import('./lines/decided.ts')).previewLines(preview));
  return null;
}

/** The values of a decision's fields. @throws UsageError if one is missing, empty or not of its kind */
async function readFields(session: Session, decision: Decision, input: TypedInput): Promise<DecisionInput<Fields>> {
  const values: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(decision.fields)) {
    if (field.typed === null) continue;
    // Commander has `--max-effect <amount>` as `maxEffect`.
    const name = isFlag(field.typed) ? new Option(field.typed).attributeName() : key;
    const value = input[name] ?? (field.isAskedFor && (await askFor(session, decision, input)));
    if (value !== undefined && value !== false) values[key] = await readTyped(session, key, field, value);
    // A missing argument is refused by commander.
    else if (isFlag(field.typed) && isNeeded(field)) {
      throw new UsageError(`${decision.name} needs ${field.typed}`, `Give ${exampleOf(field.typed, field)}.`);
    }
  }
  return { ...values, by: await session.person(input.by), isDryRun: input.dryRun };
}

async function readTyped(session: Session, key: string, field: Field, value: unknown): Promise<unknown> {
  const { schema } = field;
  const text = value as string;
  if (schema === MONTH) return oneMonth(session, text);
  if (schema === PERIOD) return session.months(text);
  if (schema === CODES) return (await import('./flags.ts')).knownCodes(value as string[]);
  if (isText(schema)) return nonEmptyText(field, text);
  if (schema.pattern === undefined || new RegExp(schema.pattern).test(text)) return value;
  throw new UsageError(`${quoted(text)} is no ${key}`, `Write one such as ${schema === AMOUNT ? '12.50' : 'USD'}.`);
}

/** `--note <text>` → `--note TEXT`, `--as <kind>` → `--as write-off|rounding` */
function exampleOf(typed: string, { schema }: Field): string {
  return typed.replace(/<(.*)>/, (_, value: string) => choicesOf(schema)?.join('|') ?? value.toUpperCase());
}

/** @throws UsageError for an empty text */
function nonEmptyText({ typed }: Field, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw new UsageError(`${typed!.split(' ')[0]} is empty`, 'Write in a few words what is to be kept.');
}

/** @throws UsageError for a period of several months */
async function oneMonth(session: Session, text: string): Promise<string> {
  const [month, ...others] = (await session.months(text)) ?? [];
  if (month !== undefined && others.length === 0) return month;
  const remedy = 'Months are closed and opened one at a time: write 2026-10.';
  throw new UsageError(`${quoted(text)} is not one month`, remedy);
}

/** Asks for the reason that was not given; undefined if there is nobody to ask, or nothing is typed. */
async function askFor({ io }: Session, { name }: Decision, { yes }: TypedInput): Promise<string | undefined> {
  if (yes || !io.isTTY.stdin) return undefined;
  const { usingAsker } = await import('./ask.ts');
  return (await usingAsker(io, ({ ask }) => ask(`the reason to ${verbOf(name)}, which is kept`))) || undefined;
}

/** Shows what would be done and asks for a yes. @throws UsageError if there is nobody to ask */
async function isAgreed(session: Session, { name }: Decision, lines: readonly DecisionLine[]): Promise<boolean> {
  // A decision about mismatches may have lines of other things too: only the mismatches are counted then.
  const count = lines.filter(({ mismatch }) => mismatch !== undefined).length || lines.length;
  const { lineText } = await import('./lines/decided.ts');
  const { isConfirmed } = await import('./ask.ts');
  // `what` is for the refusal without a terminal, where only decisions about mismatches ask.
  const what = count === 1 ? 'a mismatch' : `${count} mismatches`;
  return isConfirmed(session, verbOf(name), { what, count, lines: lines.map(lineText) });
}

/** `match remove` → `remove` */
function verbOf(name: string): string {
  return name.split(' ').at(-1)!;
}

function isFlag(typed: string): boolean {
  return typed.startsWith('--');
}

/** Whether a field must be given: TypeBox marks the schemas of the others with this symbol. */
function isNeeded({ schema }: Field): boolean {
  return !(OptionalKind in schema);
}

/** The words of a field that is a choice among words; null for other fields. */
function choicesOf({ anyOf = [] }: Field['schema']): readonly string[] | null {
  const words = (anyOf as readonly { readonly const?: string }[]).map((choice) => choice.const);
  return words.length > 0 && words.every((word) => word !== undefined) ? words : null;
}

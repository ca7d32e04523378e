import { Argument, Command, Option } from '@commander-js/extra-typings';
import { OptionalKind } from '@sinclair/typebox';
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
import { type CommandFile, example, ledgerOption, type Start, wholeNumber } from './command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from './deciding.ts';
import type { Session, SettingInput } from './session.ts';

/** The arguments and flags of a decision, as commander gives them. */
export interface TypedInput extends SettingInput, DecidingInput {
  readonly by?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly [name: string]: unknown;
}

/** The command of a decision that belongs to no group. */
export function decisionFile(name: string): CommandFile {
  return { declare: (start) => decisionNamed(name, start) };
}

/** The command of a decision by its name. */
export function decisionNamed(name: string, start: Start): Command {
  return commandOf(EVERY_DECISION.find((one) => one.name === name)!, start);
}

/** The commands of a group of decisions, such as `match`. */
export function decisionsOf(group: string, start: Start): Command[] {
  return EVERY_DECISION.filter(({ name }) => name.startsWith(`${group} `)).map((one) => commandOf(one, start));
}

/** The command of a decision. */
export function commandOf(decision: Decision, start: Start): Command {
  const { name, summary, description, examples, fields } = decision;
  const command = new Command(name.split(' ').at(-1)).summary(summary).description(description);
  // Commander would ask each command of the group for a mandatory flag of its parent.
  const isGroup = EVERY_DECISION.some((one) => one.name.startsWith(`${name} `));
  const args: string[] = [];
  for (const [key, field] of Object.entries(fields)) {
    const { typed, help, schema } = field;
    if (typed === null) continue;
    const declared = isFlag(typed) ? new Option(typed, help) : new Argument(typed, help);
    const choices = choicesOf(schema);
    if (choices) declared.choices(choices);
    if (schema.type === 'integer') declared.argParser(wholeNumber(schema.minimum));
    if (declared instanceof Argument) args.push(command.addArgument(declared) && key);
    else if (field === LEDGER) command.addOption(ledgerOption());
    else command.addOption(declared.makeOptionMandatory(!isGroup && isNeeded(field)));
  }
  const common = [dryRunOption(), seenOption(), ...(fields.ledger ? [] : [ledgerOption()])];
  for (const option of common) command.addOption(option);
  return command.addHelpText('after', example(...examples)).action((...words: unknown[]) => {
    const named = Object.fromEntries(args.map((key, at) => [key, words[at]]));
    return start(name, { ...named, ...(words[args.length] as object) }, decidingBy(decision));
  });
}

/** Runs a decision's command. It exits with 1 where a month is refused, or where a mismatch that was named cannot be moved from its state. */
export function decidingBy(decision: Decision) {
  return async (session: Session, typed: TypedInput): Promise<number> => {
    const asked = await askedOf(session, decision, typed);
    const books = await session.books(typed);
    const work = (own: typeof books) => decision.decide(own, asked);
    let { seen } = typed;
    const asks = typed.yes || typed.dryRun ? null : (decision.asks?.(asked) ?? null);
    if (asks === 'always' || (asks !== null && session.io.isTTY.stdin)) {
      const { previewOf } = await import('../app/decisions/preview.ts');
      const { lines, stale_after } = await previewOf(books, async (own) => ({ answer: await work(own) }));
      if (lines.length > 0 && !(await isWanted(session, decision, lines))) {
        session.note('nothing was changed');
        return 0;
      }
      seen ??= stale_after ?? undefined;
    }
    const answer = await deciding(session, books, { ...typed, seen }, work, decision.refuses);
    if (answer === null) return 0;
    const { decidedLines } = await import('./lines/decided.ts');
    const { warnings, lines, isIncomplete } = await decidedLines(decision, answer, () => session.zone(books));
    if (session.json) session.resultJson(answer);
    else {
      for (const line of warnings) session.warn(line);
      if (!session.quiet && lines.length > 0) session.result(lines.join('\n'));
    }
    return isIncomplete ? 1 : 0;
  };
}

/** The values of a decision's fields. @throws UsageError where one is missing, empty or of another kind */
async function askedOf(session: Session, decision: Decision, typed: TypedInput): Promise<DecisionInput<Fields>> {
  const asked: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(decision.fields)) {
    if (field.typed === null) continue;
    const value =
      typed[attributeOf(key, field.typed)] ?? (field.isAskedFor && (await askFor(session, decision, typed)));
    if (value !== undefined && value !== false) asked[key] = await readTyped(session, key, field, value);
    else if (isFlag(field.typed) && isNeeded(field)) {
      throw new UsageError(`${decision.name} needs ${field.typed}`, `Give ${exampleOf(field.typed, field)}.`);
    }
  }
  return { ...asked, by: await session.person(typed.by), isDryRun: typed.dryRun };
}

async function readTyped(session: Session, key: string, field: Field, value: unknown): Promise<unknown> {
  const { schema } = field;
  const text = value as string;
  if (schema === MONTH) return oneMonth(session, text);
  if (schema === PERIOD) return session.months(text);
  if (schema === CODES) return (await import('./filter-flags.ts')).knownCodes(value as string[]);
  if (isText(schema)) return writtenIn(field, text);
  if (schema.pattern === undefined || new RegExp(schema.pattern).test(text)) return value;
  throw new UsageError(`${quoted(text)} is no ${key}`, `Write one such as ${schema === AMOUNT ? '12.50' : 'USD'}.`);
}

/** `--note <text>` → `--note TEXT`, `--as <kind>` → `--as write-off|rounding` */
function exampleOf(typed: string, { schema }: Field): string {
  return typed.replace(/<(.*)>/, (_, value: string) => choicesOf(schema)?.join('|') ?? value.toUpperCase());
}

/** @throws UsageError for an empty text */
function writtenIn({ typed }: Field, text: string): string {
  const written = text.trim();
  if (written !== '') return written;
  throw new UsageError(`${typed!.split(' ')[0]} is empty`, 'Write in a few words what is to be kept.');
}

/** @throws UsageError for a period of several months */
async function oneMonth(session: Session, text: string): Promise<string> {
  const [month, ...others] = (await session.months(text)) ?? [];
  if (month !== undefined && others.length === 0) return month;
  throw new UsageError(
    `${quoted(text)} is not one month`,
    'Months are closed and opened one at a time: write 2026-10.',
  );
}

/** Asks for the reason that was not given; undefined where there is nobody to ask, or nothing is typed. */
async function askFor({ io }: Session, { name }: Decision, { yes }: TypedInput): Promise<string | undefined> {
  if (yes || !io.isTTY.stdin) return undefined;
  const { usingAsker } = await import('./ask.ts');
  return (await usingAsker(io, ({ ask }) => ask(`the reason to ${verbOf(name)}, which is kept`))) || undefined;
}

/** Shows what would be done and asks. @throws UsageError where nobody can be asked */
async function isWanted(session: Session, { name }: Decision, lines: readonly DecisionLine[]): Promise<boolean> {
  const findings = lines.filter(({ mismatch }) => mismatch !== undefined).length || lines.length;
  const { lineText } = await import('./lines/approvals.ts');
  if (!session.io.isTTY.stdin) {
    throw new UsageError(
      `this would ${verbOf(name)} ${findings === 1 ? 'a mismatch' : `${findings} mismatches`}, and there is no terminal to ask on`,
      'Give --yes to do it without asking, or --dry-run to see it.',
    );
  }
  for (const line of lines) session.io.stderr.write(`${session.mask(lineText(line))}\n`);
  const { usingAsker } = await import('./ask.ts');
  return usingAsker(session.io, ({ confirm }) => confirm(`${verbOf(name)} ${findings}`));
}

/** `match remove` → `remove` */
function verbOf(name: string): string {
  return name.split(' ').at(-1)!;
}

function attributeOf(key: string, typed: string): string {
  return isFlag(typed) ? new Option(typed).attributeName() : key;
}

function isFlag(typed: string): boolean {
  return typed.startsWith('--');
}

function isNeeded({ schema }: Field): boolean {
  return !(OptionalKind in schema);
}

/** The words of a choice. */
function choicesOf({ anyOf = [] }: Field['schema']): readonly string[] | null {
  const words = (anyOf as readonly { readonly const?: string }[]).map((one) => one.const);
  return words.length > 0 && words.every((word) => word !== undefined) ? words : null;
}

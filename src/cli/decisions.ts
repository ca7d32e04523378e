import { Argument, Command, Option } from '@commander-js/extra-typings';
import { OptionalKind } from '@sinclair/typebox';
import { type Asked, type Decision, type Field, type Fields, isText } from '../app/decisions/decision.ts';
import { EVERY_DECISION } from '../app/decisions/list.ts';
import { UsageError } from '../base/errors.ts';
import { example, ledgerOption, type Start, wholeNumber } from './command.ts';
import { type DecidingInput, deciding, dryRunOption, noteOf, seenOption } from './deciding.ts';
import type { Session, SettingInput } from './session.ts';

/** What was typed of a decision, by its arguments and flags. */
export interface TypedInput extends SettingInput, DecidingInput {
  readonly by?: string | undefined;
  readonly [name: string]: unknown;
}

/** The commands of a group of decisions, such as `match`. */
export function decisionsOf(group: string, start: Start): Command[] {
  return EVERY_DECISION.filter(({ name }) => name.startsWith(`${group} `)).map((one) => commandOf(one, start));
}

/** The command of a decision. */
export function commandOf(decision: Decision, start: Start): Command {
  const { name, summary, description, examples, fields } = decision;
  const command = new Command(name.split(' ').at(-1)).summary(summary).description(description);
  const args: string[] = [];
  for (const [key, { typed, help, schema }] of Object.entries(fields)) {
    if (typed === null) continue;
    const declared = isFlag(typed) ? new Option(typed, help) : new Argument(typed, help);
    const choices = choicesOf(schema);
    if (choices) declared.choices(choices);
    if (schema.type === 'integer') declared.argParser(wholeNumber(schema.minimum));
    if (declared instanceof Option) command.addOption(declared.makeOptionMandatory(!(OptionalKind in schema)));
    else args.push(command.addArgument(declared) && key);
  }
  for (const option of [dryRunOption(), seenOption(), ledgerOption()]) command.addOption(option);
  return command.addHelpText('after', example(...examples)).action((...words: unknown[]) => {
    const named = Object.fromEntries(args.map((key, at) => [key, words[at]]));
    return start(name, { ...named, ...(words[args.length] as object) }, decidingBy(decision));
  });
}

/** The work of a decision's command. */
export function decidingBy(decision: Decision) {
  return async (session: Session, typed: TypedInput): Promise<number> => {
    const asked = await askedOf(session, decision, typed);
    const books = await session.books(typed);
    const answer = await deciding(session, books, typed, (own) => decision.decide(own, asked));
    if (answer === null) return 0;
    if (session.json) session.resultJson(answer);
    else if (!session.quiet)
      session.result(await (await import('./lines/decided.ts')).decidedText(decision.name, answer));
    return 0;
  };
}

/** What was typed, as the fields of a decision. @throws UsageError for a flag that it needs, or a text that is empty */
async function askedOf(session: Session, { name, fields }: Decision, typed: TypedInput): Promise<Asked<Fields>> {
  const asked: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    if (field.typed === null) continue;
    const value = typed[attributeOf(key, field.typed)];
    if (value !== undefined) asked[key] = isText(field.schema) ? noteOf(value as string) : value;
    else if (!(OptionalKind in field.schema))
      throw new UsageError(`${name} needs ${field.typed}`, `It is ${field.help}.`);
  }
  return { ...asked, by: await session.person(typed.by) };
}

function attributeOf(key: string, typed: string): string {
  return isFlag(typed) ? new Option(typed).attributeName() : key;
}

function isFlag(typed: string): boolean {
  return typed.startsWith('--');
}

/** The words of a choice. */
function choicesOf({ anyOf = [] }: Field['schema']): readonly string[] | null {
  const words = (anyOf as readonly { readonly const?: string }[]).map((one) => one.const);
  return words.length > 0 && words.every((word) => word !== undefined) ? words : null;
}

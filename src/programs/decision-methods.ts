/** Makes a method of each declared decision, by which a program decides: `books.match.add(...)`. */
import type { Static, TOptional } from '@sinclair/typebox';
import type { Decision, Field, Fields } from '../app/decisions/decision.ts';
import { type Declared, EVERY_DECISION } from '../app/decisions/every.ts';
import type { Preview } from '../app/decisions/preview.ts';
import type { DecidingInput } from '../cli/decide-or-preview.ts';
import type { SettingInput } from '../cli/session.ts';
import { type Caller, type Method, method, type Options } from './method.ts';

/** `with_open` → `withOpen`, `write-off` → `writeOff` */
type Camel<Name> = Name extends `${infer First}${'-' | '_'}${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

/** Whether a program may leave a field out: an argument that is typed as `[ids...]`, or one with an optional schema. */
type IsOptional<One extends Field> = One['typed'] extends `[${string}`
  ? true
  : One['schema'] extends TOptional<One['schema']>
    ? true
    : false;

/** The options of the method: the decision's fields, without those that nobody types. */
type Given<Shape extends Fields> = {
  readonly [Key in keyof Shape as Shape[Key]['typed'] extends null ? never : Camel<Key>]:
    | Static<Shape[Key]['schema']>
    | (IsOptional<Shape[Key]> extends true ? undefined : never);
} & SettingInput &
  DecidingInput;

type MethodOf<One> =
  One extends Decision<string, infer Shape, infer Answer>
    ? (caller: Caller) => Method<Options<Given<Shape>, never>, Answer, Preview>
    : never;

type OfGroup<Group extends string> = {
  readonly [One in Declared as One['name'] extends `${Group} ${infer Verb}` ? Camel<Verb> : never]: MethodOf<One>;
};

/** The method that makes a decision, as its command does. */
export function decided<Name extends Declared['name']>(name: Name): MethodOf<Extract<Declared, { name: Name }>> {
  const decision = EVERY_DECISION.find((one) => one.name === name)!;
  const positional = Object.entries(decision.fields).flatMap(([key, { typed }]) =>
    typed === null || typed.startsWith('--') ? [] : key,
  );
  const call = method<object, never, Preview>()(
    name,
    positional,
    async () => {
      const { commandOf, workOf } = await import('../cli/decisions.ts');
      return [(start) => commandOf(decision, start), workOf(decision)];
    },
    {},
  );
  return call as never;
}

/** The methods of a group of decisions, such as `match`, by their verbs. */
export function decidedIn<Group extends string>(group: Group): OfGroup<Group> {
  const ofGroup = EVERY_DECISION.filter(({ name }) => name.startsWith(`${group} `));
  const verb = ({ name }: Decision) =>
    name.slice(group.length + 1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(ofGroup.map((one) => [verb(one), decided(one.name as Declared['name'])])) as never;
}

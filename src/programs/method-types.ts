/** The types of the methods that commands and decisions become; `method.ts` makes them. */
import type { Static, TOptional } from '@sinclair/typebox';
import type { Decision, Field, Fields } from '../app/decisions/decision.ts';
import type { DeclaredDecision } from '../app/decisions/every.ts';
import type { Preview as DecisionPreview } from '../app/decisions/preview.ts';
import type { Sentence } from '../base/sentence.ts';
import type { DecidingInput } from '../cli/decisions.ts';
import type { SettingInput } from '../cli/session.ts';

/** What every call of one set of books shares. */
export interface Caller {
  readonly folder: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** @throws UsageError when the books were closed */
  readonly requireOpen: () => void;
}

/** The type of a value after JSON: a `Date` is its text. */
export type Json<T> = T extends { toJSON(): infer Text }
  ? Text
  : // A sentence may hold sentences, however deep; it is JSON already.
    T extends object
    ? T extends Sentence
      ? T
      : { [Key in keyof T]: Json<T[Key]> }
    : T;

/** The type of one option: a list may be given as its only item, and an id as a number. */
type Value<Key, T> = T extends readonly (infer One)[]
  ? // A list of any texts takes numbers too; a list of certain words does not.
    string extends One
    ? Item | readonly Item[]
    : One | T
  : Key extends 'id'
    ? T | number
    : T;
type Item = string | number;

/** The name of an option that may be left out, because it may be undefined or has a default; never for another. */
type KeyIfOptional<Key extends PropertyKey, T, Defaulted> = Key extends Defaulted
  ? Key
  : undefined extends T
    ? Key
    : never;

/** The options of a command: those that may be left out, then the others. `Defaulted` names those with a default. */
export type Options<Input, Defaulted extends PropertyKey> = {
  readonly [Key in keyof Input as KeyIfOptional<Key, Input[Key], Defaulted>]?: Value<Key, Input[Key]>;
} & {
  readonly [Key in keyof Input as Exclude<Key, KeyIfOptional<Key, Input[Key], Defaulted>>]: Value<Key, Input[Key]>;
} & {
  /** The courier that it is about, if the books have several. */
  readonly courier?: string | undefined;
};

/** The only argument of a method; it may be left out where every option may be: where `object extends Given`. */
type Argument<Given> = object extends Given ? [options?: Given] : [options: Given];

/**
 * A command as a method: its options, and what its `--json` prints. With `dryRun` it shows what it would do; `Preview`
 * is `never` for a command without it.
 */
export type Method<Given, Result, Preview = never> = [Preview] extends [never]
  ? (...argument: Argument<Given>) => Promise<Json<Result>>
  : {
      (options: Given & { readonly dryRun: true }): Promise<Json<Preview>>;
      (...argument: Argument<Given & { readonly dryRun?: false | undefined }>): Promise<Json<Result>>;
    };

/** `with_open` → `withOpen`, `write-off` → `writeOff` */
type Camel<Name> = Name extends `${infer First}${'-' | '_'}${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

/** Whether a program may leave a field out: an argument that is typed as `[ids...]`, or one with an optional schema. */
type IsOptional<One extends Field> = One['typed'] extends `[${string}`
  ? true
  : One['schema'] extends TOptional<One['schema']>
    ? true
    : false;

/**
 * The options of a decision's method: its fields, without those that nobody types; settings such as `ledger`; and
 * `dryRun` and `seen`, the `stale_after` of a dry run, to which the decision is then held.
 */
type DecisionOptions<Shape extends Fields> = {
  readonly [Key in keyof Shape as Shape[Key]['typed'] extends null ? never : Camel<Key>]:
    | Static<Shape[Key]['schema']>
    | (IsOptional<Shape[Key]> extends true ? undefined : never);
} & SettingInput &
  DecidingInput;

/** The method of a decision, by its declaration. */
export type MethodOf<One> =
  One extends Decision<string, infer Shape, infer Answer>
    ? (caller: Caller) => Method<Options<DecisionOptions<Shape>, never>, Answer, DecisionPreview>
    : never;

/** The methods of a group of decisions, by their verbs in camel case. */
export type MethodsOfGroup<Group extends string> = {
  readonly [One in DeclaredDecision as One['name'] extends `${Group} ${infer Verb}`
    ? Camel<Verb>
    : never]: MethodOf<One>;
};

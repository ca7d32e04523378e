import {
  Integer,
  Array as List,
  Literal,
  Optional,
  type Static,
  String as Text,
  type TObject,
  type TSchema,
  Union,
  Unsafe,
  Boolean as YesNo,
} from '@sinclair/typebox';
import type { LedgerTransaction } from '../../ledger/index.ts';
import type { DecideName } from '../../words/sentences.ts';
import type { ProposedKind } from '../approvals/propose.ts';
import type { Books } from '../books.ts';
import type { Opposite } from '../desk/decision-log.ts';

/** One value that a person gives with a decision: an argument, a flag, or a field of a form. */
export interface Field<Schema extends TSchema = TSchema, Typed extends string | null = string | null> {
  readonly schema: Schema;
  /**
   * How it is typed: `<id>` and `[ids...]` are arguments, `--part` and `--rate <rate>` flags; null where it is only
   * sent.
   */
  readonly typed: Typed;
  readonly help: string;
  /** Whether the desk takes it too: as a field of its form and of its JSON, or as a part of the path. */
  readonly isSent: boolean;
  /** Whether the command asks for it on a terminal if it was not typed. */
  readonly isAskedFor?: true;
}

/** A field of the command line and of the desk. */
export function field<Schema extends TSchema, Typed extends string>(typed: Typed, help: string, schema: Schema) {
  return { schema, typed, help, isSent: true } as const;
}

/** A field of the command line alone. */
export function typedField<Schema extends TSchema, Typed extends string>(typed: Typed, help: string, schema: Schema) {
  return { schema, typed, help, isSent: false } as const;
}

/** A field of the desk alone. */
export function sentField<Schema extends TSchema>(schema: Schema) {
  return { schema, typed: null, help: '', isSent: true } as const;
}

export type Fields = Readonly<Record<string, Field>>;

/** What a person gives with a decision: the values of its fields, and who decides. */
export type DecisionInput<Shape extends Fields> = Static<TObject<{ [Key in keyof Shape]: Shape[Key]['schema'] }>> & {
  readonly by: string;
  /** The last evidence that the desk's page showed, null where it does not say; absent on the command line. */
  readonly seen?: number | null | undefined;
  readonly isDryRun?: boolean | undefined;
};

/** How the desk takes a decision: as a form, or as JSON. */
export interface AtDesk {
  readonly path: string;
  /** What `openapi.json` says of the operation; if absent, it says the decision's summary. */
  readonly title?: string;
  /** The operation's name in `openapi.json`. */
  readonly operationId: DecideName;
  /** The page that follows, unless the form names one. `/months/:month` takes the month from a field. */
  readonly to: string;
  /** Whether a program may never do it. */
  readonly isForPeople?: true;
}

/**
 * A decision. Its command, help, route at the desk, JSON, method for programs, entry in `openapi.json` and approval are
 * made from this.
 */
export interface Decision<Name extends string = string, Shape extends Fields = Fields, Answer extends object = object> {
  /** The command, as it is typed: `match add`. */
  readonly name: Name;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** In the order in which help has them. */
  readonly fields: Shape;
  readonly desk: AtDesk;
  /**
   * Whether the command first shows what it would do, and asks: on a terminal, or always, so that elsewhere `--yes` has
   * to be given.
   */
  asks?(input: DecisionInput<Shape>): 'on a terminal' | 'always' | null;
  /** Which refusal the answer may be: that the month cannot be closed, or that it cannot be opened again. */
  readonly refuses?: 'close' | 'reopen';
  /** The name of this decision as the opposite of another, in the list of decisions. */
  readonly undoes?: Opposite['kind'];
  /**
   * Its answer is the JSON of the command and the desk. It imports what it needs when it runs: every command starts
   * quickly.
   */
  decide(books: Books, input: DecisionInput<Shape>): Promise<Answer>;
  /** How an approved proposal is done: the limit is not checked again. `what` is its kind among the proposals. */
  readonly approved?: {
    readonly what: ProposedKind;
    make(trx: LedgerTransaction, books: Pick<Books, 'config' | 'now'>, request: never): Promise<object>;
  };
}

/** Returns a declaration as it is: TypeScript infers its types here. */
export function decision<const Name extends string, Shape extends Fields, Answer extends object>(
  declaration: Decision<Name, Shape, Answer>,
): Decision<Name, Shape, Answer> {
  return declaration;
}

// The schemas of fields. `NOTE`, `FLAG`, `WORD`, `AMOUNT`, `PERIOD` and `CODES` may be left out; the others are needed.

/** A text that somebody writes. */
export const TEXT = Text({ maxLength: 4_000 });
export const NOTE = Optional(TEXT);
export const NUMBER = Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const FLAG = Optional(YesNo());
export const WORD = Optional(Text());
export const MONTH = Text({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' });
/** An amount as decimal text; reading it refuses one that is too large for the ledger. */
export const AMOUNT = Optional(Text({ pattern: '^-?[0-9]{1,15}([.][0-9]{1,4})?$' }));
/** Months, which a person types as a period: `2026-08..2026-10` is read as a list of three. */
export const PERIOD = Optional(Unsafe<readonly string[]>(Text()));
/** Codes of checks. */
export const CODES = Optional(List(Text()));
const SOME = { minItems: 1, maxItems: 1_000 };
/** Ids of mismatches, or unique beginnings of them. */
export const IDS = List(Text({ minLength: 1, maxLength: 64 }), SOME);
/** Invoices by their numbers; a payout of a settlement sheet by its own, such as `ES-902`. */
export const INVOICES = List(Union([NUMBER, Text({ maxLength: 200 })]), SOME);

export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return Union(words.map((word) => Literal(word)));
}

/** Whether a field is prose: the desk trims it, and takes an empty one as left out. Other texts stay as sent. */
export function isText(schema: TSchema): boolean {
  return schema === TEXT || schema === NOTE;
}

/** The courier, if two couriers use the same number. The command line has `--courier` for every command. */
export const COURIER = sentField(Optional(Text({ maxLength: 40 })));
export const REASON = field('--reason <text>', 'why; it stays on record', TEXT);
export const IDS_HELP = 'their ids, which may be shortened while they are unique';
export const YES = typedField('--yes', 'do it without asking', FLAG);
/** Only for the order of help: it lists `--ledger` before the flags that follow. */
export const LEDGER = typedField('--ledger <place>', '', WORD);

/** The person who decides. The command line asks for the name; the desk knows who signed in. */
export function by(who: string) {
  return typedField('--by <name>', `${who} (default: the user of this machine)`, WORD);
}

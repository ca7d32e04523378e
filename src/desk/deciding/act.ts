import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { AtDesk } from '../../app/decisions/decision.ts';
import type { doneBy } from '../../app/decisions/lines.ts';
import type { Sentence } from '../../base/sentence.ts';
import { because } from '../../words/errors/desk.ts';
import type { DeskWord } from '../../words/sentences.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../refusal.ts';

/** A file that was uploaded. */
export interface Uploaded {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A decision that somebody sends. */
export interface Act<Body> {
  readonly desk: Desk;
  /** The name under which it is kept. */
  readonly by: string;
  readonly body: Body;
  /** The last evidence that the sender knows of; undefined where that is not said. */
  readonly seen: number | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly files: readonly Uploaded[];
}

/** What a decision gives. */
export interface Outcome {
  /** What a program gets as JSON. */
  readonly answer: object;
  /** Where a person goes on, unless the form says it. */
  readonly to: string;
  /** What is sent to the courier, as text. */
  readonly letter?: string;
  /** The message after the decision, where its lines do not give one. */
  readonly says?: Sentence;
  /** The page of what it made, which a link leads to where the person goes on elsewhere. */
  readonly see?: { readonly address: string; readonly word: DeskWord };
  /** What is said after what its lines did. */
  readonly also?: ReturnType<typeof doneBy>;
}

/** A decision that can be sent: as a form, or as JSON. */
export interface DecideRoute<Properties extends TProperties = TProperties> extends Omit<AtDesk, 'to'> {
  /** Whether the person can leave out lines of its preview; at first only what the courier owes is ticked. */
  readonly isChosen?: true;
  readonly body: TObject<Properties>;
  /** Whether files are sent with it. */
  readonly takesFiles?: boolean;
  readonly decide: (act: Act<Static<TObject<Properties>>>) => Promise<Outcome>;
}

/** A route, with its body's type told from its schema. */
export function route<Properties extends TProperties>(made: DecideRoute<Properties>): DecideRoute {
  return made as unknown as DecideRoute;
}

/** The fields of a body, and no others: its own, and what the sender has seen of the books. */
export function fields<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object({ ...properties, seen: SEEN }, { additionalProperties: false }) as unknown as TObject<Properties>;
}

/** The last evidence that the sender knows of, or the `stale_after` of a preview: what changed later is a conflict. */
const SEEN = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9a-f]{64}$' })]));
/** A number in a path. @throws Refusal 422 for anything else */
export function numberOf(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal(422, 'usage', because({ id: 'no-number' }));
}

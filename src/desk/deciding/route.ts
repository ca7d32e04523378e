import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { AtDesk } from '../../app/decisions/decision.ts';
import type { doneBy } from '../../app/decisions/lines.ts';
import type { Sentence } from '../../base/sentence.ts';
import { deskError } from '../../words/errors/desk.ts';
import type { DeskWord } from '../../words/sentences.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../refusal.ts';

export interface Uploaded {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A decision that somebody sends. */
export interface SentDecision<Body> {
  readonly desk: Desk;
  /** The name of the person or program, for the record. */
  readonly by: string;
  readonly body: Body;
  /** The last row of evidence that the sender knows of; undefined if the request does not say. */
  readonly seen: number | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly files: readonly Uploaded[];
}

/** What a decision led to, for whoever sent it. */
export interface Outcome {
  /** What a program gets as JSON. */
  readonly answer: object;
  /** The page on which a person goes on, unless the form names one. */
  readonly to: string;
  /** What is sent to the courier, as text. */
  readonly letter?: string;
  /** The message after the decision, if it is not made of its lines. */
  readonly says?: Sentence;
  /** A link to the page of what it made, if the person goes on elsewhere. */
  readonly see?: { readonly address: string; readonly word: DeskWord };
  /** What the message says besides what the lines did. */
  readonly also?: ReturnType<typeof doneBy>;
}

/** A decision that can be sent: as a form, or as JSON. */
export interface DecideRoute<Properties extends TProperties = TProperties> extends Omit<AtDesk, 'to' | 'title'> {
  readonly title: string;
  /** Whether a person can leave out lines of its preview; at first only what the courier owes is ticked. */
  readonly canLeaveOutLines?: true;
  readonly body: TObject<Properties>;
  readonly takesFiles?: boolean;
  readonly decide: (sent: SentDecision<Static<TObject<Properties>>>) => Promise<Outcome>;
}

/** Checks that `decide` takes the body that the schema describes; the list of all routes no longer knows that type. */
export function route<Properties extends TProperties>(typed: DecideRoute<Properties>): DecideRoute {
  return typed as unknown as DecideRoute;
}

/** The schema of a body with these fields, with `seen`, and with no others. */
export function fields<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object({ ...properties, seen: SEEN }, { additionalProperties: false }) as unknown as TObject<Properties>;
}

/** The last row of evidence that the sender knows of, or a preview's `stale_after`: a later change is a conflict. */
const SEEN = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9a-f]{64}$' })]));

/** A number in a path. @throws Refusal 422 for anything else */
export function numberInPath(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal(422, 'usage', deskError({ id: 'no-number' }));
}

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { inZone } from '../../../base/day.ts';
import type { Explanation } from '../../../base/errors.ts';
import { type ClaimState, isOver } from '../../../base/states.ts';
import type { Language } from '../../../words/index.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { deskLanguage } from '../../languages.ts';

export interface PageWords {
  readonly language: Language;
  /** A word of the desk: a heading, a label, a button. */
  readonly word: (word: DeskWord) => string;
  /** Message and hint of a failure; a hint that says what to type on a command line is left out. */
  readonly explain: Language['explain'];
}

/** What a hint tells a person to type: a command in backticks, or a flag, in Arabic between U+2066 and U+2069. */
const TYPED = /`remit|(^|[\s"'(\u2066-\u2069])--[a-z]/;

export function wordsOf(desk: Pick<DeskContext, 'language'>): PageWords {
  const language = deskLanguage(desk.language);
  const explain: PageWords['explain'] = (explanation) => {
    const { message, hint } = language.explain(explanation);
    return { message, hint: TYPED.test(hint) ? '' : hint };
  };
  return { language, explain, word: (word) => language.say({ id: 'desk', word }) };
}

/** The context of the page that is drawn. */
export const PageContext = createContext<DeskContext | null>(null);

/** The context and the words of the page that a component is part of. */
export function usePage(): PageWords & { readonly desk: DeskContext } {
  const desk = useContext(PageContext)!;
  return { desk, ...wordsOf(desk) };
}

export function explainedLine(explanation: Explanation, desk: Pick<DeskContext, 'language'>): string {
  const { message, hint } = wordsOf(desk).explain(explanation);
  return hint === '' ? message : `${message}. ${hint}`;
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;
const TIME = /^[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** A day or an instant as people write it, in the books' time zone: `6 Nov 2026, 09:30`. Any other text stays. */
export function dated(text: string, desk: Pick<DeskContext, 'language' | 'timeZone'>): string {
  const local = inZone(text, desk.timeZone);
  const [day] = DATE.exec(local) ?? [];
  if (day === undefined) return text;
  const { language } = wordsOf(desk);
  if (local === day) return language.date(day);
  const time = TIME.exec(local.slice(day.length))?.[1];
  return time === undefined ? text : `${language.date(day)}${language.comma}${time}`;
}

const THING = /^(order|invoice|receipt) (?=.)/;

/** A subject such as `order 4711` with its noun in the reader's language; a month or a number stays as it is. */
export function subjectText(subject: string, desk: Pick<DeskContext, 'language'>): string {
  const { word } = wordsOf(desk);
  return subject.replace(THING, (_, thing: 'order') => `${word(thing)} `);
}

/** A courier as a page and its forms name it: null if the books have only one. */
export function namedCourier(courier: string | null | undefined, { couriers }: DeskContext): string | null {
  return couriers.length > 1 ? (courier ?? null) : null;
}

/** How many findings there are, whatever their severity. */
export function countOf({ error, warning, info }: Readonly<Record<'error' | 'warning' | 'info', number>>): number {
  return error + warning + info;
}

/** Whether a mismatch is shown as claimed: it is acknowledged, and its claim is not over. */
export function isClaimed(status: unknown, claim: ClaimState | null): boolean {
  return status === 'acknowledged' && claim !== null && !isOver(claim);
}

import type { Waiting } from '../../app/approvals/propose.ts';
import type { DECISIONS } from '../../app/decisions/list.ts';
import { addedLine } from './match.ts';

type Declared = (typeof DECISIONS)[number];
type AnswerOf<Name> = Exclude<Awaited<ReturnType<Extract<Declared, { name: Name }>['decide']>>, Waiting>;

/** What a decision's command says when it is made. */
const TEXTS: { readonly [Name in Declared['name']]?: (answer: AnswerOf<Name>) => string } = {
  'match add': addedLine,
  'match remove': ({ match }) => `match ${match} is taken away`,
};

export function decidedText(name: string, answer: object): string {
  const text = TEXTS[name as keyof typeof TEXTS] as (answer: object) => string;
  return text(answer);
}

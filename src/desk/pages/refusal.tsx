import type { VNode } from 'preact';
import type { EarlierDecision } from '../../app/desk/conflicts.ts';
import { isSamePerson } from '../../base/names.ts';
import type { DeskWord } from '../../words/sentences.ts';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { KnownFields } from './parts/fields.tsx';
import { Shell } from './parts/shell.tsx';
import { usePage } from './parts/words.ts';

/** Details that the message already has. */
const IN_MESSAGE = ['first', 'reasons', 'status', 'period'];

/** The statuses of a refused form: the page then has a link back to the form. */
const OF_FORMS = [409, 413, 422];

/** The title. Whoever was first may be the same person, in another window. */
function titleOf({ status, details }: Pick<Models['refusal'], 'status' | 'details'>, { user }: DeskContext): DeskWord {
  if (status === 404) return 'not-there';
  const first = details?.first as EarlierDecision | undefined;
  if (status !== 409 || first === undefined) return 'not-done';
  return isSamePerson(first.by, user) ? 'decided-before' : 'somebody-was-first';
}

/** The couriers among which the reader is asked to choose; none where no choice would help. */
function couriersIn({ sentence }: Models['refusal']['explanation']): readonly string[] {
  const asks = sentence.id === 'books/which-courier' || sentence.id === 'books/several-couriers-have';
  return asks ? (sentence.couriers as readonly string[]) : [];
}

/** Why the desk refused a request, what to do about it, and who was first, if somebody was. */
export function RefusalPage({ status, code, explanation, details }: Models['refusal']): VNode {
  const { desk, word, explain } = usePage();
  const { message, hint } = explain(explanation);
  const having = couriersIn(explanation);
  return (
    <Shell title={word(titleOf({ status, details }, desk))}>
      <p class="message" role="alert">
        {message}
      </p>
      <p>{hint}</p>
      {status === 404 && having.length > 0 && !desk.query.has('courier') && (
        <p class="around">
          {`${word('which-courier')}: `}
          {having.map((courier) => (
            <>
              <a href={desk.link({ courier })} dir="auto">
                {courier}
              </a>{' '}
            </>
          ))}
        </p>
      )}
      {details && <KnownFields of={details} without={IN_MESSAGE} />}
      <p>
        {OF_FORMS.includes(status) && (
          <>
            <a href={desk.link({})}>{word('back')}</a> ·{' '}
          </>
        )}
        <a href="/">{word('home')}</a> · <code>{`${status} ${code}`}</code>
      </p>
    </Shell>
  );
}

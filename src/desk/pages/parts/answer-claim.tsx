import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { ChoiceField, Form, LabelledInput } from './form.tsx';
import { wordsOf } from './words.ts';

interface AnswerClaimProps {
  /** The mismatches that are claimed. */
  readonly ids: readonly string[];
  /** The courier to which the claims were sent; null if the books have only one. */
  readonly courier: string | null;
  readonly back: string;
  readonly desk: DeskContext;
}

/** The decisions that give up claims, each with the field in which it says why. */
const WAYS_TO_GIVE_UP = [
  ['withdraw', 'note'],
  ['write-off', 'reason'],
] as const;

/** The forms that record the courier's answer to claims, withdraw them, or write them off. */
export function AnswerClaim({ ids, courier, back, desk }: AnswerClaimProps): VNode {
  const { word } = wordsOf(desk);
  return (
    <>
      <Form
        desk={desk}
        action="/claims/answer"
        class="decide"
        values={{ ids, courier, back }}
        label={word('claim-answer')}
      >
        <ChoiceField
          label={word('claim-answer')}
          name="answer"
          options={[
            ['', word('answer-open')],
            ['accepted', word('answer-accepted')],
            ['refused', word('answer-refused')],
          ]}
        />
        <LabelledInput label={word('note')} name="note" class="long" required />
        <button type="submit">{word('keep-answer')}</button>
      </Form>
      {WAYS_TO_GIVE_UP.map(([way, field]) => (
        <Form
          desk={desk}
          action={`/claims/${way}`}
          isSeenFirst
          class="decide"
          values={{ ids, courier, back }}
          label={word(way)}
        >
          <LabelledInput label={word(field)} name={field} class="long" required />
          <button type="submit">{word(way)}</button>
        </Form>
      ))}
    </>
  );
}

import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import type { Models } from '../../models.ts';
import { Choice, Field, Form } from '../parts/form.tsx';
import { Known, KnownRows } from '../parts/known.tsx';
import { wordsOf } from '../parts/words.ts';

interface ClaimProps {
  readonly model: Models['mismatch'];
  readonly desk: DeskContext;
}

/** The claim of a mismatch, what the courier answered, and giving it up; or claiming it. */
export function Claim({ model, desk }: ClaimProps): VNode {
  const { word } = wordsOf(desk);
  const { mismatch, claim, claim_history: history } = model;
  const ids = [mismatch.id];
  const back = desk.link({});
  if (claim === null) {
    return (
      <section>
        <h2>{word('claim')}</h2>
        <p>{word('not-claimed')}</p>
        <Form desk={desk} action="/claims" class="inline" values={{ ids, back }} label={word('claim-it')}>
          <button type="submit">{word('claim-it')}</button>
        </Form>
      </section>
    );
  }
  return (
    <section>
      <h2>{word('claim')}</h2>
      <Known of={claim} desk={desk} />
      <KnownRows of={history} desk={desk} caption={word('claim')} without={['mismatch_id']} />
      <Form desk={desk} action="/claims/answer" class="decide" values={{ ids, back }} label={word('claim-answer')}>
        <Choice
          label={word('claim-answer')}
          name="answer"
          options={[
            ['', word('answer-open')],
            ['accepted', word('answer-accepted')],
            ['refused', word('answer-refused')],
          ]}
        />
        <Field label={word('note')} name="note" class="long" required />
        <button type="submit">{word('keep-answer')}</button>
      </Form>
      <p>
        <a href={`/claims/${mismatch.id}/letter`}>{word('claim-letter')}</a>
      </p>
      <Form desk={desk} action="/claims/withdraw" class="decide" values={{ ids, back }} label={word('withdraw')}>
        <Field label={word('note')} name="note" class="long" required />
        <button type="submit">{word('withdraw')}</button>
      </Form>
      <Form desk={desk} action="/claims/write-off" class="decide" values={{ ids, back }} label={word('write-off')}>
        <Field label={word('reason')} name="reason" class="long" required />
        <button type="submit">{word('write-off')}</button>
      </Form>
    </section>
  );
}

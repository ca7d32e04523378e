import type { ComponentChildren, VNode } from 'preact';
import { Objection } from '../../../app/close/objection.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import type { MonthModel } from '../../models.ts';
import { Form, LabelledInput } from '../parts/form.tsx';
import { explainedLine, wordsOf } from '../parts/words.ts';

type Reason = MonthModel['refusals'][number];

/** What must hold before a month can be closed, in the order in which a person deals with it. */
const CONDITIONS: readonly (readonly [code: Reason['code'], word: DeskWord])[] = [
  ['not-ended', 'condition-ended'],
  ['month-before-open', 'condition-before-closed'],
  ['incomplete', 'condition-complete'],
  ['not-checked', 'condition-checked'],
  ['errors-open', 'condition-no-errors'],
];

interface ClosingProps {
  readonly model: MonthModel;
  readonly desk: DeskContext;
}

/** Closing the month, or opening it again: each condition ticked or not, and what to do about it. */
export function Closing({ model, desk }: ClosingProps): VNode {
  const { language, word } = wordsOf(desk);
  const month = model.period;
  const name = language.say({ id: 'decide', decision: 'closeMonth', of: language.month(month) });
  if (model.standing?.closed) {
    return (
      <section id="close">
        <h2>{word('reopen-month')}</h2>
        <p>{word('reopen-month-hint')}</p>
        <Form desk={desk} action={`/closes/${month}/reopen`} isSeenFirst class="decide" label={word('reopen-month')}>
          <LabelledInput label={word('reason')} name="reason" required />
          <button type="submit">{word('reopen-month')}</button>
        </Form>
      </section>
    );
  }
  const codes = CONDITIONS.map(([code]) => code);
  const refusals = Objection.joinAlike(model.refusals);
  const otherRefusals = refusals.filter(({ code }) => !codes.includes(code));
  // The books' first month has no month before it that could be closed.
  const isFirst = model.previous === null;
  const refusalsOf = (code: Reason['code']) =>
    isFirst && code === 'month-before-open' ? [] : refusals.filter((refusal) => refusal.code === code);
  return (
    <section id="close">
      <h2>{name}</h2>
      <ul class="conditions">
        {CONDITIONS.map(([code, condition]) => (
          <Condition title={word(condition)} isMet={refusalsOf(code).length === 0} desk={desk}>
            {refusalsOf(code).map(({ explanation }) => (
              <p class="hint">
                {explainedLine(explanation, desk)}
                <CloseBefore explanation={explanation} desk={desk} />
              </p>
            ))}
          </Condition>
        ))}
        {otherRefusals.map(({ explanation }) => (
          <Condition title={explainedLine(explanation, desk)} isMet={false} desk={desk} />
        ))}
      </ul>
      <Form desk={desk} action="/closes" isSeenFirst class="decide" values={{ month }} label={name}>
        <label class="check">
          <input
            type="checkbox"
            name="first"
            value="1"
            checked={desk.fault === null ? isFirst : desk.fault.values.get('first') === '1'}
          />{' '}
          {word('books-begin')}
        </label>
        <LabelledInput label={word('with-open')} name="with_open" class="long" />
        <button type="submit" class="first">
          {name}
        </button>
      </Form>
    </section>
  );
}

/** What to click where the month before is open; null for any other reason. */
function CloseBefore({
  explanation,
  desk,
}: Pick<Reason, 'explanation'> & { readonly desk: DeskContext }): VNode | null {
  const { sentence } = explanation;
  if (sentence.id !== 'close/month-before-open') return null;
  const { language, word } = wordsOf(desk);
  // An explanation's sentence has parameters of any type: its `id` tells which it has.
  const { before, mayBeFirst } = sentence as unknown as { readonly before: string; readonly mayBeFirst: boolean };
  return (
    <>
      {'. '}
      <a href={`/months/${before}#close`}>
        {language.say({ id: 'decide', decision: 'closeMonth', of: language.month(before) })}
      </a>
      {mayBeFirst && ` · ${word('or-books-begin')}`}
    </>
  );
}

/** A condition with its tick or cross, and below it what speaks against it. */
function Condition(props: {
  readonly title: string;
  readonly isMet: boolean;
  readonly desk: DeskContext;
  readonly children?: ComponentChildren;
}): VNode {
  const { title, isMet, desk, children } = props;
  const { word } = wordsOf(desk);
  return (
    <li class={isMet ? 'met' : 'unmet'}>
      <span aria-hidden="true">{isMet ? '✓' : '✗'}</span>{' '}
      <span class="unseen">{`${word(isMet ? 'met' : 'not-met')}: `}</span>
      {title}
      {children}
    </li>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { Objection } from '../../../app/close/objection.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { MonthModel } from '../../models.ts';
import { Form, LabelledInput, MainButton } from '../parts/form.tsx';
import { explainedLine, usePage } from '../parts/words.ts';

type Reason = MonthModel['refusals'][number];

/** What must hold before a month can be closed, in the order in which a person deals with it. */
const CONDITIONS: readonly (readonly [code: Reason['code'], word: DeskWord])[] = [
  ['not-ended', 'condition-ended'],
  ['month-before-open', 'condition-before-closed'],
  ['incomplete', 'condition-complete'],
  ['not-checked', 'condition-checked'],
  ['errors-open', 'condition-no-errors'],
];

/** Closing the month, or opening it again: each condition ticked or not, and what to do about it. */
export function Closing({ model }: { readonly model: MonthModel }): VNode {
  const { desk, language, word } = usePage();
  const month = model.period;
  const name = language.say({ id: 'decide', decision: 'closeMonth', of: language.month(month) });
  if (model.standing?.closed) {
    return (
      <section id="close">
        <h2>{word('reopen-month')}</h2>
        <p>{word('reopen-month-hint')}</p>
        <Form action={`/closes/${month}/reopen`} isSeenFirst class="decide" label={word('reopen-month')}>
          <LabelledInput label={word('reason')} name="reason" required />
          <button type="submit">{word('reopen-month')}</button>
        </Form>
      </section>
    );
  }
  const codes = CONDITIONS.map(([code]) => code);
  // A reason that several couriers share is shown once.
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
          <Condition title={word(condition)} isMet={refusalsOf(code).length === 0}>
            {refusalsOf(code).map(({ explanation }) => (
              <p class="hint">
                {explainedLine(explanation, desk)}
                <CloseBefore explanation={explanation} />
              </p>
            ))}
          </Condition>
        ))}
        {otherRefusals.map(({ explanation }) => (
          <Condition title={explainedLine(explanation, desk)} isMet={false} />
        ))}
      </ul>
      <Form action="/closes" isSeenFirst class="decide" values={{ month }} label={name}>
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
        <MainButton>{name}</MainButton>
      </Form>
    </section>
  );
}

/** What to click where the month before is open; null for any other reason. */
function CloseBefore({ explanation: { sentence } }: Pick<Reason, 'explanation'>): VNode | null {
  const { language, word } = usePage();
  if (sentence.id !== 'close/month-before-open') return null;
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

interface ConditionProps {
  readonly title: string;
  readonly isMet: boolean;
  readonly children?: ComponentChildren;
}

/** A condition with its tick or cross, and below it what speaks against it. */
function Condition({ title, isMet, children }: ConditionProps): VNode {
  const { word } = usePage();
  return (
    <li class={isMet ? 'met' : 'unmet'}>
      <span aria-hidden="true">{isMet ? '✓' : '✗'}</span>{' '}
      <span class="unseen">{`${word(isMet ? 'met' : 'not-met')}: `}</span>
      {title}
      {children}
    </li>
  );
}

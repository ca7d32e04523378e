import type { VNode } from 'preact';
import { SETTLEMENTS } from '../../../app/decisions/settle.ts';
import type { DeskContext } from '../../context.ts';
import type { LeftToPay } from '../../models.ts';
import { ChoiceField, Form, LabelledInput } from './form.tsx';
import { wordsOf } from './words.ts';

interface SettleProps {
  readonly open: readonly LeftToPay[];
  /** The courier of the invoices; null if the books have only one. */
  readonly courier: string | null;
  readonly desk: DeskContext;
}

/** A form for each open amount that settles it without a receipt: all of it, unless the person fills in less. */
export function Settle({ open, courier, desk }: SettleProps): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <>
      {open.map(({ invoice, currency, amount }) => {
        const sums = [{ currency, amount }];
        const label = language.say({ id: 'decide', decision: 'settle', sums });
        const values = { invoices: invoice, currency, back: desk.link({}), courier };
        return (
          <Form desk={desk} action="/settlements" isSeenFirst class="decide" values={values} label={label}>
            <LabelledInput label={`${word('amount')} · ${currency}`} name="amount" value={amount} required />
            <ChoiceField
              label={word('kind')}
              name="as"
              options={[['', word('choose')], ...SETTLEMENTS.map((kind) => [kind, word(kind)] as const)]}
              required
            />
            <LabelledInput label={word('note')} name="note" class="long" required />
            <button type="submit">{label}</button>
          </Form>
        );
      })}
    </>
  );
}

interface MatchButtonsProps {
  readonly receipt: number;
  /** The sets of invoices that it may pay. */
  readonly ways: readonly (readonly (number | string)[])[];
  /** The courier of the invoices; null if the books have only one. */
  readonly courier: string | null;
  readonly desk: DeskContext;
}

/** A button for each set of invoices that a receipt may pay. */
export function MatchButtons({ receipt, ways, courier, desk }: MatchButtonsProps): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <>
      {ways.map((invoices) => (
        <Form
          desk={desk}
          action="/matches"
          isSeenFirst
          class="inline"
          values={{ receipt, invoices, back: desk.link({}), courier }}
        >
          <button type="submit">{`${word('it-is-for')} ${invoices.join(language.comma)}`}</button>
        </Form>
      ))}
    </>
  );
}

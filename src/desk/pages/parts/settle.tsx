import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import type { OpenOf } from '../../models.ts';
import { Choice, Field, Form } from './form.tsx';
import { wordsOf } from './words.ts';

export const SETTLED = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;

interface SettleProps {
  readonly open: readonly OpenOf[];
  readonly desk: DeskContext;
}

/** Taking what is open off an invoice: all of it, unless another amount is filled in. */
export function Settle({ open, desk }: SettleProps): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <>
      {open.map(({ invoice, currency, amount }) => {
        const sums = [{ currency, amount }];
        const label = language.say({ id: 'decide', decision: 'settle', of: '', findings: 0, lines: 0, sums });
        const courier = desk.couriers.length > 1 ? desk.query.get('courier') : null;
        const values = { invoices: invoice, currency, back: desk.link({}), ...(courier === null ? {} : { courier }) };
        return (
          <Form desk={desk} action="/settlements" isSeenFirst class="decide" values={values} label={label}>
            <Field label={`${word('amount')} · ${currency}`} name="amount" value={amount} required />
            <Choice label={word('kind')} name="as" options={SETTLED.map((kind) => [kind, word(kind)] as const)} />
            <Field label={word('note')} name="note" class="long" required />
            <button type="submit">{label}</button>
          </Form>
        );
      })}
    </>
  );
}

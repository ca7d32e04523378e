import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { ReceiptsModel } from '../models.ts';
import { ChoiceField, CourierField, Form, LabelledInput } from './parts/form.tsx';
import { Narrow } from './parts/narrow.tsx';
import { Payers } from './parts/payers.tsx';
import { Shell } from './parts/shell.tsx';
import { dated, wordsOf } from './parts/words.ts';
import { MatchedList, Suggested } from './receipts/matches.tsx';
import { type OpenItem, Picker } from './receipts/pick.tsx';

const FORM = 'match';
/** The kinds of a difference between a receipt and its invoices. */
const KINDS = ['bank-charge', 'rounding', 'fx', 'other'] as const;

/** Matching: the matches that remit suggests, receipts and open invoices to match by hand, and what is matched. */
export function ReceiptsPage(model: ReceiptsModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { left, open, more } = model;
  const receipts = left.rows.map(
    ({ receipt, currency, left: amount, date, counterparty, text }): OpenItem => ({
      id: String(receipt),
      name: String(receipt),
      currency: String(currency ?? ''),
      amount: String(amount),
      about: [date === null ? null : dated(String(date), desk), counterparty, text].filter(Boolean).join(' · '),
      courier: null,
    }),
  );
  const invoices = open.rows.map(
    ({ number, number_text, currency, outstanding, period, courier }): OpenItem => ({
      // The form's field separates numbers by commas and line breaks: one with either is sent by the ledger's number.
      id: String(/[,\r\n]/.test(String(number_text)) ? number : number_text),
      name: String(number_text),
      currency: String(currency ?? ''),
      amount: String(outstanding),
      about: [period, desk.couriers.length > 1 ? courier : null].filter(Boolean).join(' · '),
      courier: desk.couriers.length > 1 ? String(courier) : null,
    }),
  );
  return (
    <Shell desk={desk} title={word('receipts')}>
      <Payers suggested={model.matching.suggested_payers} desk={desk} />
      <Suggested model={model} desk={desk} />
      <section>
        <h2>{word('match-by-hand')}</h2>
        <p class="hint">{word('match-hint')}</p>
        <Narrow desk={desk} />
        <div class="queue">
          <Picker title={word('receipts')} name="receipt" form={FORM} desk={desk} open={receipts} more={more.left} />
          <Picker
            title={word('open-invoices')}
            name="invoices"
            form={FORM}
            desk={desk}
            open={invoices}
            more={more.open}
          />
        </div>
        <Form
          desk={desk}
          action="/matches"
          isSeenFirst
          class="decide"
          id={FORM}
          values={{ back: desk.link({}) }}
          label={word('match-by-hand')}
        >
          <output id="tally" class="tally" data-label={word('left-to-match')} hidden />
          <CourierField desk={desk} />
          <ChoiceField
            label={word('difference')}
            name="difference"
            options={[['', word('no-difference')], ...KINDS.map((kind) => [kind, word(kind)] as const)]}
          />
          <LabelledInput label={word('rate')} name="rate" />
          <label class="check">
            <input type="checkbox" name="part" value="1" checked={desk.fault?.values.get('part') === '1'} />{' '}
            {word('part-stays-open')}
          </label>
          <LabelledInput label={word('note')} name="note" class="long" />
          <button type="submit" class="first">
            {word('match')}
          </button>
          <span id="choose-match" class="hint" hidden>
            {word('choose-match')}
          </span>
        </Form>
      </section>
      <MatchedList model={model} desk={desk} />
      <p class="around">
        <a href="/reports/receipts">{word('all-receipts')}</a> <a href={desk.link({ format: 'csv' })}>CSV</a>
      </p>
    </Shell>
  );
}

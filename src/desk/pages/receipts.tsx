import type { VNode } from 'preact';
import { amountText } from '../../render/figures.ts';
import type { DeskContext } from '../context.ts';
import type { ReceiptsModel } from '../models.ts';
import { Payers } from './parts/deciding-forms.tsx';
import { Narrow } from './parts/filters.tsx';
import { ChoiceField, CourierField, Form, LabelledInput, MainButton } from './parts/form.tsx';
import { pagePathOf } from './parts/links.ts';
import { Shell } from './parts/shell.tsx';
import { RowsTable } from './parts/table.tsx';
import { dated, usePage, wordsOf } from './parts/words.ts';
import { MatchedList, Suggested } from './receipts/matches.tsx';

const FORM = 'match';
/** The kinds of a difference between a receipt and its invoices. */
const KINDS = ['bank-charge', 'rounding', 'fx', 'other'] as const;

/** Matching: the matches that remit suggests, receipts and open invoices to match by hand, and what is matched. */
export function ReceiptsPage(model: ReceiptsModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { left, open, matching, more } = model;
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
      <Payers suggested={matching.suggested_payers} />
      <Suggested matching={matching} />
      <section>
        <h2>{word('match-by-hand')}</h2>
        <p class="hint">{word('match-hint')}</p>
        <Narrow />
        <div class="queue">
          <Picker title={word('receipts')} name="receipt" open={receipts} more={more.left} />
          <Picker title={word('open-invoices')} name="invoices" open={invoices} more={more.open} />
        </div>
        <Form
          action="/matches"
          isSeenFirst
          class="decide"
          id={FORM}
          values={{ back: desk.link({}) }}
          label={word('match-by-hand')}
        >
          <output id="tally" class="tally" data-label={word('left-to-match')} hidden />
          <CourierField />
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
          <MainButton>{word('match')}</MainButton>
          <span id="choose-match" class="hint" hidden>
            {word('choose-match')}
          </span>
        </Form>
      </section>
      <MatchedList matching={matching} more={more} />
      <p class="around">
        <a href="/reports/receipts">{word('all-receipts')}</a> <a href={desk.link({ format: 'csv' })}>CSV</a>
      </p>
    </Shell>
  );
}

/** Something that can be matched: a receipt with something left, or an invoice with something open. */
interface OpenItem {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly currency: string;
  readonly amount: string;
  /** Day, payer and text of a receipt; month and courier of an invoice. */
  readonly about: string;
  /** The invoice's courier; null for a receipt, and if the books have only one. */
  readonly courier: string | null;
}

interface PickerProps {
  readonly title: string;
  /** The field that sends what is chosen: one receipt, or several invoices. */
  readonly name: 'receipt' | 'invoices';
  readonly open: readonly OpenItem[];
  /** How many are left out. */
  readonly more: number;
}

/** A list of receipts or of open invoices from which a person chooses what to match. */
function Picker({ title, name, open, more }: PickerProps): VNode {
  const { desk, word } = usePage();
  const isReceipt = name === 'receipt';
  const box = ({ id, name: itemName, amount, currency }: OpenItem) => (
    <input
      type={isReceipt ? 'radio' : 'checkbox'}
      name={name}
      value={id}
      form={FORM}
      disabled={desk.readOnly}
      checked={desk.fault?.values.getAll(name).includes(id)}
      aria-label={`${word('choose')} ${itemName}`}
      data-amount={amount}
      data-currency={currency}
    />
  );
  const link = ({ id, name: itemName, courier }: OpenItem) => (
    <a href={pagePathOf(isReceipt ? 'receipt' : 'invoice_number', id, '', courier) ?? ''}>{itemName}</a>
  );
  return (
    <div>
      <h3>{title}</h3>
      {open.length === 0 && <p>{word('nothing')}</p>}
      {open.length > 0 && (
        <RowsTable
          label={title}
          class="list pick"
          rows={open}
          columns={[
            { title: <span class="unseen">{word('choose')}</span>, class: 'choose', cell: box },
            { title: word(isReceipt ? 'receipt' : 'invoice'), cell: link },
            { title: word('amount'), class: 'figure', cell: ({ amount }) => amountText(amount) },
            { title: word('currency'), cell: ({ currency }) => currency },
            { title: word('about'), class: 'wide', isText: true, isUnlabelled: true, cell: ({ about }) => about },
          ]}
        />
      )}
      {more > 0 && <p class="hint">{`${more} ${word('more-left-out')}`}</p>}
    </div>
  );
}

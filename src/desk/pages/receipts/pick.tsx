import type { VNode } from 'preact';
import { amountText } from '../../../render/figures.ts';
import { Figure, HtmlTable } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import { pagePathOf } from '../parts/links.ts';
import { Scrolls } from '../parts/scrolls.tsx';
import { wordsOf } from '../parts/words.ts';

/** Something that can be matched: a receipt with something left, or an invoice with something open. */
export interface OpenItem {
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
  readonly form: string;
  readonly desk: DeskContext;
  readonly open: readonly OpenItem[];
  /** How many are left out. */
  readonly more: number;
}

/** A list of receipts or of open invoices from which a person chooses what to match. */
export function Picker({ title, name, form, desk, open, more }: PickerProps): VNode {
  const { word } = wordsOf(desk);
  const heads = [
    { title: <span class="unseen">{word('choose')}</span>, class: 'choose' },
    { title: word(name === 'receipt' ? 'receipt' : 'invoice') },
    { title: word('amount'), class: 'figure' },
    { title: word('currency') },
    { title: word('about') },
  ];
  const column = name === 'receipt' ? 'receipt' : 'invoice_number';
  return (
    <div>
      <h3>{title}</h3>
      {open.length === 0 && <p>{word('nothing')}</p>}
      {open.length > 0 && (
        <Scrolls label={title}>
          <HtmlTable class="list pick" heads={heads}>
            {open.map(({ id, name: itemName, currency, amount, about, courier }) => (
              <tr>
                <td class="choose">
                  <input
                    type={name === 'receipt' ? 'radio' : 'checkbox'}
                    name={name}
                    value={id}
                    form={form}
                    disabled={desk.readOnly}
                    checked={desk.fault?.values.getAll(name).includes(id)}
                    aria-label={`${word('choose')} ${itemName}`}
                    data-amount={amount}
                    data-currency={currency}
                  />
                </td>
                <td data-label={word(name === 'receipt' ? 'receipt' : 'invoice')}>
                  <a href={pagePathOf(column, id, '', courier) ?? ''}>{itemName}</a>
                </td>
                <Figure of={amountText(amount)} label={word('amount')} />
                <td data-label={word('currency')}>{currency}</td>
                <td class="wide" dir="auto">
                  {about}
                </td>
              </tr>
            ))}
          </HtmlTable>
        </Scrolls>
      )}
      {more > 0 && <p class="hint">{`${more} ${word('more-left-out')}`}</p>}
    </div>
  );
}

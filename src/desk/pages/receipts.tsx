import type { VNode } from 'preact';
import { DIFFERENCES } from '../../app/decisions/receipts.ts';
import { amountText } from '../../render/figures.ts';
import type { DeskWord } from '../../words/sentences.ts';
import type { ReceiptsModel } from '../models.ts';
import { MatchButtons, Payers } from './parts/deciding-forms.tsx';
import { Narrow } from './parts/filters.tsx';
import { ChoiceField, CourierField, Form, LabelledInput, MainButton, UndoForm } from './parts/form.tsx';
import { pagePathOf } from './parts/links.ts';
import { Shell } from './parts/shell.tsx';
import { RowsTable } from './parts/table.tsx';
import { dated, namedCourier, usePage } from './parts/words.ts';

const FORM = 'match';

/** Matching: the matches that remit suggests, receipts and open invoices to match by hand, and what is matched. */
export function ReceiptsPage(model: ReceiptsModel): VNode {
  const { desk, word } = usePage();
  const { left: receiptsLeft, open: openInvoices, matching, more } = model;
  const receipts = receiptsLeft.rows.map(
    ({ receipt, currency, left: amount, date, counterparty, text }): OpenItem => ({
      id: String(receipt),
      name: String(receipt),
      currency: String(currency ?? ''),
      amount: String(amount),
      about: [date === null ? null : dated(String(date), desk), counterparty, text].filter(Boolean).join(' · '),
      courier: null,
    }),
  );
  const invoices = openInvoices.rows.map(
    ({ number, number_text, currency, outstanding, period, courier }): OpenItem => ({
      // A comma or line break in the form's field separates two numbers: a number with either is sent as the ledger's.
      id: String(/[,\r\n]/.test(String(number_text)) ? number : number_text),
      name: String(number_text),
      currency: String(currency ?? ''),
      amount: String(outstanding),
      about: [period, desk.couriers.length > 1 ? courier : null].filter(Boolean).join(' · '),
      courier: desk.couriers.length > 1 ? String(courier) : null,
    }),
  );
  return (
    <Shell title={word('receipts')}>
      <Payers suggested={matching.suggested_payers} />
      <Suggested matching={matching} more={more} />
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
            options={[['', word('no-difference')], ...DIFFERENCES.map((kind) => [kind, word(kind)] as const)]}
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

type Match = ReceiptsModel['matching']['matches'][number];

/** What the rules would match now, by which rule, and the receipts that may pay several sets of invoices. */
function Suggested({ matching, more }: Pick<ReceiptsModel, 'matching' | 'more'>): VNode {
  const { desk, word } = usePage();
  // A match without an id is not booked yet.
  const suggested = matching.matches.filter(({ id }) => id === null);
  return (
    <section>
      <h2>{word('suggested')}</h2>
      {suggested.length === 0 ? <p>{word('nothing-suggested')}</p> : <Matches matches={suggested} />}
      {more.suggested > 0 && <p class="hint">{`${more.suggested} ${word('more-left-out')}`}</p>}
      {suggested.length > 0 && (
        <Form
          action="/matches/run"
          isSeenFirst
          class="decide"
          values={{ back: desk.link({}) }}
          label={word('suggested')}
        >
          <MainButton>{word('match-all-suggested')}</MainButton>
        </Form>
      )}
      {matching.ambiguous.length > 0 && (
        <>
          <h3>{word('ambiguous')}</h3>
          <ul>
            {matching.ambiguous.map(({ courier, receipt, currency, amount, ways_text: ways, too_many: tooMany }) => (
              <li>
                <a href={`/receipts/${receipt}`}>{`${word('receipt')} ${receipt}`}</a>
                {' · '}
                <bdi dir="ltr">{`${amountText(amount)} ${currency}`}</bdi>
                {': '}
                {ways.map((invoices, place) => (
                  <>
                    {place > 0 && ` ${word('or')} `}
                    <Numbers of={invoices} page="/invoices/" />
                  </>
                ))}
                {tooMany && ` ${word('and-more')}`}
                <span class="actions">
                  <MatchButtons receipt={receipt} ways={ways} courier={namedCourier(courier, desk)} />
                </span>
              </li>
            ))}
          </ul>
          {more.ambiguous > 0 && <p class="hint">{`${more.ambiguous} ${word('more-left-out')}`}</p>}
        </>
      )}
    </section>
  );
}

function MatchedList({ matching, more }: Pick<ReceiptsModel, 'matching' | 'more'>): VNode {
  const { word } = usePage();
  const matched = matching.matches.filter(({ id }) => id !== null);
  return (
    <section>
      <h2>{word('matched')}</h2>
      {matched.length === 0 ? <p>{word('nothing')}</p> : <Matches matches={matched} canRemove />}
      {more.matched > 0 && <p class="hint">{`${more.matched} ${word('more-left-out')}`}</p>}
    </section>
  );
}

interface MatchesProps {
  readonly matches: readonly Match[];
  readonly canRemove?: boolean;
}

function Matches({ matches, canRemove = false }: MatchesProps): VNode {
  const { desk, language, word } = usePage();
  const kinds = language.tables.cells.difference_kind ?? {};
  return (
    <RowsTable
      label={word('matches')}
      rows={matches}
      columns={[
        { title: word('receipts'), cell: ({ receipts }) => <Numbers of={receipts} page="/receipts/" /> },
        { title: word('invoices'), cell: ({ invoices_text: of }) => <Numbers of={of} page="/invoices/" /> },
        { title: word('received'), class: 'figure', cell: (match) => amountText(match.receipts_amount) },
        { title: word('due'), class: 'figure', cell: (match) => amountText(match.invoices_amount) },
        {
          title: word('difference'),
          class: 'figure',
          cell: ({ difference, difference_kind: kind }) => (
            <span>
              {amountText(difference)} {kind && <bdi>{kinds[kind] ?? kind}</bdi>}
            </span>
          ),
        },
        { title: word('currency'), cell: ({ currency }) => currency },
        { title: word('matched-by'), cell: ({ rule }) => word(`rule-${rule}` as DeskWord) },
        canRemove &&
          !desk.readOnly && {
            title: word('unmatch'),
            isUnlabelled: true,
            cell: ({ id }) => <UndoForm action={`/matches/${id}/remove`} name="unmatch" id={id} />,
          },
      ]}
    />
  );
}

/** Only the first numbers of a cell are links: their pages lead to the others. */
const MOST_LINKS = 2;

function Numbers({ of, page }: { readonly of: readonly (number | string)[]; readonly page: string }): VNode {
  const { comma } = usePage().language;
  return (
    <span>
      {of.map((number, place) => (
        <>
          {place > 0 && comma}
          {place < MOST_LINKS ? <a href={`${page}${encodeURIComponent(number)}`}>{number}</a> : number}
        </>
      ))}
    </span>
  );
}

import type { VNode } from 'preact';
import { amountText } from '../../../render/figures.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { ReceiptsModel } from '../../models.ts';
import { MatchButtons } from '../parts/deciding-forms.tsx';
import { Form, MainButton, UndoForm } from '../parts/form.tsx';
import { RowsTable } from '../parts/table.tsx';
import { namedCourier, usePage } from '../parts/words.ts';

type Match = ReceiptsModel['matching']['matches'][number];

/** What the rules would match now, by which rule, and the receipts that may pay several sets of invoices. */
export function Suggested({ matching }: Pick<ReceiptsModel, 'matching'>): VNode {
  const { desk, word } = usePage();
  // A match without an id is not booked yet.
  const suggested = matching.matches.filter(({ id }) => id === null);
  return (
    <section>
      <h2>{word('suggested')}</h2>
      {suggested.length === 0 ? <p>{word('nothing-suggested')}</p> : <Matches matches={suggested} />}
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
        </>
      )}
    </section>
  );
}

/** What is matched, each with a form that removes the match. */
export function MatchedList({ matching, more }: Pick<ReceiptsModel, 'matching' | 'more'>): VNode {
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

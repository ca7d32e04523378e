import type { VNode } from 'preact';
import { amountText } from '../../../render/figures.ts';
import { Figure, HtmlTable } from '../../../render/html/table.tsx';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import type { ReceiptsModel } from '../../models.ts';
import { Form, LabelledInput } from '../parts/form.tsx';
import { Scrolls, tableClass } from '../parts/scrolls.tsx';
import { MatchButtons } from '../parts/settle-and-match.tsx';
import { wordsOf } from '../parts/words.ts';

type Match = ReceiptsModel['matching']['matches'][number];

interface PartProps {
  readonly model: ReceiptsModel;
  readonly desk: DeskContext;
}

/** What the rules would match now, by which rule, and the receipts that may pay several sets of invoices. */
export function Suggested({ model: { matching }, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const courierShown = (courier: string | undefined) => (desk.couriers.length > 1 ? (courier ?? null) : null);
  // A match without an id is not booked yet.
  const suggested = matching.matches.filter(({ id }) => id === null);
  return (
    <section>
      <h2>{word('suggested')}</h2>
      {suggested.length === 0 ? <p>{word('nothing-suggested')}</p> : <Matches matches={suggested} desk={desk} />}
      {suggested.length > 0 && (
        <Form
          desk={desk}
          action="/matches/run"
          isSeenFirst
          class="decide"
          values={{ back: desk.link({}) }}
          label={word('suggested')}
        >
          <button type="submit" class="first">
            {word('match-all-suggested')}
          </button>
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
                    <Numbers of={invoices} page="/invoices/" desk={desk} />
                  </>
                ))}
                {tooMany && ` ${word('and-more')}`}
                <span class="actions">
                  <MatchButtons receipt={receipt} ways={ways} courier={courierShown(courier)} desk={desk} />
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
export function MatchedList({ model: { matching, more }, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const matched = matching.matches.filter(({ id }) => id !== null);
  return (
    <section>
      <h2>{word('matched')}</h2>
      {matched.length === 0 ? <p>{word('nothing')}</p> : <Matches matches={matched} desk={desk} canRemove />}
      {more.matched > 0 && <p class="hint">{`${more.matched} ${word('more-left-out')}`}</p>}
    </section>
  );
}

function Matches(props: {
  readonly matches: readonly Match[];
  readonly desk: DeskContext;
  readonly canRemove?: boolean;
}): VNode {
  const { matches, desk, canRemove = false } = props;
  const { language, word } = wordsOf(desk);
  const kinds = language.tables.cells.difference_kind ?? {};
  const heads = [
    { title: word('receipts') },
    { title: word('invoices') },
    { title: word('received'), class: 'figure' },
    { title: word('due'), class: 'figure' },
    { title: word('difference'), class: 'figure' },
    { title: word('currency') },
    { title: word('matched-by') },
    ...(canRemove && !desk.readOnly ? [{ title: word('unmatch') }] : []),
  ];
  return (
    <Scrolls label={word('matches')}>
      <HtmlTable class={tableClass(heads.length)} heads={heads}>
        {matches.map((match) => (
          <tr>
            <td data-label={word('receipts')}>
              <Numbers of={match.receipts} page="/receipts/" desk={desk} />
            </td>
            <td data-label={word('invoices')}>
              <Numbers of={match.invoices_text} page="/invoices/" desk={desk} />
            </td>
            <Figure of={amountText(match.receipts_amount)} label={word('received')} />
            <Figure of={amountText(match.invoices_amount)} label={word('due')} />
            <td class="figure" data-label={word('difference')}>
              <span>
                {amountText(match.difference)}{' '}
                {match.difference_kind && <bdi>{kinds[match.difference_kind] ?? match.difference_kind}</bdi>}
              </span>
            </td>
            <td data-label={word('currency')}>{match.currency}</td>
            <td data-label={word('matched-by')}>{word(`rule-${match.rule}` as DeskWord)}</td>
            {canRemove && !desk.readOnly && (
              <td>
                <details>
                  <summary>{word('unmatch')}</summary>
                  <Form
                    desk={desk}
                    action={`/matches/${match.id}/remove`}
                    isSeenFirst
                    class="inline"
                    values={{ back: desk.link({}) }}
                  >
                    <LabelledInput label={word('reason')} name="reason" required />
                    <button type="submit" aria-label={`${word('unmatch')} ${match.id}`}>
                      {word('unmatch')}
                    </button>
                  </Form>
                </details>
              </td>
            )}
          </tr>
        ))}
      </HtmlTable>
    </Scrolls>
  );
}

/** Only the first numbers of a cell are links: their pages lead to the others. */
const MOST_LINKS = 2;

function Numbers(props: {
  readonly of: readonly (number | string)[];
  readonly page: string;
  readonly desk: DeskContext;
}): VNode {
  const { of, page, desk } = props;
  const { comma } = wordsOf(desk).language;
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

import type { VNode } from 'preact';
import type { DecisionLine } from '../../../app/decisions/lines.ts';
import type { Preview } from '../../../app/decisions/preview.ts';
import { amountText } from '../../../render/figures.ts';
import { RowsTable } from './table.tsx';
import { subjectText, usePage } from './words.ts';

/** The words for who owes an amount: `to-us` is owed by the courier, `by-us` by the merchant. */
const DIRECTIONS = { 'to-us': 'owed-to-you', 'by-us': 'owed-by-you' } as const;

interface DecisionLinesProps {
  readonly lines: readonly DecisionLine[];
  readonly sums: Preview['sums'];
  /** Gives each line about a mismatch a box of this form, so that it can be left out. */
  readonly choose?: { readonly form: string; readonly chosen: readonly string[] } | undefined;
}

/** The lines of a decision, and their sums. */
export function DecisionLines({ lines, sums, choose }: DecisionLinesProps): VNode | null {
  const { desk, language, word } = usePage();
  if (lines.length === 0) return null;
  const aboutText = ({ subject, about }: DecisionLine) =>
    about === undefined ? subjectText(subject, desk) : language.say(about);
  const box = (line: DecisionLine) =>
    line.mismatch !== undefined && (
      <input
        type="checkbox"
        name="ids"
        value={line.mismatch}
        form={choose?.form}
        checked={choose?.chosen.includes(line.mismatch)}
        aria-label={`${word('choose')} ${aboutText(line)}`}
      />
    );
  return (
    <>
      <RowsTable
        label={word('decide')}
        class="list"
        rows={lines}
        columns={[
          choose !== undefined && { title: <span class="unseen">{word('choose')}</span>, class: 'choose', cell: box },
          { title: word('what'), cell: ({ what }) => language.tables.cells.does?.[what] ?? what },
          desk.couriers.length > 1 && { title: word('courier'), isText: true, cell: ({ courier }) => courier },
          { title: word('about'), class: 'wide', isText: true, isUnlabelled: true, cell: aboutText },
          { title: word('amount'), class: 'figure', cell: ({ amount }) => amount && amountText(amount) },
          { title: word('currency'), cell: ({ currency }) => currency },
          lines.some(({ direction }) => direction !== 'none') && {
            title: word('direction'),
            cell: ({ direction }) => (direction === 'none' ? null : word(DIRECTIONS[direction])),
          },
          lines.some(({ open }) => open !== undefined) && {
            title: word('open-after'),
            class: 'figure',
            cell: ({ open }) => open && amountText(open),
          },
        ]}
      />
      {sums.length > 0 && (
        <p class="sums">
          {`${word('in-all')}: `}
          {sums.map(({ amount, currency, direction }, place) => (
            <>
              {place > 0 && ' · '}
              <b class="figure">{`${amountText(amount)} ${currency}`}</b>
              {direction !== 'none' && ` (${word(DIRECTIONS[direction])})`}
            </>
          ))}
        </p>
      )}
    </>
  );
}

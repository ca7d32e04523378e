import type { VNode } from 'preact';
import type { DecisionLine } from '../../../app/decisions/lines.ts';
import type { Preview } from '../../../app/decisions/preview.ts';
import { amountText } from '../../../render/figures.ts';
import { Figure, HtmlTable } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import { Scrolls } from './scrolls.tsx';
import { subjectText, wordsOf } from './words.ts';

/** The words for who owes an amount: `to-us` is owed by the courier, `by-us` by the merchant. */
const DIRECTIONS = { 'to-us': 'owed-to-you', 'by-us': 'owed-by-you' } as const;

interface DecisionLinesProps {
  readonly lines: readonly DecisionLine[];
  readonly sums: Preview['sums'];
  readonly desk: DeskContext;
  /** Gives each line about a mismatch a box of this form, so that it can be left out. */
  readonly choose?: { readonly form: string; readonly chosen: readonly string[] } | undefined;
}

/** The lines of a decision, and their sums. */
export function DecisionLines({ lines, sums, desk, choose }: DecisionLinesProps): VNode | null {
  const { language, word } = wordsOf(desk);
  if (lines.length === 0) return null;
  const has = {
    courier: desk.couriers.length > 1,
    direction: lines.some(({ direction }) => direction !== 'none'),
    open: lines.some(({ open }) => open !== undefined),
  };
  const aboutText = (subject: string, about: (typeof lines)[number]['about'] | undefined) =>
    about === undefined ? subjectText(subject, desk) : language.say(about);
  const heads = [
    ...(choose ? [{ title: <span class="unseen">{word('choose')}</span>, class: 'choose' }] : []),
    { title: word('what') },
    ...(has.courier ? [{ title: word('courier') }] : []),
    { title: word('about') },
    { title: word('amount'), class: 'figure' },
    { title: word('currency') },
    ...(has.direction ? [{ title: word('direction') }] : []),
    ...(has.open ? [{ title: word('open-after'), class: 'figure' }] : []),
  ];
  return (
    <>
      <Scrolls label={word('decide')}>
        <HtmlTable class="list" heads={heads}>
          {lines.map(({ what, courier, subject, about, mismatch, amount, currency, direction, open }) => (
            <tr>
              {choose && (
                <td class="choose">
                  {mismatch !== undefined && (
                    <input
                      type="checkbox"
                      name="ids"
                      value={mismatch}
                      form={choose.form}
                      checked={choose.chosen.includes(mismatch)}
                      aria-label={`${word('choose')} ${aboutText(subject, about)}`}
                    />
                  )}
                </td>
              )}
              <td data-label={word('what')}>{language.tables.cells.does?.[what] ?? what}</td>
              {has.courier && (
                <td dir="auto" data-label={word('courier')}>
                  {courier}
                </td>
              )}
              <td class="wide" dir="auto">
                {aboutText(subject, about)}
              </td>
              <Figure of={amount === null ? null : amountText(amount)} label={word('amount')} />
              <td data-label={word('currency')}>{currency}</td>
              {has.direction && (
                <td data-label={word('direction')}>{direction === 'none' ? null : word(DIRECTIONS[direction])}</td>
              )}
              {has.open && <Figure of={open === undefined ? null : amountText(open)} label={word('open-after')} />}
            </tr>
          ))}
        </HtmlTable>
      </Scrolls>
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

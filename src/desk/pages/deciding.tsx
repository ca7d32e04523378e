import type { VNode } from 'preact';
import type { DecisionLine } from '../../app/decisions/lines.ts';
import type { Preview } from '../../app/decisions/preview.ts';
import { amountText } from '../../render/figures.ts';
import type { DecidingModel } from '../models.ts';
import { Form, MainButton } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { RowsTable } from './parts/table.tsx';
import { subjectText, usePage } from './parts/words.ts';

const FORM = 'deciding';

/** The preview of a decision: its lines, and the button that makes it. */
export function DecidingPage(model: DecidingModel): VNode {
  const { desk, language, word } = usePage();
  const { preview, all, chosen, path, decision, fields } = model;
  const { letter, sums } = preview;
  const back = fields.find(([name]) => name === 'back')?.[1] ?? '/';
  const inPreview = new Set(preview.lines.map(({ mismatch }) => mismatch));
  const unticked = all?.lines.filter(({ mismatch }) => mismatch !== undefined && !inPreview.has(mismatch)) ?? [];
  const isNoneTicked = chosen?.length === 0;
  const month = model.month === null ? '' : language.month(model.month);
  const title = language.say({ id: 'decide', decision, of: month });
  const findings = preview.lines.filter(({ mismatch }) => mismatch !== undefined).length;
  // A decision about a month as a whole, such as its close: the button names the month, not what is owed at its end.
  const isOfWholeMonth = findings === 0 && month !== '';
  const label = language.say({
    id: 'decide',
    decision,
    of: isOfWholeMonth ? month : '',
    findings,
    lines: preview.lines.reduce((sum, line) => sum + (line.rows ?? 0), 0),
    sums: isNoneTicked || isOfWholeMonth ? [] : sums.map(({ amount, currency }) => ({ amount, currency })),
  });
  // If lines can be left out, the boxes of their table send the ids, and no hidden field does.
  const hiddenFields = fields.filter(([name]) => all === null || name !== 'ids');
  return (
    <Shell title={title}>
      <p class="hint">{word('preview-hint')}</p>
      <DecisionLines
        lines={[...preview.lines, ...unticked]}
        sums={isNoneTicked ? [] : sums}
        choose={chosen === null ? undefined : { form: FORM, chosen }}
      />
      {isNoneTicked && <p>{word('nothing-ticked')}</p>}
      {letter !== null && (
        <details class="aside" open>
          <summary>{word('letter-to-courier')}</summary>
          <pre class="letter" dir="auto">
            {letter}
          </pre>
        </details>
      )}
      {preview.waiting && <p class="hint">{word('will-wait')}</p>}
      <Form seen={preview.stale_after ?? desk.seen} action={path} id={FORM} class="actions">
        {hiddenFields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {!isNoneTicked && <MainButton>{label}</MainButton>}
        {all !== null && (
          <button type="submit" formAction={`${path}?preview=1`}>
            {word('show-again')}
          </button>
        )}
        <a href={back}>{word('go-back')}</a>
      </Form>
    </Shell>
  );
}

/** The words for who owes an amount: `to-us` is owed by the courier, `by-us` by the merchant. */
const DIRECTIONS = { 'to-us': 'owed-to-you', 'by-us': 'owed-by-you' } as const;

interface DecisionLinesProps {
  readonly lines: readonly DecisionLine[];
  readonly sums: Preview['sums'];
  /** Gives each line about a mismatch a box of this form, so that it can be left out. */
  readonly choose?: { readonly form: string; readonly chosen: readonly string[] } | undefined;
}

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

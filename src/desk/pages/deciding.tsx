import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { DecidingModel } from '../models.ts';
import { DecisionLines } from './parts/decision-lines.tsx';
import { Form, MainButton } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

const FORM = 'deciding';

/** The preview of a decision: its lines, and the button that makes it. */
export function DecidingPage(model: DecidingModel, desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const { preview, all, chosen, path, decision, fields } = model;
  const { letter, sums } = preview;
  const back = fields.find(([name]) => name === 'back')?.[1] ?? '/';
  const inPreview = new Set(preview.lines.map(({ mismatch }) => mismatch));
  const unticked = all?.lines.filter(({ mismatch }) => mismatch !== undefined && !inPreview.has(mismatch)) ?? [];
  const isNoneTicked = chosen?.length === 0;
  const month = model.month === null ? '' : language.month(model.month);
  const title = language.say({ id: 'decide', decision, of: month });
  const findings = preview.lines.filter(({ mismatch }) => mismatch !== undefined).length;
  // A month is closed as a whole: what is owed at its end is no part of the button.
  const isOfWholeMonth = findings === 0 && month !== '';
  const label = language.say({
    id: 'decide',
    decision,
    of: isOfWholeMonth ? month : '',
    findings,
    lines: preview.lines.reduce((sum, line) => sum + (line.rows ?? 0), 0),
    sums: isNoneTicked || isOfWholeMonth ? [] : sums.map(({ amount, currency }) => ({ amount, currency })),
  });
  // The boxes send the ticked ids.
  const hiddenFields = fields.filter(([name]) => all === null || name !== 'ids');
  return (
    <Shell desk={desk} title={title}>
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

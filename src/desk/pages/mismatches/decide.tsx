import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { Form, LabelledInput } from '../parts/form.tsx';
import { wordsOf } from '../parts/words.ts';

interface DecideProps {
  readonly desk: DeskContext;
  /** The form's id, which the boxes of a table name. */
  readonly form: string;
  /** The mismatches to decide about; absent if boxes of a table choose them. */
  readonly ids?: readonly string[];
  /** Of the one mismatch that is decided; a resolved one has another form. Absent for ticked ones of any status. */
  readonly status?: 'open' | 'acknowledged';
  /** The page that is shown afterwards. */
  readonly back: string;
}

/**
 * The form that decides about mismatches, with one note. An open one can be acknowledged or resolved, an acknowledged
 * one resolved; for ticked ones all three buttons are there. Resolving is shown first, and done from the preview.
 */
export function Decide({ desk, form, ids = [], status, back }: DecideProps): VNode | null {
  const { word } = wordsOf(desk);
  return (
    <Form
      desk={desk}
      action="/mismatches/ack"
      also={['/mismatches/resolve', '/mismatches/reopen']}
      class="decide"
      id={form}
      values={{ ids, back }}
      label={word('decide')}
    >
      <LabelledInput label={word('note')} name="note" class="long" />
      {status !== 'acknowledged' && (
        <button type="submit" class="first" formAction="/mismatches/ack">
          {word('acknowledge')}
        </button>
      )}
      <button type="submit" formAction="/mismatches/resolve?preview=1">
        {word('resolve')}
      </button>
      {status === undefined && (
        <button type="submit" formAction="/mismatches/reopen">
          {word('reopen')}
        </button>
      )}
      {ids.length === 0 && (
        <span id="choose-first" class="hint" hidden>
          {word('choose-first')}
        </span>
      )}
    </Form>
  );
}

/** The form that assigns a mismatch to somebody; to nobody with an empty name. */
export function Assign({ desk, id }: { readonly desk: DeskContext; readonly id: string }): VNode | null {
  const { word } = wordsOf(desk);
  return (
    <Form
      desk={desk}
      action="/mismatches/assign"
      class="decide"
      values={{ ids: [id], back: desk.link({}) }}
      label={word('assign')}
    >
      <LabelledInput label={word('to-whom')} name="to" />
      <button type="submit">{word('assign')}</button>
    </Form>
  );
}

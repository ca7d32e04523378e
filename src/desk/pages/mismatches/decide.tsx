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
  /** The status of the one mismatch, for which the form has no button; absent for ticked ones of any status. */
  readonly status?: 'open' | 'acknowledged' | 'resolved';
  /** The page that is shown afterwards. */
  readonly back: string;
}

/** The form that acknowledges, resolves or reopens mismatches, with one note. */
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
      {status !== 'acknowledged' && status !== 'resolved' && (
        <button type="submit" class="first" formAction="/mismatches/ack">
          {word('acknowledge')}
        </button>
      )}
      {status !== 'resolved' && (
        <button type="submit" formAction="/mismatches/resolve?preview=1">
          {word('resolve')}
        </button>
      )}
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

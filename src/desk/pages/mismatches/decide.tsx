import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { Field, Form } from '../parts/form.tsx';
import { wordsOf } from '../parts/words.ts';

interface DecideProps {
  readonly desk: DeskContext;
  /** The form's id, by which the boxes of a table belong to it. */
  readonly form: string;
  /** The mismatch that it is about; absent where boxes choose them. */
  readonly ids?: readonly string[];
  /** The page that is shown afterwards. */
  readonly back: string;
}

/** Deciding about mismatches with one note: acknowledged, resolved or open again. */
export function Decide({ desk, form, ids = [], back }: DecideProps): VNode | null {
  const { word } = wordsOf(desk);
  return (
    <Form desk={desk} action="/mismatches/ack" class="decide" id={form} values={{ ids, back }} label={word('decide')}>
      <Field label={word('note')} name="note" class="long" />
      <button type="submit" class="first" formAction="/mismatches/ack">
        {word('acknowledge')}
      </button>
      <button type="submit" formAction="/mismatches/resolve">
        {word('resolve')}
      </button>
      <button type="submit" formAction="/mismatches/reopen">
        {word('reopen')}
      </button>
    </Form>
  );
}

/** Assigning a mismatch to somebody; to nobody with an empty name. */
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
      <Field label={word('to-whom')} name="to" />
      <button type="submit">{word('assign')}</button>
    </Form>
  );
}

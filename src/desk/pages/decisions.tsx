import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { Field, Form } from './parts/form.tsx';
import { ListTable } from './parts/list-table.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

type Entry = Models['decisions']['decisions'][number];

/** What people decided, the latest first. Undoing one decides its opposite: nothing is erased. */
export function DecisionsPage({ decisions, next }: Models['decisions'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const records = decisions.map(({ kind, to_status, ...decision }) => {
    const decided = language.say({ id: 'desk-decision', kind });
    const status = language.statuses[to_status as keyof typeof language.statuses] ?? to_status;
    return { ...decision, kind: status === null ? decided : `${decided}: ${status}` };
  });
  return (
    <Shell desk={desk} title={word('decisions')}>
      <p class="hint">{word('decisions-hint')}</p>
      <ListTable
        name="decisions"
        records={records}
        next={next}
        desk={desk}
        more={[{ title: word('undo'), cell: (_, place) => <Undo entry={decisions[place]!} desk={desk} /> }]}
      />
    </Shell>
  );
}

/** The form that decides the opposite. */
function Undo({ entry: { id, undo }, desk }: { readonly entry: Entry; readonly desk: DeskContext }): VNode | null {
  const { word } = wordsOf(desk);
  if (undo === null || desk.readOnly) return null;
  return (
    <details>
      <summary>{word('undo')}</summary>
      <Form desk={desk} action={`/decisions/${id}/undo`} isSeenFirst class="inline" values={{ back: desk.link({}) }}>
        <Field label={word('reason')} name="reason" required />
        <button type="submit" aria-label={`${word('undo')} ${id}`}>
          {word('undo')}
        </button>
      </Form>
    </details>
  );
}

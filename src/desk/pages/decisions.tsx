import type { VNode } from 'preact';
import { instantForPeople } from '../../base/instant.ts';
import { Table } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { Around, headsOf } from './parts/around.tsx';
import { Field, Form } from './parts/form.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

type Entry = Models['decisions']['decisions'][number];

/** What people decided, the latest first; what can be undone is undone by its opposite, and nothing is erased. */
export function DecisionsPage({ decisions, next }: Models['decisions'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const heads = headsOf(desk, [
    ['at', 'when'],
    ['by', 'who'],
    ['kind', 'what'],
    ['subject', 'about'],
    ['note', 'note'],
    [null, 'undo'],
  ]);
  return (
    <Shell desk={desk} title={word('decisions')}>
      <p class="hint">{word('decisions-hint')}</p>
      {decisions.length === 0 && <p>{word('nothing')}</p>}
      {decisions.length > 0 && (
        <Scrolls label={word('decisions')}>
          <Table heads={heads}>
            {decisions.map((entry) => (
              <tr>
                <td class="whole">{instantForPeople(entry.at)}</td>
                <td dir="auto">{entry.by}</td>
                <td>
                  {language.say({ id: 'desk-decision', kind: entry.kind })}
                  {entry.to_status !== null &&
                    `: ${language.statuses[entry.to_status as keyof typeof language.statuses] ?? entry.to_status}`}
                </td>
                <td dir="auto" class="long">
                  {entry.subject}
                </td>
                <td dir="auto" class="wide">
                  {entry.note}
                </td>
                <td>
                  <Undo entry={entry} desk={desk} />
                </td>
              </tr>
            ))}
          </Table>
        </Scrolls>
      )}
      <Around next={next} desk={desk} />
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
      <Form desk={desk} action={`/decisions/${id}/undo`} class="inline" values={{ back: desk.link({}) }}>
        <Field label={word('reason')} name="reason" required />
        <button type="submit" aria-label={`${word('undo')} ${id}`}>
          {word('undo')}
        </button>
      </Form>
    </details>
  );
}

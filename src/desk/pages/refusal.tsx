import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { English } from './parts/english.tsx';
import { Known } from './parts/known.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

/** Why the desk did not do what it was asked, what to do about it, and who was first where somebody was. */
export function RefusalPage({ status, error }: Models['refusal'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word(status === 409 ? 'somebody-was-first' : status === 404 ? 'not-there' : 'not-done')}>
      <p class="message" role="alert">
        <English>{error.message}</English>
      </p>
      <p>
        <English>{error.hint}</English>
      </p>
      {error.details && <Known of={error.details} desk={desk} />}
      <p>
        <a href="/">{word('home')}</a> · <code>{`${status} ${error.code}`}</code>
      </p>
    </Shell>
  );
}

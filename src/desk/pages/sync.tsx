import type { VNode } from 'preact';
import type { Models } from '../models.ts';
import { CourierField, Form, LabelledInput } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { usePage } from './parts/words.ts';

const LOOKS: Readonly<Partial<Record<Models['sync']['status'], string>>> = {
  complete: 'message done',
  failed: 'message bad',
};

/** A sync's progress. A `refresh` header on the answer makes the browser ask again each second until it has ended. */
export function SyncPage({ id, status, progress, says }: Models['sync']): VNode {
  const { language, word, explain } = usePage();
  const { message, hint } = explain(says);
  const isRunning = status === 'running';
  return (
    <Shell title={word('run')}>
      <p class={LOOKS[status] ?? 'message'} role="status">
        {message}
      </p>
      {hint !== '' && <p class="hint">{hint}</p>}
      {isRunning && <progress aria-label={word('run')} />}
      <dl>
        {(['months', 'invoices', 'orders', 'faults'] as const).map((name) => (
          <div>
            <dt>{language.label({ column: `synced_${name}` })}</dt>
            <dd>{progress[name]}</dd>
          </div>
        ))}
      </dl>
      {isRunning && (
        <Form action={`/syncs/${id}/cancel`} class="actions">
          <button type="submit">{word('cancel')}</button>
        </Form>
      )}
      {!isRunning && (
        <p class="around">
          {status === 'complete' && (
            <>
              <a href="/imports">{word('next-files')}</a>{' '}
            </>
          )}
          <a href="/">{word('home')}</a> <a href="/runs">{word('runs')}</a>
        </p>
      )}
    </Shell>
  );
}

export function SyncNow(): VNode {
  const { word } = usePage();
  return (
    <Form action="/syncs" class="actions sync" label={word('sync-now')}>
      <button type="submit">{word('sync-now')}</button>
      <LabelledInput label={word('sync-months')} name="period" />
      <label class="check">
        <input type="checkbox" name="orders" value="1" /> {word('sync-orders')}
      </label>
      <CourierField anyLabel={word('all')} name="couriers" />
    </Form>
  );
}

/** The first page of books that hold no month yet. */
export function EmptyPage(): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('home-title')}>
      <p class="message">{word('books-empty')}</p>
      <SyncNow />
      <p>
        <a href="/imports">{word('import-file')}</a>
      </p>
    </Shell>
  );
}

/** Shown while a page of large books is being read. It asks for that page again every second. */
export function ComputingPage(): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('one-moment')}>
      <p>{word('page-computed')}</p>
      <progress aria-label={word('being-computed')} />
    </Shell>
  );
}

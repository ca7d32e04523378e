import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { English } from './parts/english.tsx';
import { Known, KnownRows } from './parts/known.tsx';
import { Shell } from './parts/shell.tsx';
import { type Words, wordsOf } from './parts/words.ts';

type Part = readonly [word: Parameters<Words['word']>[0], of: readonly object[], id?: string];

const OF_MISMATCH = ['sentence', 'message', 'note', 'subject'];

/** Several lists about one thing, each under its heading. */
function Parts({ parts, desk }: { readonly parts: readonly Part[]; readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
  return (
    <>
      {parts.map(([name, of, id]) => (
        <section>
          <h2>{word(name)}</h2>
          <KnownRows
            of={of}
            desk={desk}
            caption={word(name)}
            without={OF_MISMATCH}
            {...(id === undefined ? {} : { id })}
          />
        </section>
      ))}
    </>
  );
}

/** All that is known of an invoice: the lists that show it, its detail, its rows, what changed, what does not agree, its documents. */
export function InvoicePage(model: Models['invoice'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { number_text: number, listed, detail, missing, rows, versions, matches, mismatches, documents } = model;
  return (
    <Shell desk={desk} title={`${word('invoice')} ${number}`}>
      {detail && <Known of={{ ...detail, number_text: number }} desk={desk} />}
      {missing && (
        <p class="todo">
          <English>{missing}</English>
        </p>
      )}
      <Parts
        desk={desk}
        parts={[
          ['mismatches', mismatches, '/mismatches/'],
          ['matches', matches],
          ['rows', rows],
          ['in-lists', listed],
          ['versions', versions],
          ['documents', documents],
        ]}
      />
    </Shell>
  );
}

/** All that is known of an order: its record, its rows on invoices, what changed, what does not agree, its documents. */
export function OrderPage(model: Models['order'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { order_id: id, record, rows, changes, mismatches, documents } = model;
  return (
    <Shell desk={desk} title={`${word('order')} ${id}`}>
      {record ? <Known of={record} desk={desk} /> : <p>{word('not-in-order-book')}</p>}
      <Parts
        desk={desk}
        parts={[
          ['mismatches', mismatches, '/mismatches/'],
          ['rows', rows],
          ['changes', changes],
          ['documents', documents],
        ]}
      />
    </Shell>
  );
}

/** All that is known of a receipt: its line, the files that hold it, and its matches. */
export function ReceiptPage(model: Models['receipt'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { receipt, raw, left, whose, import: file, seen_in: seen, matches } = model;
  return (
    <Shell desk={desk} title={`${word('receipt')} ${receipt.id}`}>
      <Known of={{ ...receipt, left, whose }} desk={desk} without={['id']} />
      <section>
        <h2>{word('as-in-file')}</h2>
        <pre dir="auto">{typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)}</pre>
      </section>
      <Parts
        desk={desk}
        parts={[
          ['matches', matches],
          ['imports', [file, ...seen]],
        ]}
      />
    </Shell>
  );
}

/** What a run brought. */
export function RunPage(model: Models['run'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={`${word('run')} ${model.id}`}>
      <Known of={{ ...model, ...figuresOf(model.summary) }} desk={desk} without={['id', 'summary']} />
    </Shell>
  );
}

/** What a sync counted, as fields: `invoices_listed`. What its run says itself is not said again. */
function figuresOf(summary: string | null): object {
  const { requests, retries, invoices = {}, orders = {}, malformed, bytes } = JSON.parse(summary ?? '{}');
  const named = (of: string, counts: object) => Object.entries(counts).map(([name, count]) => [`${of}_${name}`, count]);
  const counted = Object.fromEntries([...named('invoices', invoices), ...named('orders', orders)]);
  return { requests, retries, ...counted, malformed, bytes };
}

/** The closes of a month, what each froze, and what has drifted since. */
export function ClosePage(model: Models['close'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={`${word('closed')}: ${language.month(model.period)}`}>
      <p>
        <a href={`/months/${model.period}`}>{word('to-the-month')}</a>
      </p>
      {model.closes.map(({ record, ...close }) => (
        <section>
          <h2>{`${word('close')} ${close.id}`}</h2>
          <Known of={close} desk={desk} without={['id']} />
          <details>
            <summary>{word('what-was-frozen')}</summary>
            <pre dir="ltr">{JSON.stringify(record, null, 2)}</pre>
          </details>
        </section>
      ))}
      <Parts desk={desk} parts={[['drifted', model.mismatches, '/mismatches/']]} />
    </Shell>
  );
}

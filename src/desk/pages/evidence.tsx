import type { VNode } from 'preact';
import type { DeskContext } from '../context.ts';
import type { EvidenceModel } from '../models.ts';
import { KnownRows } from './parts/fields.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

/** A document as received, shown as text alone, with the field of the address marked and its SHA-256 computed again. */
export function EvidencePage(model: EvidenceModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { sha256, computed, size, text, is_cut: isCut, field, documents } = model;
  // The hash may be that of a part, such as an order of the order book: the page shows the document that holds it.
  const isDocument = documents.some((document) => document.sha256 === sha256);
  const documentSha256 = isDocument ? sha256 : (documents[0]?.sha256 ?? sha256);
  const isSame = documentSha256 === computed;
  const fact = (name: string, value: VNode | number) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <Shell desk={desk} title={word('document')}>
      <dl>
        {fact('SHA-256', <code>{documentSha256}</code>)}
        {documentSha256 !== sha256 && fact(word('part-of-it'), <code>{sha256}</code>)}
        <div>
          <dt>{word('computed-again')}</dt>
          <dd class={isSame ? 'good' : 'bad'}>
            <code>{computed}</code> {word(isSame ? 'same-hash' : 'other-hash')}
          </dd>
        </div>
        {fact(word('bytes'), size)}
      </dl>
      <p>
        <a href={`/evidence/${sha256}/download`} download>
          {word('download')}
        </a>
      </p>
      <section>
        <h2>{word('sightings')}</h2>
        <KnownRows of={documents} caption={word('sightings')} />
      </section>
      <section>
        <h2>{word('as-received')}</h2>
        {text === null ? (
          <p>{word('no-text')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
          <pre class="document" dir="ltr" tabIndex={0}>
            <Marked text={text} field={field} />
          </pre>
        )}
        {isCut && <p>{word('cut')}</p>}
      </section>
    </Shell>
  );
}

/** A JSON text in which each mention of a field is marked. */
function Marked({ text, field }: { readonly text: string; readonly field: string | null }): VNode {
  if (field === null || field === '') return <code>{text}</code>;
  const parts = text.split(`"${field}"`);
  return (
    <code>
      {parts.map((part, place) => (
        <>
          {place > 0 && <mark id={place === 1 ? 'field' : undefined}>{`"${field}"`}</mark>}
          {part}
        </>
      ))}
    </code>
  );
}

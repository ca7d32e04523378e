import type { VNode } from 'preact';
import type { Grid, GridCell, GridRow, Part, Section, Thing } from '../../../reports/page.ts';
import { closePage, invoicePage, orderPage, receiptPage, runPage } from '../../app/show/pages.ts';
import { amountText } from '../../render/figures.ts';
import { SectionOf } from '../../render/html/section.tsx';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { MatchButtons, Settle } from './parts/deciding-forms.tsx';
import { KnownRows } from './parts/fields.tsx';
import { thingPage } from './parts/links.ts';
import { Shell } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { dated, namedCourier, usePage, wordsOf } from './parts/words.ts';

/** An invoice: its money, what is wrong with it, and the forms that settle what is open. */
export function InvoicePage(model: Models['invoice']): VNode {
  const { desk, word } = usePage();
  const openAmounts = model.settled
    .filter((line) => /[1-9]/.test(line.open))
    .map((line) => ({ invoice: model.number_text, currency: line.currency, amount: line.open }));
  const settleForms =
    openAmounts.length === 0 || desk.readOnly ? null : (
      <section>
        <h2>{word('settle')}</h2>
        <Settle open={openAmounts} courier={courierOf(desk)} />
        <p>
          <a href={`/receipts?currency=${openAmounts[0]!.currency}`}>{word('match-a-receipt')}</a>
        </p>
      </section>
    );
  // <Paid> shows the same amounts as the table that has `open`.
  const isShownAbove = (part: Part) => part.kind === 'grid' && part.rows.some(({ figure }) => figure === 'open');
  const [money, ...others] = invoicePage(model);
  const sections = money ? [{ ...money, parts: money.parts.filter((part) => !isShownAbove(part)) }, ...others] : others;
  // A step between the rows and the header, such as `cod_rows_left_out`, leads to the findings that it sums up.
  const linkOf = ({ figure }: GridRow) => {
    const steps = model.header_from_rows.flatMap((block) => block.steps);
    const code = steps.find((step) => `${step.figure}_${step.step}` === figure)?.code ?? null;
    return code === null ? null : `/mismatches?invoice=${encodeURIComponent(model.number_text)}&code=${code}`;
  };
  return (
    <ThingPage
      title={`${word('invoice')} ${model.number_text}`}
      lead={<Paid settled={model.settled} />}
      sections={sections}
      actions={settleForms}
      linkOf={linkOf}
    />
  );
}

/** A line per currency: what is due; what of it was received, settled or marked paid by the courier; what is open. */
function Paid({ settled }: Pick<Models['invoice'], 'settled'>): VNode {
  const { language, word } = usePage();
  const line = (name: string, amount: string) => (
    <span>
      {name} <bdi dir="ltr">{amountText(amount)}</bdi>
    </span>
  );
  const label = (column: string) => language.label({ column });
  return (
    <>
      {settled.map(({ currency, due, received, differences, paid_on_word: paid, open }) => (
        <p class="paid">
          <span>{currency}</span>
          {line(label('due'), due)}
          {line(label('received'), received)}
          {line(word('settled'), differences)}
          {/[1-9]/.test(paid) && line(label('paid_on_word'), paid)}
          <b>{line(label('open'), open)}</b>
        </p>
      ))}
    </>
  );
}

export function OrderPage(model: Models['order']): VNode {
  const { word } = usePage();
  return <ThingPage title={`${word('order')} ${model.order_id}`} sections={orderPage(model)} />;
}

export function ReceiptPage(model: Models['receipt']): VNode {
  const { desk, word } = usePage();
  const { receipt, ways } = model;
  const actions =
    ways === null || ways.ways_text.length === 0 ? null : (
      <div class="actions">
        <MatchButtons receipt={receipt.id} ways={ways.ways_text} courier={courierOf(desk)} />
      </div>
    );
  return <ThingPage title={`${word('receipt')} ${receipt.id}`} sections={receiptPage(model)} actions={actions} />;
}

export function RunPage(model: Models['run']): VNode {
  const { word } = usePage();
  return <ThingPage title={`${word('run')} ${model.id}`} sections={runPage(model)} />;
}

export function ClosePage(model: Models['close']): VNode {
  const { language, word } = usePage();
  return <ThingPage title={`${word('closed')}: ${language.month(model.period)}`} sections={closePage(model)} />;
}

/** The courier whose thing it is, from the address; null if the books have only one. */
function courierOf(desk: DeskContext): string | null {
  return namedCourier(desk.query.get('courier'), desk);
}

interface ThingPageProps {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly lead?: VNode;
  /** What can be done, shown after the first section. */
  readonly actions?: VNode | null;
  /** The address to which a row of figures leads; null if it leads nowhere. */
  readonly linkOf?: (row: GridRow) => string | null;
}

/** A page about one thing: its first section, what can be done, its other sections, and its proof, folded. */
function ThingPage({ title, sections, lead, actions, linkOf }: ThingPageProps): VNode {
  const { desk, language } = usePage();
  const courier = courierOf(desk);
  const linkTo = (thing: Thing, name: string) => thingPage(thing, name, courier);
  const proof = sections.filter(({ isProof }) => isProof);
  const [first, ...others] = sections.filter(({ isProof }) => !isProof);
  const draw = (section: Section) => (
    <Scrolls label={language.label(section.title)}>
      <SectionOf
        section={section.isProof ? section : forPeople(section, desk)}
        language={language}
        heading="h2"
        linkTo={linkTo}
        linkOf={linkOf}
        isLabelled
      />
    </Scrolls>
  );
  return (
    <Shell title={title}>
      {lead}
      {first && draw(first)}
      {actions}
      {others.map((section) =>
        section.isFolded ? (
          <details class="aside">
            <summary>{language.label(section.title)}</summary>
            {draw(section)}
          </details>
        ) : (
          draw(section)
        ),
      )}
      {proof.length > 0 && (
        <details class="aside">
          <summary>{language.label({ column: 'proof' })}</summary>
          {proof.map(draw)}
        </details>
      )}
    </Shell>
  );
}

/** A section with dates as people write them, and what a check finds in place of its code. The proof keeps both. */
function forPeople(section: Section, desk: DeskContext): Section {
  const { language } = wordsOf(desk);
  const isCheck = ({ is, title }: Grid['heads'][number]) =>
    is === 'code' && typeof title === 'object' && 'column' in title && title.column === 'code';
  const asFinding = (cell: GridCell): GridCell => (cell && 'text' in cell ? { text: language.finds(cell.text) } : cell);
  const asDate = (cell: GridCell): GridCell => (cell && 'at' in cell ? { text: dated(cell.at, desk) } : cell);
  const partForPeople = (part: Part): Part => {
    if (part.kind === 'note') return part;
    if (part.kind === 'facts') {
      return { ...part, facts: part.facts.map((fact) => ({ ...fact, value: asDate(fact.value) })) };
    }
    const heads = part.heads.map((head): Grid['heads'][number] => (isCheck(head) ? { ...head, is: 'text' } : head));
    const checkColumn = part.heads.findIndex(isCheck);
    const cellsOf = (row: GridRow) =>
      row.cells.map((cell, column) => (column === checkColumn ? asFinding(cell) : asDate(cell)));
    return { ...part, heads, rows: part.rows.map((row) => ({ ...row, cells: cellsOf(row) })) };
  };
  return { ...section, parts: section.parts.map(partForPeople) };
}

/** A document as received, shown as text alone, with the field of the address marked and its SHA-256 computed again. */
export function EvidencePage(model: Models['evidence']): VNode {
  const { word } = usePage();
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
    <Shell title={word('document')}>
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

import type { VNode } from 'preact';
import type { Grid, GridCell, GridRow, Part, Section, Thing } from '../../../reports/page.ts';
import { closePage, invoicePage, orderPage, receiptPage, runPage } from '../../app/show/pages.ts';
import { amountText } from '../../render/figures.ts';
import { SectionOf } from '../../render/html/section.tsx';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { MatchButtons, Settle } from './parts/deciding-forms.tsx';
import { thingPage } from './parts/links.ts';
import { Shell } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { dated, namedCourier, usePage, wordsOf } from './parts/words.ts';

/** An invoice: its money, what is wrong with it, and the forms that settle what is open. */
export function InvoicePage(model: Models['invoice'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const courier = courierOf(desk);
  const openAmounts = model.settled
    .filter((line) => /[1-9]/.test(line.open))
    .map((line) => ({ invoice: model.number_text, currency: line.currency, amount: line.open }));
  const settleForms =
    openAmounts.length === 0 || desk.readOnly ? null : (
      <section>
        <h2>{word('settle')}</h2>
        <Settle open={openAmounts} courier={courier} />
        <p>
          <a href={`/receipts?currency=${openAmounts[0]!.currency}`}>{word('match-a-receipt')}</a>
        </p>
      </section>
    );
  // <Paid> shows the same amounts as the table that has `open`.
  const isShownAbove = (part: Part) => part.kind === 'grid' && part.rows.some(({ figure }) => figure === 'open');
  const [money, ...others] = invoicePage(model);
  const sections = money ? [{ ...money, parts: money.parts.filter((part) => !isShownAbove(part)) }, ...others] : others;
  return page(desk, `${word('invoice')} ${model.number_text}`, sections, {
    lead: <Paid settled={model.settled} />,
    actions: settleForms,
    // A step between the rows and the header, such as `cod_rows_left_out`, leads to the findings that it sums up.
    linkOf: ({ figure }) => {
      const steps = model.header_from_rows.flatMap((block) => block.steps);
      const code = steps.find((step) => `${step.figure}_${step.step}` === figure)?.code ?? null;
      return code === null ? null : `/mismatches?invoice=${encodeURIComponent(model.number_text)}&code=${code}`;
    },
  });
}

/** A line per currency: what is due, less what was received, settled, or marked paid by the courier, is open. */
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

export const OrderPage = (model: Models['order'], desk: DeskContext) =>
  page(desk, `${wordsOf(desk).word('order')} ${model.order_id}`, orderPage(model));

export function ReceiptPage(model: Models['receipt'], desk: DeskContext): VNode {
  const { receipt, ways } = model;
  const actions =
    ways === null || ways.ways_text.length === 0 ? null : (
      <div class="actions">
        <MatchButtons receipt={receipt.id} ways={ways.ways_text} courier={courierOf(desk)} />
      </div>
    );
  return page(desk, `${wordsOf(desk).word('receipt')} ${receipt.id}`, receiptPage(model), { actions });
}

export const RunPage = (model: Models['run'], desk: DeskContext) =>
  page(desk, `${wordsOf(desk).word('run')} ${model.id}`, runPage(model));

export function ClosePage(model: Models['close'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  return page(desk, `${word('closed')}: ${language.month(model.period)}`, closePage(model));
}

/** The courier whose thing it is, from the address; null if the books have only one. */
function courierOf(desk: DeskContext): string | null {
  return namedCourier(desk.query.get('courier'), desk);
}

interface PageExtras {
  /** Shown above the first section. */
  readonly lead?: VNode;
  /** What can be done, shown after the first section. */
  readonly actions?: VNode | null;
  /** The address to which a row of figures leads; null if it leads nowhere. */
  readonly linkOf?: (row: GridRow) => string | null;
}

/** A page about one thing: its first section, what can be done, its other sections, and its proof, folded. */
function page(desk: DeskContext, title: string, sections: readonly Section[], extras: PageExtras = {}): VNode {
  const { lead, actions, linkOf } = extras;
  const { language } = wordsOf(desk);
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
    <Shell desk={desk} title={title}>
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

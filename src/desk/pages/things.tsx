import type { VNode } from 'preact';
import type { Section, Thing } from '../../../reports/page.ts';
import { closePage, invoicePage, orderPage, receiptPage, runPage } from '../../app/show/pages.ts';
import { SectionOf } from '../../render/html/section.tsx';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { thingPage } from './parts/links.ts';
import { Scrolls } from './parts/scrolls.tsx';
import { Shell } from './parts/shell.tsx';
import { Settle } from './parts/solve.tsx';
import { wordsOf } from './parts/words.ts';

export function InvoicePage(model: Models['invoice'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const courier = courierOf(desk);
  const open = model.settled
    .filter((one) => /[1-9]/.test(one.open))
    .map((one) => ({ invoice: model.number_text, currency: one.currency, amount: one.open }));
  const settle =
    open.length === 0 || desk.readOnly ? null : (
      <section>
        <h2>{word('settle')}</h2>
        <Settle open={open} courier={courier} desk={desk} />
        <p>
          <a href={`/receipts?currency=${open[0]!.currency}`}>{word('match-a-receipt')}</a>
        </p>
      </section>
    );
  return page(desk, `${word('invoice')} ${model.number_text}`, invoicePage(model), settle);
}

export const OrderPage = (model: Models['order'], desk: DeskContext) =>
  page(desk, `${wordsOf(desk).word('order')} ${model.order_id}`, orderPage(model));

export const ReceiptPage = (model: Models['receipt'], desk: DeskContext) =>
  page(desk, `${wordsOf(desk).word('receipt')} ${model.receipt.id}`, receiptPage(model));

export const RunPage = (model: Models['run'], desk: DeskContext) =>
  page(desk, `${wordsOf(desk).word('run')} ${model.id}`, runPage(model));

export function ClosePage(model: Models['close'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  return page(desk, `${word('closed')}: ${language.month(model.period)}`, closePage(model));
}

/** Whose the thing is, where there are several couriers: its address says it. */
function courierOf({ couriers, query }: DeskContext): string | null {
  return couriers.length > 1 ? query.get('courier') : null;
}

/** One thing: its money, what is wrong, what happened, its rows; where it comes from is folded away. */
function page(desk: DeskContext, title: string, sections: readonly Section[], actions: VNode | null = null): VNode {
  const { language } = wordsOf(desk);
  const courier = courierOf(desk);
  const linkTo = (thing: Thing, name: string) => thingPage(thing, name, courier);
  const proof = sections.filter(({ isProof }) => isProof);
  const [first, ...others] = sections.filter(({ isProof }) => !isProof);
  const draw = (section: Section) => (
    <Scrolls label={language.label(section.title)}>
      <SectionOf section={section} language={language} heading="h2" linkTo={linkTo} />
    </Scrolls>
  );
  return (
    <Shell desk={desk} title={title}>
      {first && draw(first)}
      {actions}
      {others.map(draw)}
      {proof.length > 0 && (
        <details class="aside">
          <summary>{language.label({ column: 'proof' })}</summary>
          {proof.map(draw)}
        </details>
      )}
    </Shell>
  );
}

import type { VNode } from 'preact';
import { isAboutUnpaid } from '../../app/settle/give-up.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { amountText } from '../../render/figures.ts';
import { HtmlTable } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { Assign, Decide } from './mismatches/decide.tsx';
import { Sides } from './mismatches/sides.tsx';
import { AnswerClaim } from './parts/answer-claim.tsx';
import { KnownFields, KnownRows } from './parts/fields.tsx';
import { Form, LabelledInput } from './parts/form.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { MatchButtons, Settle } from './parts/settle-and-match.tsx';
import { SeverityBadge } from './parts/severity.tsx';
import { Shell } from './parts/shell.tsx';
import { dated, isClaimed, wordsOf } from './parts/words.ts';

interface PartProps {
  readonly model: Models['mismatch'];
  readonly desk: DeskContext;
}

/** Fields that other parts of the page show. */
const SHOWN_ELSEWHERE = ['message', 'sentence', 'subject', 'effect', 'status', 'courier', 'severity', 'unit'];

/** A mismatch: what is wrong, its documents side by side, the forms that decide about it, and its history. */
export function MismatchPage(model: Models['mismatch'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const { mismatch, assignment } = model;
  const { code, status, effect, currency } = mismatch;
  const courier = courierOf(model, desk);
  const id = courier === null ? mismatch.id : `${courier}/${mismatch.id}`;
  return (
    <Shell
      desk={desk}
      title={language.finds(code)}
      status={
        <>
          <SeverityBadge of={mismatch.severity} desk={desk} />
          <p class={status === 'open' ? 'status' : 'status good'}>
            {isClaimed(status, model.claim?.state ?? null) ? word('step-claimed') : language.statuses[status]}
          </p>
        </>
      }
    >
      <Neighbours model={model} desk={desk} />
      <p>
        {effect !== null && currency !== null && (
          <>
            {`${word('effect')}: `}
            <b class="figure">{`${amountText(effect)} ${currency}`}</b>
            {' · '}
          </>
        )}
        <a href={`/mismatches?code=${code}`}>{word('all-of-this-kind')}</a>
        {assignment && (
          <>
            {` · ${word('assigned-to')}: `}
            <bdi>{assignment.to}</bdi>
          </>
        )}
      </p>
      <p class="message" dir="auto">
        {language.say(JSON.parse(mismatch.sentence))}
      </p>
      <Sides sides={model.sides} field={mismatch.field} desk={desk} />
      <section>
        <h2>{word('decide')}</h2>
        {model.claim === null && <ClaimIt model={model} desk={desk} />}
        <Settle open={openAmountsOf(model)} courier={courier} desk={desk} />
        <MatchReceipt model={model} desk={desk} />
        {status !== 'resolved' && <Decide desk={desk} form="decide" ids={[id]} status={status} back={desk.link({})} />}
        {status !== 'open' && <Undo id={id} desk={desk} />}
        <Assign desk={desk} id={id} />
      </section>
      <History model={model} desk={desk} />
      <section>
        <h2>{word('known-facts')}</h2>
        <KnownFields of={mismatch} desk={desk} without={SHOWN_ELSEWHERE} folded={['id', 'code']} />
      </section>
      {model.claim !== null && <Claim model={model} claim={model.claim} desk={desk} />}
    </Shell>
  );
}

/** The open amounts of its invoice, each no more than the effect: 30.00 of 100.00 open if 30.00 are missing. */
function openAmountsOf({ open, mismatch }: Models['mismatch']): Models['mismatch']['open'] {
  const { effect } = mismatch;
  const sizeOf = (amount: string) => parseUnits(amount.replace(/^-/, ''));
  // That an invoice is overdue is about all that is open of it.
  if (effect === null) return isAboutUnpaid(mismatch) ? open : [];
  if (sizeOf(effect) === 0n) return [];
  return open.map((line) => {
    if (sizeOf(line.amount) <= sizeOf(effect)) return line;
    const size = formatUnits(sizeOf(effect));
    return { ...line, amount: line.amount.startsWith('-') ? `-${size}` : size };
  });
}

/** The courier of the mismatch; null if the books have only one. */
function courierOf({ courier }: Models['mismatch'], { couriers }: DeskContext): string | null {
  return couriers.length > 1 ? courier : null;
}

/** Links to the previous and the next mismatch of the list from which this one was opened. */
function Neighbours({ model: { among }, desk }: PartProps): VNode | null {
  const { word } = wordsOf(desk);
  if (among === null) return null;
  const { place, count, previous, next } = among;
  const addressOf = ({ id, courier }: NonNullable<typeof next>) => {
    const query = new URLSearchParams(desk.query);
    if (desk.couriers.length > 1) query.set('courier', courier);
    return `/mismatches/${id}?${query}`;
  };
  return (
    <p class="around">
      {previous && <a href={addressOf(previous)}>{word('previous')}</a>}
      <span>{`${place} ${word('of-them')} ${count}`}</span> {next && <a href={addressOf(next)}>{word('next')}</a>}
    </p>
  );
}

/** Buttons that match receipts near the open amount to the mismatch's invoice, or its receipt to what it may pay. */
function MatchReceipt({ model, desk }: PartProps): VNode | null {
  const { pays: possiblePayments, near: nearReceipts } = model;
  const { word } = wordsOf(desk);
  if (desk.readOnly) return null;
  if (nearReceipts.length > 0)
    return (
      <>
        <h3>{word('match-a-receipt')}</h3>
        <ul>
          {nearReceipts.map(({ receipt, invoice, currency, left, date, says }) => (
            <li>
              <a href={`/receipts/${receipt}`}>{`${word('receipt')} ${receipt}`}</a>
              {' · '}
              <bdi dir="ltr">{`${amountText(left)} ${currency}`}</bdi>
              {` · ${dated(date, desk)} · `}
              <bdi>{says}</bdi>{' '}
              <MatchButtons receipt={receipt} ways={[[invoice]]} courier={courierOf(model, desk)} desk={desk} />
            </li>
          ))}
        </ul>
      </>
    );
  if (possiblePayments.length === 0) return null;
  return (
    <div class="actions">
      {possiblePayments.map(({ receipt, invoices }) => (
        <MatchButtons receipt={receipt} ways={[invoices]} courier={courierOf(model, desk)} desk={desk} />
      ))}
      <a href={`/receipts?text=${possiblePayments[0]!.receipt}`}>{word('match-a-receipt')}</a>
    </div>
  );
}

/** Opens the mismatch again; the person must say why. */
function Undo({ id, desk }: { readonly id: string; readonly desk: DeskContext }): VNode | null {
  const { word } = wordsOf(desk);
  return (
    <Form
      desk={desk}
      action="/mismatches/reopen"
      class="decide"
      values={{ ids: [id], back: desk.link({}) }}
      label={word('undo')}
    >
      <LabelledInput label={word('reason')} name="note" required />
      <button type="submit">{word('undo')}</button>
      <span class="hint">{word('undo-hint')}</span>
    </Form>
  );
}

function History({ model: { history }, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  const heads = [{ title: word('when') }, { title: word('who') }, { title: word('status') }, { title: word('note') }];
  return (
    <section>
      <h2>{word('history')}</h2>
      <Scrolls label={word('history')}>
        <HtmlTable class="list" heads={heads}>
          {history.map(({ at, actor, to_status, note }) => (
            <tr>
              <td class="day" data-label={word('when')}>
                {dated(at, desk)}
              </td>
              <td dir="auto" data-label={word('who')}>
                {actor}
              </td>
              <td data-label={word('status')}>{language.statuses[to_status]}</td>
              <td class="wide" dir="auto" data-label={word('note')}>
                {actor === 'remit' && note !== null ? <English>{note}</English> : note}
              </td>
            </tr>
          ))}
        </HtmlTable>
      </Scrolls>
    </section>
  );
}

/** A text that the books keep in English alone, such as a check's note, marked so that screen readers know it. */
function English({ children }: { readonly children: string }): VNode {
  return (
    <bdi lang="en" dir="ltr">
      {children}
    </bdi>
  );
}

/** The form that claims the mismatch from the courier. */
function ClaimIt({ model, desk }: PartProps): VNode | null {
  const { word } = wordsOf(desk);
  const values = { ids: [model.mismatch.id], courier: courierOf(model, desk), back: desk.link({}) };
  return (
    <Form desk={desk} action="/claims" isSeenFirst class="decide" values={values} label={word('claim-it')}>
      <button type="submit" class="first">
        {word('claim-it')}
      </button>
      <span class="hint">{word('not-claimed')}</span>
    </Form>
  );
}

/** The claim about a mismatch: its letter, what the courier answered, and the forms that answer it or give it up. */
function Claim(props: PartProps & { readonly claim: NonNullable<PartProps['model']['claim']> }): VNode {
  const { model, claim, desk } = props;
  const { word } = wordsOf(desk);
  const { mismatch, claim_history: history } = model;
  const courier = courierOf(model, desk);
  const ids = [mismatch.id];
  const back = desk.link({});
  return (
    <section>
      <h2>{word('claim')}</h2>
      <KnownFields of={claim} desk={desk} />
      <KnownRows of={history} desk={desk} caption={word('claim')} without={['mismatch_id']} />
      <p>
        <a href={`/claims/${mismatch.id}/letter`}>{word('claim-letter')}</a> ·{' '}
        <a href={`/claims/${claim.evidence_id}`}>{`${word('claim')} ${claim.evidence_id}`}</a>
      </p>
      <AnswerClaim ids={ids} courier={courier} back={back} desk={desk} />
    </section>
  );
}

import type { VNode } from 'preact';
import { isAboutUnpaid } from '../../app/settle/give-up.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { amountText } from '../../render/figures.ts';
import { HtmlTable } from '../../render/html/table.tsx';
import type { Models } from '../models.ts';
import { SeverityBadge } from './parts/badge.tsx';
import { AnswerClaim, Decide, MatchButtons, Settle } from './parts/deciding-forms.tsx';
import { DECIMAL, FieldName, KnownFields, KnownRows } from './parts/fields.tsx';
import { Form, LabelledInput, MainButton } from './parts/form.tsx';
import { Also, Shell } from './parts/shell.tsx';
import { RowsTable, Scrolls } from './parts/table.tsx';
import { dated, isClaimed, namedCourier, usePage } from './parts/words.ts';

interface PartProps {
  readonly model: Models['mismatch'];
}

const SHOWN_ELSEWHERE = ['message', 'sentence', 'subject', 'effect', 'status', 'courier', 'severity', 'unit'];

/** A mismatch: what is wrong, its documents side by side, the forms that decide about it, and its history. */
export function MismatchPage(given: Models['mismatch']): VNode {
  const { desk, language, word } = usePage();
  const courier = namedCourier(given.courier, desk);
  const model = { ...given, courier };
  const { mismatch, assignment } = model;
  const { code, status, effect, currency } = mismatch;
  const id = courier === null ? mismatch.id : `${courier}/${mismatch.id}`;
  return (
    <Shell
      title={language.finds(code)}
      status={
        <>
          <SeverityBadge of={mismatch.severity} />
          <p class={status === 'open' ? 'status' : 'status good'}>
            {isClaimed(status, model.claim?.state ?? null) ? word('step-claimed') : language.statuses[status]}
          </p>
        </>
      }
    >
      <Neighbours model={model} />
      <p>
        {effect !== null && currency !== null && (
          <>
            {`${word('effect')}: `}
            <b class="figure">{`${amountText(effect)} ${currency}`}</b>
            {' · '}
          </>
        )}
        <a href={`/mismatches?code=${code}`}>{word('all-of-this-kind')}</a>
        {assignment && <Also after={` · ${word('assigned-to')}: `}>{assignment.to}</Also>}
      </p>
      <p class="message" dir="auto">
        {language.say(JSON.parse(mismatch.sentence))}
      </p>
      <Sides sides={model.sides} field={mismatch.field} />
      <section>
        <h2>{word('decide')}</h2>
        {model.claim === null && <ClaimIt model={model} />}
        <Settle open={openAmountsOf(model)} courier={courier} />
        <MatchReceipt model={model} />
        {status !== 'resolved' && <Decide ids={[id]} status={status} />}
        {status !== 'open' && <Undo id={id} />}
        <Assign id={id} />
      </section>
      <History model={model} />
      <section>
        <h2>{word('known-facts')}</h2>
        <KnownFields of={mismatch} without={SHOWN_ELSEWHERE} folded={['id', 'code']} />
      </section>
      <Claim model={model} />
    </Shell>
  );
}

/** The open amounts of its invoice, each no more than the effect: 30.00 of 100.00 open if 30.00 are missing. */
function openAmountsOf({ open, mismatch }: Models['mismatch']) {
  const { effect } = mismatch;
  const sizeOf = (amount: string) => parseUnits(amount.replace(/^-/, ''));
  // Without an effect, all that is open of an overdue invoice can be settled, and nothing of anything else.
  if (effect === null) return isAboutUnpaid(mismatch) ? open : [];
  if (sizeOf(effect) === 0n) return [];
  return open.map((line) => {
    if (sizeOf(line.amount) <= sizeOf(effect)) return line;
    const size = formatUnits(sizeOf(effect));
    return { ...line, amount: line.amount.startsWith('-') ? `-${size}` : size };
  });
}

function Neighbours({ model: { among } }: PartProps): VNode | null {
  const { desk, word } = usePage();
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
function MatchReceipt({ model }: PartProps): VNode | null {
  const { desk, word } = usePage();
  const { courier, pays: possiblePayments, near: nearReceipts } = model;
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
              <bdi>{says}</bdi> <MatchButtons receipt={receipt} ways={[[invoice]]} courier={courier} />
            </li>
          ))}
        </ul>
      </>
    );
  if (possiblePayments.length === 0) return null;
  return (
    <div class="actions">
      {possiblePayments.map(({ receipt, invoices }) => (
        <MatchButtons receipt={receipt} ways={[invoices]} courier={courier} />
      ))}
      <a href={`/receipts?text=${possiblePayments[0]!.receipt}`}>{word('match-a-receipt')}</a>
    </div>
  );
}

/** The form that assigns a mismatch to somebody; to nobody with an empty name. */
function Assign({ id }: { readonly id: string }): VNode {
  const { desk, word } = usePage();
  return (
    <Form action="/mismatches/assign" class="decide" values={{ ids: [id], back: desk.link({}) }} label={word('assign')}>
      <LabelledInput label={word('to-whom')} name="to" />
      <button type="submit">{word('assign')}</button>
    </Form>
  );
}

/** Opens the mismatch again; the person must say why. */
function Undo({ id }: { readonly id: string }): VNode | null {
  const { desk, word } = usePage();
  return (
    <Form action="/mismatches/reopen" class="decide" values={{ ids: [id], back: desk.link({}) }} label={word('undo')}>
      <LabelledInput label={word('reason')} name="note" required />
      <button type="submit">{word('undo')}</button>
      <span class="hint">{word('undo-hint')}</span>
    </Form>
  );
}

function History({ model: { history } }: PartProps): VNode {
  const { desk, language, word } = usePage();
  return (
    <section>
      <h2>{word('history')}</h2>
      <RowsTable
        label={word('history')}
        class="list"
        rows={history}
        columns={[
          { title: word('when'), class: 'day', cell: ({ at }) => dated(at, desk) },
          { title: word('who'), isText: true, cell: ({ actor }) => actor },
          { title: word('status'), cell: ({ to_status }) => language.statuses[to_status] },
          { title: word('note'), class: 'wide', isText: true, cell: noteOf },
        ]}
      />
    </section>
  );
}

/** A note. Notes of checks are in English alone, and are marked so that screen readers know it. */
function noteOf({ actor, note }: Models['mismatch']['history'][number]): VNode | string | null {
  if (actor !== 'remit' || note === null) return note;
  return (
    <bdi lang="en" dir="ltr">
      {note}
    </bdi>
  );
}

function ClaimIt({ model }: PartProps): VNode | null {
  const { desk, word } = usePage();
  const values = { ids: [model.mismatch.id], courier: model.courier, back: desk.link({}) };
  return (
    <Form action="/claims" isSeenFirst class="decide" values={values} label={word('claim-it')}>
      <MainButton>{word('claim-it')}</MainButton>
      <span class="hint">{word('not-claimed')}</span>
    </Form>
  );
}

/** The claim about a mismatch: its letter, what the courier answered, and the forms that answer it or give it up. */
function Claim({ model }: PartProps): VNode | null {
  const { word } = usePage();
  const { mismatch, claim, claim_history: history } = model;
  if (claim === null) return null;
  return (
    <section>
      <h2>{word('claim')}</h2>
      <KnownFields of={claim} />
      <KnownRows of={history} caption={word('claim')} without={['mismatch_id']} />
      <p>
        <a href={`/claims/${mismatch.id}/letter`}>{word('claim-letter')}</a> ·{' '}
        <a href={`/claims/${claim.evidence_id}`}>{`${word('claim')} ${claim.evidence_id}`}</a>
      </p>
      <AnswerClaim ids={[mismatch.id]} courier={model.courier} />
    </section>
  );
}

interface SidesProps {
  readonly sides: Models['mismatch']['sides'];
  readonly field: string | null;
}

/** An instant. If two differ, both are shown as they are written: their minutes may be the same. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

/** Whether a document is one of several receipts or invoices. They are different things, so no difference is marked. */
const isOneOfMany = ({ document: { id } }: SidesProps['sides'][number]) =>
  id === 'side-receipt' || id === 'side-invoice';

/** The documents of a mismatch side by side, a line per field. A field that differs between them is marked. */
function Sides({ sides, field }: SidesProps): VNode | null {
  const { desk, language, word } = usePage();
  if (sides.length === 0) return null;
  const shownValue = (name: string, value: string) => {
    if (/(status|state)$/.test(name)) return language.state(value);
    return DECIMAL.test(value) ? amountText(value) : dated(value, desk);
  };
  const names = [...new Set(sides.flatMap(({ fields }) => Object.keys(fields)))];
  return (
    <section>
      <h2>{word('side-by-side')}</h2>
      <Scrolls label={word('side-by-side')}>
        <HtmlTable
          class="sides"
          heads={[{ title: word('field') }, ...sides.map(({ document }) => ({ title: language.say(document) }))]}
        >
          {names.map((name) => {
            const values = sides.map(({ fields }) => fields[name] ?? null);
            const compared = values.filter((value, index) => value !== null && !isOneOfMany(sides[index]!));
            const differs = new Set(compared).size > 1;
            return (
              <tr class={differs ? 'differs' : undefined}>
                <th scope="row">
                  <FieldName name={name} />
                  {differs && <span class="unseen">{` (${word('differs')})`}</span>}
                </th>
                {values.map((value) => (
                  <td dir="auto">
                    {value === null && '–'}
                    {value !== null && !differs && shownValue(name, value)}
                    {value !== null && differs && <mark>{INSTANT.test(value) ? value : shownValue(name, value)}</mark>}
                  </td>
                ))}
              </tr>
            );
          })}
          <tr>
            <th scope="row">{word('received-at')}</th>
            {sides.map(({ received_at: at }) => (
              <td class="day">{at === null ? '–' : dated(at, desk)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{word('document')}</th>
            {sides.map(({ sha256 }) => (
              <td>
                {sha256 === null ? (
                  '–'
                ) : (
                  <a href={`/evidence/${sha256}${field === null ? '' : `?field=${encodeURIComponent(field)}`}`}>
                    <code>{`${sha256.slice(0, 12)}…`}</code>
                  </a>
                )}
              </td>
            ))}
          </tr>
        </HtmlTable>
      </Scrolls>
    </section>
  );
}

import type { VNode } from 'preact';
import { SETTLEMENTS } from '../../../app/decisions/receipts.ts';
import type { MatchReport } from '../../../app/match/report-matches.ts';
import type { LeftToPay } from '../../reading/mismatches.ts';
import { ChoiceField, Form, LabelledInput } from './form.tsx';
import { usePage } from './words.ts';

interface SettleProps {
  readonly open: readonly LeftToPay[];
  /** The courier of the invoices; null if the books have only one. */
  readonly courier: string | null;
}

/** A form for each open amount that settles it without a receipt: all of it, unless the person fills in less. */
export function Settle({ open, courier }: SettleProps): VNode {
  const { desk, language, word } = usePage();
  return (
    <>
      {open.map(({ invoice, currency, amount }) => {
        const sums = [{ currency, amount }];
        const label = language.say({ id: 'decide', decision: 'settle', sums });
        const values = { invoices: invoice, currency, back: desk.link({}), courier };
        return (
          <Form action="/settlements" isSeenFirst class="decide" values={values} label={label}>
            <LabelledInput label={`${word('amount')} · ${currency}`} name="amount" value={amount} required />
            <SettlementKindField />
            <LabelledInput label={word('note')} name="note" class="long" required />
            <button type="submit">{label}</button>
          </Form>
        );
      })}
    </>
  );
}

export function SettlementKindField(): VNode {
  const { word } = usePage();
  const kinds = SETTLEMENTS.map((kind) => [kind, word(kind)] as const);
  return <ChoiceField label={word('kind')} name="as" options={[['', word('choose')], ...kinds]} required />;
}

interface MatchButtonsProps {
  readonly receipt: number;
  /** The sets of invoices that it may pay. */
  readonly ways: readonly (readonly (number | string)[])[];
  /** The courier of the invoices; null if the books have only one. */
  readonly courier: string | null;
}

export function MatchButtons({ receipt, ways, courier }: MatchButtonsProps): VNode {
  const { desk, language, word } = usePage();
  return (
    <>
      {ways.map((invoices) => (
        <Form action="/matches" isSeenFirst class="inline" values={{ receipt, invoices, back: desk.link({}), courier }}>
          <button type="submit">{`${word('it-is-for')} ${invoices.join(language.comma)}`}</button>
        </Form>
      ))}
    </>
  );
}

/** The id of the form that decides about mismatches: the boxes of their table name it. */
export const DECIDE = 'decide';

interface DecideProps {
  /** The mismatches to decide about; absent if boxes of a table choose them. */
  readonly ids?: readonly string[];
  /** The status of the one mismatch; a resolved one has another form. Absent for ticked mismatches of any status. */
  readonly status?: 'open' | 'acknowledged';
}

/**
 * The form that decides about mismatches, with one note. An open one can be acknowledged or resolved, an acknowledged
 * one resolved; for ticked ones all three buttons are there. Resolving leads to a preview, and is done from there; the
 * others are done at once.
 */
export function Decide({ ids = [], status }: DecideProps): VNode {
  const { desk, word } = usePage();
  return (
    <Form
      action="/mismatches/ack"
      also={['/mismatches/resolve', '/mismatches/reopen']}
      class="decide"
      id={DECIDE}
      values={{ ids, back: desk.link({}) }}
      label={word('decide')}
    >
      <LabelledInput label={word('note')} name="note" class="long" />
      {status !== 'acknowledged' && (
        <button type="submit" class="first" formAction="/mismatches/ack">
          {word('acknowledge')}
        </button>
      )}
      <button type="submit" formAction="/mismatches/resolve?preview=1">
        {word('resolve')}
      </button>
      {status === undefined && (
        <button type="submit" formAction="/mismatches/reopen">
          {word('reopen')}
        </button>
      )}
      {ids.length === 0 && (
        <span id="choose-first" class="hint" hidden>
          {word('choose-first')}
        </span>
      )}
    </Form>
  );
}

interface AnswerClaimProps {
  readonly ids: readonly string[];
  /** The courier to which the claims were sent; null if the books have only one. */
  readonly courier: string | null;
}

/** The decisions that give up claims, each with the field in which it says why. */
const WAYS_TO_GIVE_UP = [
  ['withdraw', 'note'],
  ['write-off', 'reason'],
] as const;

/** The forms that record the courier's answer to claims, withdraw them, or write them off. */
export function AnswerClaim({ ids, courier }: AnswerClaimProps): VNode {
  const { desk, word } = usePage();
  const values = { ids, courier, back: desk.link({}) };
  return (
    <>
      <Form action="/claims/answer" class="decide" values={values} label={word('claim-answer')}>
        <ChoiceField
          label={word('claim-answer')}
          name="answer"
          options={[
            ['', word('answer-open')],
            ['accepted', word('answer-accepted')],
            ['refused', word('answer-refused')],
          ]}
        />
        <LabelledInput label={word('note')} name="note" class="long" required />
        <button type="submit">{word('keep-answer')}</button>
      </Form>
      {WAYS_TO_GIVE_UP.map(([way, field]) => (
        <Form action={`/claims/${way}`} isSeenFirst class="decide" values={values} label={word(way)}>
          <LabelledInput label={word(field)} name={field} class="long" required />
          <button type="submit">{word(way)}</button>
        </Form>
      ))}
    </>
  );
}

interface PayersProps {
  readonly suggested: MatchReport['suggested_payers'];
  readonly values?: Readonly<Record<string, string>>;
}

/** Senders of money whose lines match invoices, but who are not in the settings; a button adds each of them there. */
export function Payers({ suggested, values = {} }: PayersProps): VNode | null {
  const { desk, language, word } = usePage();
  if (suggested.length === 0) return null;
  return (
    <section>
      <h2>{word('who-pays')}</h2>
      <p class="hint">{word('who-pays-hint')}</p>
      <ul>
        {suggested.map(({ name, lines, courier = '' }) => {
          const whose = desk.couriers.length > 1 ? courier : '';
          return (
            <li>
              <bdi>{name}</bdi>
              {': '}
              {language.say({ id: 'payer-lines', lines })}{' '}
              <Form action="/payers" class="inline" values={{ ...values, payer: name, pays_for: whose }}>
                <button type="submit">{language.say({ id: 'payer-is', payer: name, courier: whose })}</button>
              </Form>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

import type { VNode } from 'preact';
import { BUCKETS } from '../../../reports/ageing.ts';
import { claimedEffect, effectNow } from '../../app/disputes/claimed-effect.ts';
import { dayIn } from '../../base/day.ts';
import { isOver } from '../../base/states.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { AnswerClaim } from './parts/answer-claim.tsx';
import { RowChips } from './parts/chips.tsx';
import { KnownRows } from './parts/known.tsx';
import { ListTable } from './parts/list-table.tsx';
import { Narrow } from './parts/narrow.tsx';
import { ReportTable } from './parts/report-table.tsx';
import { Shell } from './parts/shell.tsx';
import { dated, wordsOf } from './parts/words.ts';

/** Every invoice row, by currency. */
export function RowsPage({ table }: Models['rows'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('rows')}>
      <Narrow desk={desk} />
      <RowChips table={table} desk={desk} />
      <ReportTable table={table} desk={desk} caption={word('rows')} />
    </Shell>
  );
}

const MONTH = /^\d{4}-\d{2}$/;

/** Columns that make a report wider than a screen and say again what another says; its file has them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  ageing: BUCKETS.map(({ name }) => name),
  invoices: ['basis'],
  mismatches: [
    'code',
    'invoice_number',
    'order_id',
    'reference_id',
    'field',
    'expected',
    'actual',
    'difference',
    'unit',
    'amount',
    'cause',
    'subject',
    'claim',
  ],
  'not-invoiced': ['reference_id'],
  receipts: ['kind', 'whose', 'matched', 'rule', 'account', 'import', 'line'],
  totals: ['order_cod', 'order_delivery_fee', 'paid', 'paid_on_word', 'basis'],
};

/** A report, as every format of it says. */
export function ReportPage({ table }: Models['report'], desk: DeskContext): VNode {
  const { title } = table.said(desk.language);
  const { language } = wordsOf(desk);
  const months = table.period.split('..').map((period) => (MONTH.test(period) ? language.month(period) : period));
  return (
    <Shell desk={desk} title={table.period === '' ? title : `${title} · ${months.join(' – ')}`}>
      <Narrow desk={desk} />
      <RowChips table={table} desk={desk} />
      <ReportTable
        table={table}
        desk={desk}
        caption={title}
        without={LEFT_OUT[table.report] ?? []}
        {...(table.report === 'runs' ? { columns: OF_RUNS } : {})}
        id={table.report === 'mismatches' ? '/mismatches/' : ''}
      />
    </Shell>
  );
}

const OF_RUNS = [
  'courier',
  'run',
  'started_at',
  'status',
  'requests',
  'invoices_listed',
  'invoices_fetched',
  'invoices_failed',
  'orders_listed',
  'orders_changed',
  'malformed',
];

/** Every sync and what it brought; the page of one has all that was counted. */
export function RunsPage({ table }: Models['runs'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('runs')}>
      <ReportTable table={table} desk={desk} caption={word('runs')} columns={OF_RUNS} />
    </Shell>
  );
}

/** The reports that there are. */
export function ReportsPage({ reports }: Models['reports'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('reports')}>
      <ul>
        {reports.map(({ name, title }) => (
          <li>
            <a href={`/reports/${name}`}>{language.tables.titles[name] ?? title}</a> <code>{name}</code>
          </li>
        ))}
      </ul>
    </Shell>
  );
}

/** Claims as they stand, and what they come to. */
export function ClaimsPage({ claims, totals, next }: Models['claims'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('claims')}>
      {totals.length > 0 && (
        <KnownRows of={totals.map((sum) => asked(sum, desk))} desk={desk} caption={word('total')} />
      )}
      {claims.length === 0 && <p>{word('no-claims')}</p>}
      {claims.length > 0 && (
        <p class="around">
          {[...new Set(claims.map(({ claim }) => claim.evidence_id))].map((id) => (
            <a href={`/claims/${id}`}>{`${word('claim')} ${id}`}</a>
          ))}
        </p>
      )}
      {claims.length > 0 && <ClaimLines claims={claims} next={next} desk={desk} />}
    </Shell>
  );
}

/** A claim: its lines and where each stands, its letter, and the forms that answer it or take it back. */
export function ClaimPage({ id, claims }: Models['claim'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const [{ claim, mismatch, courier }] = claims as [Models['claim']['claims'][number]];
  const ids = claims.filter((one) => !isOver(one.claim.state)).map((one) => one.mismatch.id);
  const back = desk.link({});
  return (
    <Shell desk={desk} title={`${word('claim')} ${id}`}>
      <p>
        <bdi>{claim.actor}</bdi> · <span class="day">{dated(claim.at, desk)}</span> ·{' '}
        <a href={`/claims/${mismatch.id}/letter`}>{word('claim-letter')}</a>
      </p>
      <ClaimLines claims={claims} next={null} desk={desk} />
      {ids.length > 0 && (
        <section>
          <h2>{word('claim-answer')}</h2>
          <AnswerClaim ids={ids} courier={desk.couriers.length > 1 ? courier : null} back={back} desk={desk} />
        </section>
      )}
    </Shell>
  );
}

interface ClaimLinesProps {
  readonly claims: Models['claims']['claims'];
  readonly next: string | null;
  readonly desk: DeskContext;
}

function ClaimLines({ claims, next, desk }: ClaimLinesProps): VNode {
  const { language } = wordsOf(desk);
  const records = claims.map(({ courier, claim, mismatch }) => ({
    ...mismatch,
    courier,
    mismatch_id: mismatch.id,
    ...asked({ claimed: claimedEffect(claim), now: effectNow(mismatch) }, desk),
    state: language.say({
      id: 'claim-state',
      state: claim.state,
      answer: claim.answer,
      on: dayIn(claim.moved_at, desk.timeZone),
    }),
  }));
  return <ListTable name="claims" records={records} next={next} desk={desk} unsorted="all" />;
}

/** What is asked, positive, and of whom: an effect is negative where it is owed to you. */
function asked<Sum extends { readonly claimed: string | null; readonly now: string | null }>(
  sum: Sum,
  desk: DeskContext,
) {
  const { word } = wordsOf(desk);
  const { claimed, now } = sum;
  if (claimed === null) return sum;
  const isOwedToUs = claimed.startsWith('-');
  const asPositive = (amount: string | null) =>
    amount === null || !isOwedToUs ? amount : formatUnits(-parseUnits(amount));
  const direction = word(isOwedToUs ? 'owed-to-you' : 'owed-by-you');
  return { ...sum, claimed: asPositive(claimed), now: asPositive(now), direction };
}

/** The pages of one thing each, for the terminal and the desk: its money, mismatches, history, rows and proof. */

import { hint, note, type Section } from '../../../reports/page.ts';
import { said } from '../../base/sentence.ts';
import { BALANCE_FIGURES, TOTALS_FIGURES } from '../../ledger/queries/closes/figures.ts';
import type { Explained } from '../match/explain.ts';
import type { ShownClose, ShownInvoice, ShownOrder, ShownReceipt, ShownRun } from './index.ts';
import {
  AMOUNT_HEAD,
  amountColumns,
  amountGrid,
  at,
  CURRENCY,
  deskLabel,
  documents,
  facts,
  findings,
  grid,
  HEADER_FIELDS,
  HEADER_FROM_ROWS,
  head,
  label,
  matchEvents,
  moneyCell,
  section,
  state,
  text,
  timeline,
  WHEN,
} from './page-parts.ts';

export function invoicePage(shown: ShownInvoice): Section[] {
  const { detail, missing, rows, charges = [], settled, header_from_rows } = shown;
  // Only an invoice that came as a settlement sheet has `charges`, and it is in no list.
  const lists = shown.charges ? [] : shown.listed;
  // By currency, the header's figures, and the steps to them from the sums of the rows. Of rows with COD 100.00 and a
  // header with 90.00: `order_cod` 100.00, `cod_returns_deducted` -10.00, `cod` 90.00.
  const stated = Object.fromEntries(
    header_from_rows.flatMap(({ currency, steps, ...sums }) => {
      // A currency of rows that come to zero, which the header does not state.
      if (steps.length === 0 && detail?.amounts[currency] === undefined) return [];
      const hasSteps = (figure: string) => steps.some((step) => step.figure === figure);
      const figures = {
        ...detail?.amounts[currency],
        // The sums of the rows are shown only where they differ from the header.
        ...(hasSteps('cod') ? { order_cod: sums.order_cod } : {}),
        ...(hasSteps('delivery_fee') ? { order_delivery_fee: sums.order_delivery_fee } : {}),
        ...Object.fromEntries(steps.map(({ figure, step, amount }) => [`${figure}_${step}`, amount])),
      };
      return [[currency, figures]];
    }),
  );
  const due = Object.fromEntries(settled.map(({ currency, ...figures }) => [currency, figures]));
  return [
    ...section(
      label('money'),
      facts(
        ['period', text(detail?.period, 'month')],
        ['status', state(detail?.status ?? null)],
        ['issued_at', at(detail?.issued_at)],
      ),
      detail ? null : note({ id: 'never-read', why: missing ?? '' }),
      amountGrid(stated, HEADER_FROM_ROWS),
      amountGrid(due, ['due', 'received', 'differences', 'paid_on_word', 'open'], 'open'),
      grid(
        charges,
        [head('label', 'charge'), ({ kind, name }) => text(`${kind} ${name}`)],
        [AMOUNT_HEAD, ({ amount }) => moneyCell(amount)],
        [CURRENCY, ({ currency }) => text(currency)],
      ),
    ),
    ...findings(shown.mismatches),
    ...timeline(
      [
        detail && { at: detail.issued_at, says: { id: 'invoice-issued' } },
        ...shown.versions.map(({ seen_at, version }) => ({
          at: seen_at,
          says: { id: 'invoice-read', version } as const,
        })),
        detail?.vanished_at ? { at: detail.vanished_at, says: { id: 'invoice-gone' } } : null,
        detail?.superseded_at
          ? { at: detail.superseded_at, says: { id: 'replaced', why: detail.superseded_why ?? '' } }
          : null,
        ...shown.matches.flatMap((match) => {
          const { receipts, amount, named } = match;
          // `named`: this invoice's part of an agreed difference.
          return matchEvents(match, [[text(receipts.join(', '), 'receipt'), amount, named]]);
        }),
      ],
      head('text', 'receipt'),
    ),
    ...section(
      deskLabel('rows'),
      grid(
        rows,
        [head('label', 'row'), (row) => text(row.position + 1)],
        [head('text', 'order_id'), (row) => text(row.order_id, 'order')],
        [head('text', 'reference_id'), (row) => text(row.reference_id)],
        [head('text', 'workflow'), (row) => text(row.workflow)],
        [head('text', 'delivery_state'), (row) => state(row.delivery_state)],
        [head('text', 'payment_state'), (row) => state(row.payment_state)],
        ...amountColumns(rows),
      ),
    ),
    ...section(
      deskLabel('in-lists'),
      grid(
        lists,
        [head('label', 'period'), (listed) => text(listed.period, 'month')],
        [head('text', 'status'), (listed) => state(listed.status)],
        [head('text', 'issued_at'), (listed) => at(listed.issued_at)],
        [head('count', 'order_count'), ({ order_count: count }) => (count === null ? null : { count })],
        [head('text', 'vanished_at'), (listed) => at(listed.vanished_at)],
        ...amountColumns(lists, HEADER_FIELDS),
      ),
    ),
    ...documents(shown.documents),
  ];
}

export function orderPage(shown: ShownOrder): Section[] {
  const { record, rows } = shown;
  return [
    ...section(
      deskLabel('order'),
      record
        ? facts(
            ['reference_id', text(record.reference_id)],
            ['workflow', text(record.workflow)],
            ['delivery_state', state(record.delivery_state)],
            ['payment_state', state(record.payment_state)],
            ['merchant_invoice', text(record.merchant_invoice, 'invoice')],
          )
        : note({ id: 'never-in-order-book' }),
      amountGrid(record?.amounts ?? {}, HEADER_FIELDS),
      record?.delivered_amounts ? hint({ id: 'first-seen-delivered' }) : null,
      amountGrid(record?.delivered_amounts ?? {}, HEADER_FIELDS),
    ),
    ...findings(shown.mismatches),
    ...timeline([
      ...(record?.statestamps ?? []).map(({ stamped_at, delivery_state, payment_state }) => ({
        at: stamped_at,
        says: { id: 'order-in-state', states: [delivery_state, payment_state] } as const,
      })),
      ...shown.changes.map((change) => ({
        at: change.seen_at,
        says: {
          id: 'order-moved',
          from: [change.from_delivery_state, change.from_payment_state],
          to: [change.to_delivery_state, change.to_payment_state],
        } as const,
        note: change.what,
      })),
      // Its words fit an order too: no longer listed by the courier.
      record?.vanished_at ? { at: record.vanished_at, says: { id: 'invoice-gone' } } : null,
      record?.superseded_at
        ? { at: record.superseded_at, says: { id: 'replaced', why: record.superseded_why ?? '' } }
        : null,
    ]),
    ...section(
      deskLabel('rows'),
      grid(
        rows,
        [head('label', 'invoice_number'), (row) => text(row.invoice_number_text, 'invoice')],
        [head('count', 'row'), (row) => ({ count: row.position + 1 })],
        [head('text', 'delivery_state'), (row) => state(row.delivery_state)],
        [head('text', 'payment_state'), (row) => state(row.payment_state)],
        ...amountColumns(rows),
      ),
    ),
    ...documents(shown.documents),
  ];
}

export function receiptPage(shown: ShownReceipt): Section[] {
  const { receipt, import: firstImport, seen_in: laterImports, matches, ways, whose, raw, explained } = shown;
  const { currency } = receipt;
  return [
    ...section(
      deskLabel('receipt'),
      facts(
        ['date', at(receipt.date)],
        ['text', text(receipt.text)],
        ['counterparty', text(receipt.counterparty)],
        ['counterparty_account', text(receipt.counterparty_account)],
        ['account', text(receipt.account)],
        ['reference', text(receipt.reference)],
        ['invoice', text(receipt.invoice)],
        ['value_date', at(receipt.value_date)],
      ),
      note({ id: 'receipt-whose', whose, byHand: shown.by_hand }),
      amountGrid({ [currency]: { amount: receipt.amount, left: shown.left } }, ['amount', 'left'], 'left'),
      ways && note({ id: 'receipt-several-ways', tooMany: ways.too_many }),
      ways && grid(ways.ways_text, [head('label', 'invoices'), (way) => text(way.join(' + '))]),
    ),
    ...timeline(
      matches.flatMap((match) =>
        matchEvents(
          match,
          match.invoices.map(({ number_text, amount, named }) => [text(number_text, 'invoice'), amount, named]),
        ),
      ),
    ),
    ...whyThisMatch(explained),
    ...section(
      deskLabel('imports'),
      grid(
        [firstImport, ...laterImports],
        [WHEN, (file) => at(file.at)],
        [head('count', 'import'), ({ id }) => ({ count: id })],
        [head('text', 'source'), ({ source }) => text(source)],
        [head('text', 'format'), ({ format }) => text(format)],
        [head('text', 'actor'), ({ actor }) => text(actor)],
        [head('count', 'line'), (file) => (file === firstImport ? { count: receipt.line } : null)],
        [head('code', 'sha256'), ({ sha256 }) => text(sha256, 'document')],
      ),
      raw === null ? null : hint(said(raw)),
    ).map((one): Section => ({ ...one, isProof: true })),
  ];
}

type Candidate = Explained['tried'][number]['candidates'][number];

const NO_CANDIDATES = { id: 'explained-no-candidates' };

export function whyThisMatch({ said: sentences, tried }: Explained): Section[] {
  const rows = tried.flatMap(({ rule, candidates }) => {
    // A rule without a candidate has a row too.
    const shown: readonly (Candidate | null)[] = candidates.length === 0 ? [null] : candidates;
    return shown.map((candidate) => ({ rule, candidate }));
  });
  const named = (names: readonly (string | number)[], thing: 'invoice' | 'receipt') =>
    text(names.join(' + '), names.length === 1 ? thing : undefined);
  return section(
    deskLabel('why-this-match'),
    ...sentences.map(({ sentence }) => note(JSON.parse(sentence))),
    grid(
      rows,
      [head('label', 'rule'), ({ rule }) => ({ word: 'rule', text: rule })],
      [head('text', 'invoices'), ({ candidate }) => candidate && named(candidate.invoices_text, 'invoice')],
      [head('text', 'receipts'), ({ candidate }) => candidate && named(candidate.receipts, 'receipt')],
      [AMOUNT_HEAD, ({ candidate }) => moneyCell(candidate?.amount)],
      [CURRENCY, ({ candidate }) => text(candidate?.currency)],
      [head('text', 'reason'), ({ candidate: one }) => ({ says: one ? JSON.parse(one.sentence) : NO_CANDIDATES })],
    ),
  ).map((one): Section => ({ ...one, isFolded: true }));
}

export function runPage(run: ShownRun): Section[] {
  return section(
    deskLabel('run'),
    facts(
      ['command', text(run.command)],
      ['period', text(run.period)],
      ['status', { word: 'status', text: run.status }],
      ['started_at', at(run.started_at)],
      ['finished_at', at(run.finished_at)],
      ['remit_version', text(run.remit_version)],
    ),
    grid(
      run.brought,
      [head('label', 'kind'), ({ kind }) => text(kind)],
      [head('count', 'count'), ({ count }) => ({ count })],
    ),
    facts(...countsOf(run.summary)),
  );
}

function countsOf(summary: string | null): (readonly [column: string, value: { readonly count: number } | null])[] {
  const { requests, retries, invoices = {}, orders = {}, malformed, bytes } = JSON.parse(summary ?? '{}');
  const prefixed = (kind: string, counts: object) =>
    Object.entries(counts).map(([name, count]) => [`${kind}_${name}`, count]);
  const all = Object.entries({ requests, retries, malformed, bytes });
  return [...all, ...prefixed('invoices', invoices), ...prefixed('orders', orders)].map(([name, count]) => {
    return [String(name), typeof count === 'number' ? { count } : null];
  });
}

export function closePage({ closes, mismatches }: ShownClose): Section[] {
  const byCurrency = <Figures extends { readonly currency: string }>(figures: readonly Figures[]) =>
    Object.fromEntries(figures.map(({ currency, ...amounts }) => [currency, amounts]));
  const hasSeveralCouriers = new Set(closes.map(({ courier }) => courier)).size > 1;
  return [
    ...closes.flatMap((close) => [
      ...section(
        hasSeveralCouriers ? said(close.courier) : deskLabel('close'),
        facts(
          ['at', at(close.at)],
          ['actor', text(close.actor)],
          ['with_open', text(close.with_open)],
          ['reopened_at', at(close.reopened?.at)],
          ['reopened_by', text(close.reopened?.actor)],
          ['reopened_reason', text(close.reopened?.reason)],
          ['invoices', { count: close.record.figures.counts.invoices }],
          ['orders', { count: close.record.figures.counts.orders }],
        ),
        ...(close.record.with_open?.reasons ?? []).map(({ why }) => note(said(why))),
        amountGrid(byCurrency(close.record.figures.totals), TOTALS_FIGURES),
        amountGrid(byCurrency(close.record.figures.roll_forward), BALANCE_FIGURES, 'closing'),
      ),
      ...section(
        hasSeveralCouriers ? said(close.courier) : label('proof'),
        facts(['figures_sha256', text(close.figures_sha256)], ['chain', text(close.chain)]),
        grid(
          close.record.documents,
          [head('label', 'kind'), ({ kind }) => text(kind)],
          [head('text', 'subject'), ({ subject_text: subject }) => text(subject)],
          [head('code', 'sha256'), ({ sha256 }) => text(sha256, 'document')],
        ),
      ).map((one): Section => ({ ...one, isProof: true })),
    ]),
    ...findings(mismatches, deskLabel('drifted')),
  ];
}

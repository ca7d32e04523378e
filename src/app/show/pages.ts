/** The pages of one thing each, for the terminal and the desk: its money, mismatches, history, rows and proof. */

import type { GridCell, Part, Section } from '../../../reports/page.ts';
import { said } from '../../base/sentence.ts';
import { BALANCE_FIGURES, TOTALS_FIGURES } from '../../ledger/queries/closes/figures.ts';
import type { Explained } from '../match/explain.ts';
import type { ShownClose, ShownInvoice, ShownOrder, ShownReceipt, ShownRun } from './index.ts';
import {
  AMOUNT_HEAD,
  amountGrid,
  amountHeads,
  at,
  CURRENCY,
  deskLabel,
  documents,
  FROM_ROWS,
  facts,
  findings,
  grid,
  HEADER_FIELDS,
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
  const { heads, cells } = amountHeads(rows);
  // An invoice that came as a settlement sheet, with charges, is in no list.
  const lists = shown.charges ? [] : shown.listed;
  const listHeads = amountHeads(lists, HEADER_FIELDS);
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
      detail ? null : { kind: 'note', says: { id: 'never-read', why: missing ?? '' }, isHint: false },
      amountGrid(stated, FROM_ROWS),
      amountGrid(due, ['due', 'received', 'differences', 'paid_on_word', 'open'], 'open'),
      grid(
        [head('label', 'charge'), AMOUNT_HEAD, CURRENCY],
        charges.map(({ kind, name, amount, currency }) => [text(`${kind} ${name}`), moneyCell(amount), text(currency)]),
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
          return matchEvents(match, [[text(receipts.join(', '), 'receipt'), amount, named]]);
        }),
      ],
      head('text', 'receipt'),
    ),
    ...section(
      deskLabel('rows'),
      grid(
        [
          head('label', 'row'),
          head('text', 'order_id'),
          head('text', 'reference_id'),
          head('text', 'workflow'),
          head('text', 'delivery_state'),
          head('text', 'payment_state'),
          ...heads,
        ],
        rows.map((row) => [
          text(row.position + 1),
          text(row.order_id, 'order'),
          text(row.reference_id),
          text(row.workflow),
          state(row.delivery_state),
          state(row.payment_state),
          ...cells(row),
        ]),
      ),
    ),
    ...section(
      deskLabel('in-lists'),
      grid(
        [
          head('label', 'period'),
          head('text', 'status'),
          head('text', 'issued_at'),
          head('count', 'order_count'),
          head('text', 'vanished_at'),
          ...listHeads.heads,
        ],
        lists.map((listed) => [
          text(listed.period, 'month'),
          state(listed.status),
          at(listed.issued_at),
          listed.order_count === null ? null : { count: listed.order_count },
          at(listed.vanished_at),
          ...listHeads.cells(listed),
        ]),
      ),
    ),
    ...documents(shown.documents),
  ];
}

export function orderPage(shown: ShownOrder): Section[] {
  const { record, rows } = shown;
  const { heads, cells } = amountHeads(rows);
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
        : { kind: 'note', says: { id: 'never-in-order-book' }, isHint: false },
      amountGrid(record?.amounts ?? {}, HEADER_FIELDS),
      record?.delivered_amounts ? { kind: 'note', says: { id: 'first-seen-delivered' }, isHint: true } : null,
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
        [
          head('label', 'invoice_number'),
          head('count', 'row'),
          head('text', 'delivery_state'),
          head('text', 'payment_state'),
          ...heads,
        ],
        rows.map((row) => [
          text(row.invoice_number_text, 'invoice'),
          { count: row.position + 1 },
          state(row.delivery_state),
          state(row.payment_state),
          ...cells(row),
        ]),
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
      { kind: 'note', says: { id: 'receipt-whose', whose, byHand: shown.by_hand }, isHint: false },
      amountGrid({ [currency]: { amount: receipt.amount, left: shown.left } }, ['amount', 'left'], 'left'),
      ...(ways
        ? ([
            { kind: 'note', says: { id: 'receipt-several-ways', tooMany: ways.too_many }, isHint: false },
            grid(
              [head('label', 'invoices')],
              ways.ways_text.map((way) => [text(way.join(' + '))]),
            ),
          ] as const)
        : []),
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
        [
          WHEN,
          head('count', 'import'),
          head('text', 'source'),
          head('text', 'format'),
          head('text', 'actor'),
          head('count', 'line'),
          head('code', 'sha256'),
        ],
        [firstImport, ...laterImports].map((file, place) => [
          at(file.at),
          { count: file.id },
          text(file.source),
          text(file.format),
          text(file.actor),
          place === 0 ? { count: receipt.line } : null,
          text(file.sha256, 'document'),
        ]),
      ),
      raw === null ? null : { kind: 'note', says: said(raw), isHint: true },
    ).map((one): Section => ({ ...one, isProof: true })),
  ];
}

export function whyThisMatch({ said: sentences, tried }: Explained): Section[] {
  const rows = tried.flatMap(({ rule, candidates }) => {
    const name: GridCell = { word: 'rule', text: rule };
    if (candidates.length === 0) return [[name, null, null, null, null, { says: { id: 'explained-no-candidates' } }]];
    return candidates.map((one): GridCell[] => [
      name,
      text(one.invoices_text.join(' + '), one.invoices.length === 1 ? 'invoice' : undefined),
      text(one.receipts.join(' + '), one.receipts.length === 1 ? 'receipt' : undefined),
      moneyCell(one.amount),
      text(one.currency),
      { says: JSON.parse(one.sentence) },
    ]);
  });
  return section(
    deskLabel('why-this-match'),
    ...sentences.map(({ sentence }): Part => ({ kind: 'note', says: JSON.parse(sentence), isHint: false })),
    grid(
      [
        head('label', 'rule'),
        head('text', 'invoices'),
        head('text', 'receipts'),
        AMOUNT_HEAD,
        CURRENCY,
        head('text', 'reason'),
      ],
      rows,
    ),
  ).map((one): Section => ({ ...one, isFolded: true }));
}

export function runPage(run: ShownRun): Section[] {
  return [
    ...section(
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
        [head('label', 'kind'), head('count', 'count')],
        run.brought.map(({ kind, count }) => [text(kind), { count }]),
      ),
      facts(...countsOf(run.summary)),
    ),
  ];
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
        ...(close.record.with_open?.reasons ?? []).map(
          ({ why }): Part => ({ kind: 'note', says: said(why), isHint: false }),
        ),
        amountGrid(byCurrency(close.record.figures.totals), TOTALS_FIGURES),
        amountGrid(byCurrency(close.record.figures.roll_forward), BALANCE_FIGURES, 'closing'),
      ),
      ...section(
        hasSeveralCouriers ? said(close.courier) : label('proof'),
        facts(['figures_sha256', text(close.figures_sha256)], ['chain', text(close.chain)]),
        grid(
          [head('label', 'kind'), head('text', 'subject'), head('code', 'sha256')],
          close.record.documents.map((one) => [text(one.kind), text(one.subject_text), text(one.sha256, 'document')]),
        ),
      ).map((one): Section => ({ ...one, isProof: true })),
    ]),
    ...findings(mismatches, deskLabel('drifted')),
  ];
}

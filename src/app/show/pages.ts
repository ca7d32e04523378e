import type { Fact, Grid, GridCell, GridRow, Head, Label, Part, Section, Thing } from '../../../reports/page.ts';
import type { ThingSentence } from '../../../reports/things.ts';
import { said } from '../../base/sentence.ts';
import { parseAmount } from '../../money/decimal.ts';
import type { ShownClose, ShownInvoice, ShownOrder, ShownReceipt, ShownRun } from './index.ts';

/** What is known of one thing, as every medium draws it: its money, what is wrong, what happened, its rows, and the proof. */

const label = (column: string): Label => ({ column });
const words = (says: ThingSentence): GridCell => ({ says });
const text = (value: string | number | null | undefined, thing?: Thing): GridCell =>
  value === null || value === undefined || value === '' ? null : { text: String(value), ...(thing ? { thing } : {}) };
const at = (value: string | null | undefined): GridCell => (value ? { at: value } : null);
const state = (value: string | null): GridCell => (value ? words({ id: 'state', state: value }) : null);
const money = (value: string | null | undefined): GridCell => (value ? { amount: parseAmount(value) } : null);
const head = (is: Head['is'], column: string): Head => ({ is, title: label(column) });

const WHEN = head('label', 'at');
const WHAT = head('text', 'what');
const AMOUNT = head('amount', 'amount');
const CURRENCY = head('text', 'currency');
const NOTE = head('text', 'note');

/** A section of what is there; none where nothing is. */
function section(title: Label, ...parts: readonly (Part | null)[]): Section[] {
  const held = parts.filter((part) => part !== null);
  return held.length === 0 ? [] : [{ title, parts: held }];
}

/** The rows that say something, under heads of which each has something in some row. */
function grid(heads: readonly Head[], rows: readonly (readonly GridCell[])[]): Grid | null {
  if (rows.length === 0) return null;
  const used = [...heads.keys()].filter((place) => place === 0 || rows.some((row) => row[place]));
  return {
    kind: 'grid',
    heads: used.map((place) => heads[place]!),
    rows: rows.map((row): GridRow => ({ figure: '', cells: used.map((place) => row[place] ?? null) })),
  };
}

/** Facts that say something. */
function facts(...all: readonly (readonly [column: string, value: GridCell])[]): Part | null {
  const held = all
    .filter(([, value]) => value !== null)
    .map(([name, value]): Fact => ({ name, label: label(name), value }));
  return held.length === 0 ? null : { kind: 'facts', facts: held };
}

type Amounts = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

/** A field a line, a currency a column. */
function amounts(all: Amounts, fields: readonly string[], total?: string): Grid | null {
  const currencies = Object.keys(all);
  const rows = fields
    .filter((field) => currencies.some((currency) => all[currency]![field] !== undefined))
    .map((field): GridRow => {
      const cells = currencies.map((currency) => money(all[currency]![field]));
      return {
        figure: field,
        ...(field === total ? { look: 'total' as const } : {}),
        cells: [{ says: label(field) }, ...cells],
      };
    });
  if (rows.length === 0) return null;
  const heads = currencies.map((currency): Head => ({ is: 'amount', title: currency }));
  return { kind: 'grid', heads: [head('label', 'figure'), ...heads], rows };
}

const STATED = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

/** The currencies and fields of rows, a column each. */
function amountHeads(rows: readonly { readonly amounts: Amounts }[], fields = STATED.slice(0, 2)) {
  const currencies = [...new Set(rows.flatMap((row) => Object.keys(row.amounts)))].sort();
  const columns = currencies.flatMap((currency) => fields.map((field) => [field, currency] as const));
  return {
    heads: columns.map(([field, currency]): Head => ({ is: 'amount', title: { id: 'field-in', field, currency } })),
    cells: (row: { readonly amounts: Amounts }) =>
      columns.map(([field, currency]) => money(row.amounts[currency]?.[field])),
  };
}

function findings(mismatches: ShownInvoice['mismatches'], title = label('mismatches')): Section[] {
  const heads = [
    head('label', 'id'),
    head('code', 'code'),
    AMOUNT,
    CURRENCY,
    head('text', 'status'),
    head('text', 'message'),
  ];
  const rows = mismatches.map((one): GridCell[] => [
    text(one.id, 'mismatch'),
    text(one.code),
    money(one.effect),
    text(one.effect === null ? null : one.currency),
    { word: 'status', text: one.status },
    text(one.message),
  ]);
  return section(title, grid(heads, rows));
}

function documents(
  received: readonly { readonly at: string; readonly sha256: string | null; readonly fault: string | null }[],
): Section[] {
  const rows = received.map((one) => [at(one.at), text(one.sha256, 'document'), text(one.fault)]);
  return section(label('proof'), grid([head('label', 'received_at'), head('code', 'sha256'), NOTE], rows)).map(
    (one) => ({ ...one, isProof: true }),
  );
}

interface Event {
  readonly at: string;
  readonly says: ThingSentence;
  /** The other side of a match. */
  readonly other?: GridCell;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly note?: string | null;
  readonly by?: string | null;
}

/** What happened, the earliest first. @param other what the other side of a match is called */
function timeline(events: readonly (Event | null)[], other = head('text', 'invoices')): Section[] {
  const held = events.filter((event) => event !== null);
  held.sort((one, next) => (one.at < next.at ? -1 : one.at > next.at ? 1 : 0));
  return section(
    label('history'),
    grid(
      [WHEN, WHAT, other, AMOUNT, CURRENCY, head('text', 'actor'), NOTE],
      held.map((event) => [
        at(event.at),
        words(event.says),
        event.other ?? null,
        money(event.amount),
        text(event.amount ? event.currency : null),
        text(event.by),
        text(event.note),
      ]),
    ),
  );
}

type Match = Pick<
  ShownInvoice['matches'][number],
  | 'id'
  | 'at'
  | 'actor'
  | 'rule'
  | 'why'
  | 'rate'
  | 'paid_currency'
  | 'currency'
  | 'removed_at'
  | 'removed_by'
  | 'removed_why'
>;

/** A match was made, and taken away where it was: an amount of the invoices' currency. */
function matchEvents(made: Match, shares: readonly (readonly [other: GridCell, amount: string])[]): (Event | null)[] {
  const { id: match, at: when, actor: by, rule, why: note, currency, rate, paid_currency: paid } = made;
  const says: ThingSentence = {
    id: 'matched',
    match,
    rule,
    rate: rate === null ? null : `${rate} ${paid} for 1 ${currency}`,
  };
  return [
    ...shares.map(([other, amount]): Event => ({ at: when, says, other, amount, currency, by, note })),
    made.removed_at === null
      ? null
      : { at: made.removed_at, says: { id: 'match-taken-away', why: made.removed_why ?? '' }, by: made.removed_by },
  ];
}

export function invoicePage(shown: ShownInvoice): Section[] {
  const { detail, missing, rows, charges = [], settled } = shown;
  const { heads, cells } = amountHeads(rows);
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
      amounts(detail?.amounts ?? {}, STATED),
      amounts(due, ['due', 'received', 'differences', 'paid_on_word', 'open'], 'open'),
      grid(
        [head('label', 'charge'), AMOUNT, CURRENCY],
        charges.map(({ kind, name, amount, currency }) => [text(`${kind} ${name}`), money(amount), text(currency)]),
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
          const { receipts, amount } = match;
          return matchEvents(match, [[text(receipts.join(', '), 'receipt'), amount]]);
        }),
      ],
      head('text', 'receipt'),
    ),
    ...section(
      label('rows'),
      grid(
        [
          head('label', 'row'),
          head('text', 'order_id'),
          head('text', 'reference_id'),
          head('text', 'delivery_state'),
          ...heads,
        ],
        rows.map((row) => [
          text(row.position + 1),
          text(row.order_id, 'order'),
          text(row.reference_id),
          state(row.delivery_state),
          ...cells(row),
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
      label('order'),
      record
        ? facts(
            ['reference_id', text(record.reference_id)],
            ['workflow', text(record.workflow)],
            ['delivery_state', state(record.delivery_state)],
            ['payment_state', state(record.payment_state)],
            ['merchant_invoice', text(record.merchant_invoice, 'invoice')],
          )
        : { kind: 'note', says: { id: 'never-in-order-book' }, isHint: false },
      amounts(record?.amounts ?? {}, STATED),
      record?.delivered_amounts ? { kind: 'note', says: { id: 'first-seen-delivered' }, isHint: true } : null,
      amounts(record?.delivered_amounts ?? {}, STATED),
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
      record?.vanished_at ? { at: record.vanished_at, says: { id: 'invoice-gone' } } : null,
      record?.superseded_at
        ? { at: record.superseded_at, says: { id: 'replaced', why: record.superseded_why ?? '' } }
        : null,
    ]),
    ...section(
      label('rows'),
      grid(
        [head('label', 'invoice_number'), head('count', 'row'), head('text', 'delivery_state'), ...heads],
        rows.map((row) => [
          text(row.invoice_number_text, 'invoice'),
          { count: row.position + 1 },
          state(row.delivery_state),
          ...cells(row),
        ]),
      ),
    ),
    ...documents(shown.documents),
  ];
}

export function receiptPage(shown: ShownReceipt): Section[] {
  const { receipt, import: file, seen_in: others, matches, ways, whose, raw } = shown;
  const { currency } = receipt;
  return [
    ...section(
      label('receipt'),
      facts(
        ['date', text(receipt.date)],
        ['text', text(receipt.text)],
        ['counterparty', text(receipt.counterparty)],
        ['counterparty_account', text(receipt.counterparty_account)],
        ['account', text(receipt.account)],
        ['reference', text(receipt.reference)],
        ['invoice', text(receipt.invoice)],
        ['value_date', text(receipt.value_date)],
      ),
      { kind: 'note', says: { id: 'receipt-whose', whose, byHand: shown.by_hand }, isHint: false },
      amounts({ [currency]: { amount: receipt.amount, left: shown.left } }, ['amount', 'left'], 'left'),
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
          match.invoices.map(({ number_text, amount }) => [text(number_text, 'invoice'), amount]),
        ),
      ),
    ),
    ...section(
      label('imports'),
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
        [file, ...others].map((one, place) => [
          at(one.at),
          { count: one.id },
          text(one.source),
          text(one.format),
          text(one.actor),
          place === 0 ? { count: receipt.line } : null,
          text(one.sha256, 'document'),
        ]),
      ),
      raw === null ? null : { kind: 'note', says: said(raw), isHint: true },
    ).map((one): Section => ({ ...one, isProof: true })),
  ];
}

export function runPage(run: ShownRun): Section[] {
  return [
    ...section(
      label('run'),
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
      run.summary === null ? null : { kind: 'note', says: said(run.summary), isHint: true },
    ),
  ];
}

export function closePage({ closes, mismatches }: ShownClose): Section[] {
  const frozen = (figures: readonly (Readonly<Record<string, unknown>> & { readonly currency: string })[]) => {
    const names = [...new Set(figures.flatMap((one) => Object.keys(one).filter((name) => name !== 'currency')))];
    const all = Object.fromEntries(figures.map((one) => [one.currency, one as Readonly<Record<string, string>>]));
    return amounts(all, names);
  };
  const several = new Set(closes.map(({ courier }) => courier)).size > 1;
  return [
    ...closes.flatMap((close) => [
      ...section(
        several ? said(close.courier) : label('close'),
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
        frozen(close.record.figures.totals),
        frozen(close.record.figures.roll_forward),
      ),
      ...section(
        label('proof'),
        facts(['figures_sha256', text(close.figures_sha256)], ['chain', text(close.chain)]),
        grid(
          [head('label', 'kind'), head('text', 'subject'), head('code', 'sha256')],
          close.record.documents.map((one) => [text(one.kind), text(one.subject_text), text(one.sha256, 'document')]),
        ),
      ).map((one): Section => ({ ...one, isProof: true })),
    ]),
    ...findings(mismatches, label('drifted')),
  ];
}

import type { Grid, GridCell, Head, Label, PageSentence, Part, Section, Thing } from '../../../reports/page.ts';
import { parseInstant } from '../../base/instant.ts';
import { parseAmount } from '../../money/decimal.ts';
import type { ShownInvoice, ShownReceipt } from './index.ts';

// Short ways to make parts of a page (reports/page.ts): labels, cells of a grid, and heads of its columns. A cell with
// a `thing` is a link to that thing's page at the desk.

/** The label of a column that reports have too (`COLUMNS` of words/terms.ts). */
export const label = (column: string): Label => ({ column });
/** A label from the desk's own words (`DESK` of words/terms.ts). */
export const deskLabel = (word: string): Label => ({ id: 'desk', word });
const words = (says: PageSentence): GridCell => ({ says });
export const text = (value: string | number | null | undefined, thing?: Thing): GridCell =>
  value === null || value === undefined || value === '' ? null : { text: String(value), ...(thing ? { thing } : {}) };
export const at = (value: string | null | undefined): GridCell => (value ? { at: value } : null);
export const state = (value: string | null): GridCell => (value ? words({ id: 'state', state: value }) : null);
export const moneyCell = (value: string | null | undefined): GridCell =>
  value ? { amount: parseAmount(value) } : null;
export const head = (is: Head['is'], column: string): Head => ({ is, title: label(column) });

export const WHEN = head('label', 'at');
const WHAT = head('text', 'what');
export const AMOUNT_HEAD = head('amount', 'amount');
export const CURRENCY = head('text', 'currency');
const NOTE = head('text', 'note');

/** A section of the parts that are not null; an empty list if all are. */
export function section(title: Label, ...parts: readonly (Part | null)[]): Section[] {
  const filled = parts.filter((each) => each !== null);
  return filled.length === 0 ? [] : [{ title, parts: filled }];
}

/** A column of a grid: its head, and its cell of a row. */
type Column<Row> = readonly [head: Head, cellOf: (row: Row) => GridCell];

/** A grid without its empty columns, except the first; null without rows. */
export function grid<Row>(rows: readonly Row[], ...columns: readonly Column<Row>[]): Grid | null {
  if (rows.length === 0) return null;
  const filled = columns.filter(([, cellOf], place) => place === 0 || rows.some((row) => cellOf(row)));
  return {
    kind: 'grid',
    heads: filled.map(([columnHead]) => columnHead),
    rows: rows.map((row) => ({ figure: '', cells: filled.map(([, cellOf]) => cellOf(row)) })),
  };
}

/** A line for each value that is not null, under the title of its column. */
export function facts(...columns: readonly (readonly [column: string, value: GridCell])[]): Part | null {
  const filled = columns
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, label: label(name), value }));
  return filled.length === 0 ? null : { kind: 'facts', facts: filled };
}

/** Amounts as text, by currency and field. */
type AmountsByCurrency = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

/** A grid of amounts: one line per field, one column per currency. @param total the field that is drawn as a total */
export function amountGrid(byCurrency: AmountsByCurrency, fields: readonly string[], total?: string): Grid | null {
  const currencies = Object.keys(byCurrency);
  const rows = fields
    .filter((field) => currencies.some((currency) => byCurrency[currency]![field] !== undefined))
    .map((field) => ({
      figure: field,
      ...(field === total ? { look: 'total' as const } : {}),
      cells: [{ says: label(field) }, ...currencies.map((currency) => moneyCell(byCurrency[currency]![field]))],
    }));
  if (rows.length === 0) return null;
  const heads = currencies.map((currency): Head => ({ is: 'amount', title: currency }));
  return { kind: 'grid', heads: [head('label', 'figure'), ...heads], rows };
}

export const HEADER_FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

const COD_FROM_ROWS = ['order_cod', 'cod_rows_left_out', 'cod_returns_deducted', 'cod_left', 'cod'] as const;
const FEE_FROM_ROWS = [
  'order_delivery_fee',
  'delivery_fee_rows_left_out',
  'delivery_fee_returns_charged',
  'delivery_fee_left',
  'delivery_fee',
] as const;
const NET_FROM_ROWS = ['net_due_to_merchant_returns_apart', 'net_due_to_merchant_left', 'net_due_to_merchant'] as const;

/**
 * The figures of an invoice's header, each after the rows' sum and the steps from there (`left`: unexplained). The net
 * has no such sum: its steps begin at the header's COD less its fee.
 */
export const HEADER_FROM_ROWS = [...COD_FROM_ROWS, ...FEE_FROM_ROWS, ...NET_FROM_ROWS] as const;

interface WithAmounts {
  readonly amounts: AmountsByCurrency;
}

/** Columns for the amounts of rows, one per currency and field (COD and fee if absent). */
export function amountColumns(rows: readonly WithAmounts[], fields: readonly string[] = HEADER_FIELDS.slice(0, 2)) {
  const currencies = [...new Set(rows.flatMap((row) => Object.keys(row.amounts)))].sort();
  return currencies.flatMap((currency) =>
    fields.map(
      (field): Column<WithAmounts> => [
        { is: 'amount', title: { id: 'field-in', field, currency } },
        (row) => moneyCell(row.amounts[currency]?.[field]),
      ],
    ),
  );
}

export function findings(mismatches: ShownInvoice['mismatches'], title = deskLabel('mismatches')): Section[] {
  return section(
    title,
    grid(
      mismatches,
      [head('label', 'id'), ({ id }) => text(id, 'mismatch')],
      [head('code', 'code'), ({ code }) => text(code)],
      [AMOUNT_HEAD, ({ effect }) => moneyCell(effect)],
      [CURRENCY, ({ effect, currency }) => text(effect === null ? null : currency)],
      [head('text', 'status'), ({ status }) => ({ word: 'status', text: status })],
      [head('text', 'message'), ({ sentence }) => ({ says: JSON.parse(sentence) })],
    ),
  );
}

export function documents(
  received: readonly { readonly at: string; readonly sha256: string | null; readonly fault: string | null }[],
): Section[] {
  const shown = grid(
    received,
    [head('label', 'received_at'), (document) => at(document.at)],
    [head('code', 'sha256'), ({ sha256 }) => text(sha256, 'document')],
    [NOTE, ({ fault }) => text(fault)],
  );
  return section(label('proof'), shown).map((proof) => ({ ...proof, isProof: true }));
}

interface Event {
  readonly at: string;
  readonly says: PageSentence;
  /** The invoice or receipt on the other side of a match. */
  readonly counterpart?: GridCell;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly note?: string | null;
  readonly by?: string | null;
}

const timeOf = (instant: string) => parseInstant(instant)?.getTime() ?? 0;

/** What happened, the earliest first. @param counterpartHead heads the column of a match's other side */
export function timeline(events: readonly (Event | null)[], counterpartHead = head('text', 'invoices')): Section[] {
  // Compared as times, because documents state instants with various offsets.
  const happened = events.filter((event) => event !== null).sort((one, next) => timeOf(one.at) - timeOf(next.at));
  return section(
    deskLabel('history'),
    grid(
      happened,
      [WHEN, (event) => at(event.at)],
      [WHAT, ({ says }) => words(says)],
      [counterpartHead, ({ counterpart }) => counterpart ?? null],
      [AMOUNT_HEAD, ({ amount }) => moneyCell(amount)],
      [CURRENCY, ({ amount, currency }) => text(amount ? currency : null)],
      [head('text', 'actor'), ({ by }) => text(by)],
      [NOTE, ({ note }) => text(note)],
    ),
  );
}

type Match = (ShownInvoice | ShownReceipt)['matches'][number];

/**
 * The events of a match or a settlement: that it was made, and that it was taken away again.
 *
 * @param shares what it took off each invoice, in the invoices' currency: by receipts, and by the difference that was
 * agreed
 */
export function matchEvents(
  made: Match,
  shares: readonly (readonly [counterpart: GridCell, amount: string, difference: string])[],
): (Event | null)[] {
  const { id: match, at: when, actor: by, rule, why, note, currency, rate, paid_currency: paid } = made;
  const { difference_kind: kind, removed_at, removed_by, removed_why } = made;
  const isSettlement = rule === 'settled';
  const atRate = rate === null ? null : `${rate} ${paid} for 1 ${currency}`;
  const matched: PageSentence = { id: 'matched', match, rule, rate: atRate };
  const agreed = kind === null ? null : ({ id: 'difference-agreed', match, kind, isSettlement } as const);
  const takenAway: PageSentence = { id: 'match-taken-away', match, why: removed_why ?? '', isSettlement };
  const shared = { at: when, currency, by };
  return [
    ...shares.flatMap(([counterpart, amount, difference]): (Event | null)[] => [
      isSettlement ? null : { ...shared, counterpart, says: matched, amount, note: why },
      agreed === null || parseAmount(difference).isZero()
        ? null
        : { ...shared, counterpart, says: agreed, amount: difference, note },
    ]),
    removed_at === null ? null : { at: removed_at, says: takenAway, by: removed_by },
  ];
}

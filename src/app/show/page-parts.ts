import type {
  Fact,
  Grid,
  GridCell,
  GridRow,
  Head,
  Label,
  PageSentence,
  Part,
  Section,
  Thing,
} from '../../../reports/page.ts';
import { parseInstant } from '../../base/instant.ts';
import { parseAmount } from '../../money/decimal.ts';
import type { ShownInvoice } from './index.ts';

// Short ways to make parts of a page (reports/page.ts): labels, cells of a grid, and heads of its columns.

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

/** A grid without its empty columns, except the first; null without rows. */
export function grid(heads: readonly Head[], rows: readonly (readonly GridCell[])[]): Grid | null {
  if (rows.length === 0) return null;
  const used = [...heads.keys()].filter((place) => place === 0 || rows.some((row) => row[place]));
  return {
    kind: 'grid',
    heads: used.map((place) => heads[place]!),
    rows: rows.map((row): GridRow => ({ figure: '', cells: used.map((place) => row[place] ?? null) })),
  };
}

/** A line for each value that is not null, under the title of its column. */
export function facts(...columns: readonly (readonly [column: string, value: GridCell])[]): Part | null {
  const filled = columns
    .filter(([, value]) => value !== null)
    .map(([name, value]): Fact => ({ name, label: label(name), value }));
  return filled.length === 0 ? null : { kind: 'facts', facts: filled };
}

/** Amounts as text, by currency and field. */
export type AmountsByCurrency = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

/** A grid of amounts: one line per field, one column per currency. @param total the field that is drawn as a total */
export function amountGrid(byCurrency: AmountsByCurrency, fields: readonly string[], total?: string): Grid | null {
  const currencies = Object.keys(byCurrency);
  const rows = fields
    .filter((field) => currencies.some((currency) => byCurrency[currency]![field] !== undefined))
    .map((field): GridRow => {
      const cells = currencies.map((currency) => moneyCell(byCurrency[currency]![field]));
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

export const HEADER_FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

/** The figures of an invoice's header: for each the rows' sum, the steps from there (`left`: unexplained), its own. */
export const FROM_ROWS = [
  ...['order_cod', 'cod_rows_left_out', 'cod_returns_deducted', 'cod_left', 'cod'],
  ...['order_delivery_fee', 'delivery_fee_rows_left_out', 'delivery_fee_returns_charged', 'delivery_fee_left'],
  ...['delivery_fee', 'net_due_to_merchant_returns_apart', 'net_due_to_merchant_left', 'net_due_to_merchant'],
] as const;

/** Columns for the amounts of rows, one per currency and field (COD and fee if absent): heads, and cells of a row. */
export function amountHeads(
  rows: readonly { readonly amounts: AmountsByCurrency }[],
  fields: readonly string[] = HEADER_FIELDS.slice(0, 2),
) {
  const currencies = [...new Set(rows.flatMap((row) => Object.keys(row.amounts)))].sort();
  const columns = currencies.flatMap((currency) => fields.map((field) => [field, currency] as const));
  return {
    heads: columns.map(([field, currency]): Head => ({ is: 'amount', title: { id: 'field-in', field, currency } })),
    cells: (row: { readonly amounts: AmountsByCurrency }) =>
      columns.map(([field, currency]) => moneyCell(row.amounts[currency]?.[field])),
  };
}

export function findings(mismatches: ShownInvoice['mismatches'], title = deskLabel('mismatches')): Section[] {
  const heads = [
    head('label', 'id'),
    head('code', 'code'),
    AMOUNT_HEAD,
    CURRENCY,
    head('text', 'status'),
    head('text', 'message'),
  ];
  const rows = mismatches.map(({ id, code, effect, currency, status, sentence }): GridCell[] => [
    text(id, 'mismatch'),
    text(code),
    moneyCell(effect),
    text(effect === null ? null : currency),
    { word: 'status', text: status },
    { says: JSON.parse(sentence) },
  ]);
  return section(title, grid(heads, rows));
}

export function documents(
  received: readonly { readonly at: string; readonly sha256: string | null; readonly fault: string | null }[],
): Section[] {
  const rows = received.map((document) => [at(document.at), text(document.sha256, 'document'), text(document.fault)]);
  const heads = [head('label', 'received_at'), head('code', 'sha256'), NOTE];
  return section(label('proof'), grid(heads, rows)).map((proof) => ({ ...proof, isProof: true }));
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

/** What happened, the earliest first. @param counterpart the head of the column for the other side of a match */
export function timeline(events: readonly (Event | null)[], counterpart = head('text', 'invoices')): Section[] {
  const happened = events.filter((event) => event !== null);
  // Compared as times, because documents state instants with various offsets.
  happened.sort((one, next) => timeOf(one.at) - timeOf(next.at));
  return section(
    deskLabel('history'),
    grid(
      [WHEN, WHAT, counterpart, AMOUNT_HEAD, CURRENCY, head('text', 'actor'), NOTE],
      happened.map((event) => [
        at(event.at),
        words(event.says),
        event.counterpart ?? null,
        moneyCell(event.amount),
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
  | 'difference_kind'
  | 'note'
  | 'rate'
  | 'paid_currency'
  | 'currency'
  | 'removed_at'
  | 'removed_by'
  | 'removed_why'
>;

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
  const matched: PageSentence = {
    id: 'matched',
    match,
    rule,
    rate: rate === null ? null : `${rate} ${paid} for 1 ${currency}`,
  };
  const agreed = kind === null ? null : ({ id: 'difference-agreed', match, kind, isSettlement } as const);
  const shared = { at: when, currency, by };
  return [
    ...shares.flatMap(([counterpart, amount, difference]): (Event | null)[] => [
      isSettlement ? null : { ...shared, counterpart, says: matched, amount, note: why },
      agreed === null || parseAmount(difference).isZero()
        ? null
        : { ...shared, counterpart, says: agreed, amount: difference, note },
    ]),
    removed_at === null
      ? null
      : {
          at: removed_at,
          says: { id: 'match-taken-away', match, why: removed_why ?? '', isSettlement },
          by: removed_by,
        },
  ];
}

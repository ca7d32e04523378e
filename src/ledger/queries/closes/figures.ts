/** The figures of a month that a close freezes, and the documents behind them. */
import { sql } from 'kysely';
import { lastDayOf } from '../../../base/period.ts';
import { MONEY_FIELDS, ROW_SUM_FIELDS } from '../../../money/fields.ts';
import type { PeriodCloseDocumentTable, PeriodCloseFigureTable } from '../../schema.ts';
import { FLOW_NAMES, type FlowName } from '../balances/balances.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { readClosesInForce } from './closes.ts';

/** The figures of `report totals` in one currency. `paid_on_word`: paid by the courier's Paid flag alone. */
export const TOTALS_FIGURES = [
  ...MONEY_FIELDS,
  ...ROW_SUM_FIELDS,
  'paid',
  'received',
  'differences',
  'paid_on_word',
  'outstanding',
] as const;

export const BALANCE_FIGURES = ['opening', ...FLOW_NAMES, 'closing'] as const;

type TotalsFigure = (typeof TOTALS_FIGURES)[number];

/** A month's figures, as decimal text: the counts, those of `report totals`, and the roll-forward. */
export interface ClosingFigures {
  readonly period: string;
  readonly counts: Readonly<Record<'invoices' | 'orders', number>>;
  readonly totals: readonly ({ readonly currency: string } & Readonly<Record<TotalsFigure, string>>)[];
  readonly roll_forward: readonly ({ readonly currency: string } & Readonly<
    Record<FlowName | 'opening' | 'closing', string>
  >)[];
}

/** The settled part of an invoice's net: received, agreed as a difference, or paid by the courier's Paid flag. */
export interface SettledAtClose {
  readonly invoice: number;
  readonly currency: string;
  readonly amount: string;
}

type FigureRow = Omit<PeriodCloseFigureTable, 'close_id'>;

/** The rows in which a close stores its figures; a count has no currency. */
export function figureRows({ counts, totals, roll_forward }: ClosingFigures): FigureRow[] {
  const rows: FigureRow[] = [];
  for (const [figure, count] of Object.entries(counts)) {
    rows.push({ section: 'counts', currency: '', figure, value: String(count) });
  }
  for (const [section, lines] of [
    ['totals', totals],
    ['roll-forward', roll_forward],
  ] as const) {
    for (const { currency, ...figures } of lines) {
      for (const [figure, value] of Object.entries(figures)) rows.push({ section, currency, figure, value });
    }
  }
  return rows;
}

/** The rows in which a close stores what was settled of each invoice: the figure's name is the invoice's number. */
export function settledRows(settled: readonly SettledAtClose[]): FigureRow[] {
  return settled.map(({ invoice, currency, amount }) => {
    return { section: 'settled', currency, figure: String(invoice), value: amount };
  });
}

/**
 * The documents behind a month's figures: the latest walk over its list, the details of its invoices, and the imports
 * it rests on.
 */
export async function readClosingDocuments(
  db: LedgerReader,
  period: string,
): Promise<Omit<PeriodCloseDocumentTable, 'close_id'>[]> {
  const { id: listing } = await db
    .selectFrom('listing')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('kind', '=', 'invoices')
    .where('period', '=', period)
    .executeTakeFirstOrThrow();
  const invoices = await db
    .selectFrom('invoice')
    .select(['number', 'status', 'detail_evidence_id', 'detail_sha256'])
    .where('period', '=', period)
    .where('vanished_at', 'is', null)
    .orderBy('number')
    .execute();
  return [
    ...(listing === null
      ? []
      : [{ kind: 'listing' as const, subject: period, evidence_id: Number(listing), sha256: null, status: null }]),
    ...invoices.map(({ number, status, detail_evidence_id: evidence_id, detail_sha256: sha256 }) => {
      return { kind: 'invoice' as const, subject: String(number), evidence_id, sha256, status };
    }),
    ...(await readImportsUnder(db, period)),
  ];
}

/**
 * The imports that a month rests on: your orders, prices and rates, each settlement sheet with an invoice of the month
 * or an earlier one, and each file of receipts with a line that is dated in the month, pays an invoice of the month, or
 * is older but came after the close before, so that its money is in this month's balance. Without a close before, each
 * older line counts.
 */
async function readImportsUnder(db: LedgerReader, period: string) {
  const closeBefore = (await readClosesInForce(db)).filter((close) => close.period < period).at(-1);
  const [first, last] = [`${period}-01`, lastDayOf(period)];
  const imports = await db.selectFrom('imported').selectAll().where('undone_at', 'is', null).orderBy('id').execute();
  const cameSince = closeBefore ? sql`l.evidence_id > ${closeBefore.id}` : sql`1 = 1`;
  const receipts = await rowsOf<{ evidence_id: number }>(db)`
    select distinct l.evidence_id from receipt_line l
    where l.replaced_by is null and (
      l.date between ${first} and ${last}
      or (l.date < ${first} and ${cameSince})
      or l.receipt_id in (
        select r.receipt_id from receipt_match_receipt r
        join receipt_match m on m.id = r.match_id
        join receipt_match_invoice s on s.match_id = m.id
        join invoice i on i.number = s.invoice_number
        where m.removed_at is null and i.period = ${period}
      )
    )`;
  const sheets = await rowsOf<{ evidence_id: number }>(db)`
    select distinct v.evidence_id from invoice_version v join invoice i on i.number = v.invoice_number
    where i.period <= ${period}`;
  const relevantFiles = new Set([...receipts, ...sheets].map(({ evidence_id }) => evidence_id));
  // An import has no status: that column has its kind.
  return imports
    .filter(({ kind, id }) => (kind !== 'receipts' && kind !== 'settlement') || relevantFiles.has(id))
    .map(({ id, kind: status, sha256 }) => {
      return { kind: 'import' as const, subject: String(id), evidence_id: id, sha256, status };
    });
}

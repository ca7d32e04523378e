import type { Sentence } from '../../../src/base/sentence.ts';
import type { Row } from '../../model.ts';
import { type Grid, type GridRow, hint, note, type Section, type Where } from '../../page.ts';
import type { Statement } from '../model.ts';
import { COMPARED, type Since } from '../since-last-statement.ts';
import { minuteOf } from './facts.ts';
import { outstandingLabel } from './figures.ts';

/** The label of each figure, null for one that depends on the statement; and how its cell's name in a workbook ends. */
const FIGURES: Readonly<Record<(typeof COMPARED)[number], readonly [label: Sentence | null, name: string]>> = {
  net_due_to_merchant: [{ id: 'statement/net-due' }, 'NET_DUE'],
  outstanding: [null, 'OUTSTANDING'],
  short: [{ id: 'statement/short-or-ahead-unresolved' }, 'SHORT'],
};

/** What changed since the month's last statement: figures then and now, then mismatches, invoices and orders. */
export function sinceSection(statement: Statement, currencies: readonly string[]): Section {
  const { since } = statement;
  const title = { id: 'statement/since' };
  if (since === null) return { title, parts: [note({ id: 'statement/first-statement' })] };
  const rows = [...figureRows(statement, since, currencies), ...mismatchRows(statement, since)];
  return {
    title,
    parts: [
      { kind: 'grid', heads: HEADS, rows },
      ...(since.currencies === null ? [note({ id: 'statement/last-figures-not-kept' })] : []),
      ...sinceSentences(since).map(note),
      hint({ id: 'statement/compared-with', time: minuteOf(since.at), evidence: since.evidenceId }),
    ],
  };
}

/** Several rows of one figure have its label once, in the first of them. */
const labelCell = (says: Sentence, at: number) => (at === 0 ? { says } : null);

/** A row per figure and currency. @param currencies those that the sections above have */
function figureRows(statement: Statement, since: Since, currencies: readonly string[]): GridRow[] {
  return COMPARED.flatMap((figure) =>
    (since.currencies ?? []).map(({ currency, before, now }, at): GridRow => {
      const [says, name] = FIGURES[figure];
      const named = says ?? outstandingLabel(statement);
      // A spreadsheet takes today's figure from the sections above.
      const isStatedAbove = currencies.includes(currency);
      const live = { formula: `${currency}_${name}`, amounts: [now[figure]] };
      const amounts = [
        { amount: before[figure] },
        { amount: now[figure], ...(isStatedAbove ? { live } : {}) },
        { amount: now[figure].minus(before[figure]), live: { change: true as const } },
      ];
      return { figure, cells: [labelCell(named, at), { text: currency }, ...amounts], marks: MOVED };
    }),
  );
}

/** How many mismatches are not resolved: a row per currency, and one for all of them. */
function mismatchRows({ tables }: Statement, { currencies, unresolvedBefore }: Since): GridRow[] {
  // The table has no others. The condition on the status is for those that people resolve in the workbook.
  const unresolved = tables.mismatches.rows as readonly Row[];
  const compared = currencies ?? [];
  const mismatchRow = (at: number, currency: string | null, before: number): GridRow => {
    const now = unresolved.filter((row) => currency === null || row.currency === currency).length;
    const ofCurrency: Where[] = currency === null ? [] : [{ column: 'currency', is: currency }];
    const where = [[...ofCurrency, { column: 'status', not: 'resolved' }]];
    const cells = [
      labelCell({ id: 'statement/mismatches-unresolved' }, at),
      currency === null ? { says: { id: 'statement/all-of-them' } } : { text: currency },
      { count: before },
      { count: now, live: { where } },
      { count: now - before, live: { change: true as const } },
    ];
    return { figure: 'mismatches', cells, marks: MOVED };
  };
  return [
    ...compared.map((line, at) => mismatchRow(at, line.currency, line.unresolvedBefore)),
    mismatchRow(compared.length, null, unresolvedBefore),
  ];
}

const MOVED = [{ test: '<>0', look: 'moved' }] as const;
const HEADS: Grid['heads'] = [
  { is: 'label', title: { id: 'statement/against-last' } },
  { is: 'text', title: { column: 'currency' } },
  { is: 'amount', title: { id: 'statement/then' } },
  { is: 'amount', title: { column: 'now' } },
  { is: 'amount', title: { id: 'statement/change' } },
];

function sinceSentences({ found, resolved, invoices, orders }: Since): Sentence[] {
  const codes = (counts: ReadonlyMap<string, number>) => [...counts].map(([code, count]) => ({ code, count }));
  const sentences: Sentence[] = [];
  if (found.size > 0) sentences.push({ id: 'statement/found-since', codes: codes(found) });
  if (resolved.size > 0) sentences.push({ id: 'statement/resolved-since', codes: codes(resolved) });
  for (const what of ['added', 'restated', 'vanished', 'back', 'status'] as const) {
    const numbers = invoices[what];
    if (numbers.length > 0) sentences.push({ id: 'statement/invoices-since', what, numbers });
  }
  if (orders > 0) sentences.push({ id: 'statement/orders-since', count: orders });
  return sentences.length > 0 ? sentences : [{ id: 'statement/nothing-since' }];
}

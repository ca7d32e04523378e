import type { ExactDecimal } from '../../../src/money/decimal.ts';
import { type GridCell, type GridRow, hint, type Section, type Where } from '../../page.ts';
import type { Statement } from '../model.ts';
import { ZERO } from './figures.ts';

/** The name of the cell with the number of open errors. */
export const ERRORS_OPEN = 'ERRORS_OPEN';

/** How many mismatches are not resolved, and their effects; below, the claims that were written off. */
export function mismatchesSection(statement: Statement, currencies: readonly string[]): Section {
  const { mismatches, writtenOff, movedSinceClose } = statement;
  const countCell = (count: number, where: readonly Where[]) => ({ count, live: { where: [where] } });
  const effectCells = (effect: ReadonlyMap<string, ExactDecimal>, [first, ...others]: readonly [Where, ...Where[]]) =>
    currencies.map((currency): GridCell => {
      const ofCurrency = [first, { column: 'currency', is: currency }, ...others];
      return { amount: effect.get(currency) ?? ZERO, live: { of: 'mismatches', sum: ['effect'], where: ofCurrency } };
    });
  const rows = mismatches.map(({ severity, open, acknowledged, effect }): GridRow => {
    const ofSeverity: Where = { column: 'severity', is: { id: 'statement/severity', severity } };
    const unresolved: [Where, Where] = [ofSeverity, { column: 'status', not: 'resolved' }];
    const openCell = countCell(open, [ofSeverity, { column: 'status', is: 'open' }]);
    return {
      figure: severity,
      cells: [
        { says: { id: 'statement/severity-line', severity } },
        severity === 'error' ? { ...openCell, name: ERRORS_OPEN } : openCell,
        countCell(acknowledged, [ofSeverity, { column: 'status', is: 'acknowledged' }]),
        ...effectCells(effect, unresolved),
        { rows: unresolved },
      ],
    };
  });
  if (writtenOff) {
    // The cell goes on with the day of the write-off.
    const where: Where = {
      column: 'claim',
      begins: { id: 'claim-state', state: 'written-off', answer: null, on: '' },
    };
    const says = { id: 'statement/written-off' };
    const cells = [{ says }, countCell(writtenOff.count, [where]), null, ...effectCells(writtenOff.effect, [where])];
    rows.push({ figure: 'written-off', cells: [...cells, { rows: [where] }] });
  }
  return {
    title: { id: 'statement/mismatches' },
    parts: [
      {
        kind: 'grid',
        heads: [
          { is: 'label', title: { id: 'statement/not-resolved' } },
          { is: 'count', title: { column: 'open' } },
          { is: 'count', title: { id: 'statement/acknowledged' } },
          ...currencies.map((currency) => ({ is: 'amount' as const, title: { id: 'statement/effect-in', currency } })),
          { is: 'rows', title: { id: 'statement/where' } },
        ],
        rows,
      },
      hint({ id: 'statement/effect-hint' }),
      ...(movedSinceClose ? [hint({ id: 'mismatches-since-close' })] : []),
    ],
  };
}

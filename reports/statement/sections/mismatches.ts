import type { ExactDecimal } from '../../../src/money/decimal.ts';
import { type GridCell, type GridRow, hint, type Section, type Where } from '../../page.ts';
import type { Statement } from '../model.ts';
import { ZERO } from './figures.ts';

/** The name of the cell with the number of open errors. */
export const ERRORS_OPEN = 'ERRORS_OPEN';

/** How many mismatches are not resolved, and their effects; below, the claims that were written off. */
export function mismatchesSection(statement: Statement, currencies: readonly string[]): Section {
  const { mismatches, writtenOff, movedSinceClose } = statement;
  const count = (count: number, where: readonly Where[], name?: string): GridCell => {
    return { count, live: { where: [where] }, ...(name === undefined ? {} : { name }) };
  };
  const effects = (effect: ReadonlyMap<string, ExactDecimal>, where: readonly Where[]) =>
    currencies.map((currency): GridCell => {
      const ofCurrency = [...where.slice(0, 1), { column: 'currency', is: currency }, ...where.slice(1)];
      return { amount: effect.get(currency) ?? ZERO, live: { of: 'mismatches', sum: ['effect'], where: ofCurrency } };
    });
  const rows = mismatches.map(({ severity, open, acknowledged, effect }): GridRow => {
    const ofSeverity: Where = { column: 'severity', is: { id: 'statement/severity', severity } };
    const unresolved = [ofSeverity, { column: 'status', not: 'resolved' }];
    return {
      figure: severity,
      cells: [
        { says: { id: 'statement/severity-line', severity } },
        count(open, [ofSeverity, { column: 'status', is: 'open' }], severity === 'error' ? ERRORS_OPEN : undefined),
        count(acknowledged, [ofSeverity, { column: 'status', is: 'acknowledged' }]),
        ...effects(effect, unresolved),
        { rows: unresolved },
      ],
    };
  });
  if (writtenOff) {
    const where: Where = {
      column: 'claim',
      begins: { id: 'claim-state', state: 'written-off', answer: null, on: '' },
    };
    const says = { id: 'statement/written-off' };
    const cells = [{ says }, count(writtenOff.count, [where]), null, ...effects(writtenOff.effect, [where])];
    rows.push({ figure: 'written-off', cells: [...cells, { rows: [where] }] });
  }
  return {
    title: { id: 'statement/mismatches' },
    parts: [
      {
        kind: 'grid',
        heads: [
          { is: 'label', title: { id: 'statement/not-resolved' } },
          { is: 'count', title: { id: 'statement/open' } },
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

import { groupBy } from '../../../src/base/group.ts';
import { type Sentence, said } from '../../../src/base/sentence.ts';
import { type ExactDecimal, ZERO } from '../../../src/money/decimal.ts';
import { type Grid, type GridCell, type GridRow, hint, note, type Section, type Where } from '../../page.ts';
import type { Statement } from '../model.ts';
import type { SigningPage } from '../signing-page.ts';

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

/** The largest open findings by cause, and how many more causes there are. */
export function causesSection({ causes, otherCauses }: SigningPage): Section {
  const title = { id: 'statement/causes' };
  if (causes.length === 0) return { title, parts: [note({ id: 'statement/no-open-finding' })] };
  const rows = causes.map(({ code, cause, count, currency, amount }): GridRow => {
    const where = [
      { column: 'cause', is: cause, isLabel: true as const },
      { column: 'code', is: code },
      { column: 'currency', is: currency ?? '' },
      { column: 'status', not: 'resolved' },
    ];
    const isMoney = amount !== null && !amount.isZero();
    return {
      figure: code,
      cells: [
        { says: cause },
        isMoney ? { amount, live: { of: 'mismatches', sum: ['amount'], where } } : null,
        isMoney ? { text: currency ?? '' } : null,
        { count, live: { where: [where] } },
        { text: code },
      ],
    };
  });
  const others = otherCauses > 0 ? [hint({ id: 'statement/other-causes', count: otherCauses })] : [];
  return { title, parts: [{ kind: 'grid', heads: CAUSE_HEADS, rows }, ...others] };
}

const CAUSE_HEADS: Grid['heads'] = [
  { is: 'label', title: { column: 'cause' } },
  { is: 'amount', title: { column: 'amount' } },
  { is: 'text', title: { column: 'currency' } },
  { is: 'count', title: { id: 'statement/found' } },
  { is: 'code', title: { column: 'code' } },
];

/** The checks that could not be run, by reason, and what could not be compared. */
export function notCheckedSection({ skipped, uncompared }: Statement): Section {
  const facts = byReason(skipped).map(({ why, codes }) => {
    return { name: 'skipped', label: said(codes.join(', ')), value: { says: why } };
  });
  return {
    title: { id: 'statement/not-checked' },
    parts: [
      facts.length === 0 ? note({ id: 'statement/all-checks-run' }) : { kind: 'facts', facts },
      ...uncompared.map((why) => note({ id: 'statement/as-sentence', says: why })),
      hint({ id: 'statement/own-side-hint' }),
    ],
  };
}

/** The checks that could not be run, together where the reason is the same. */
export function byReason(skipped: Statement['skipped']): { why: Sentence; codes: string[] }[] {
  const reasons = groupBy(skipped, ({ why }) => JSON.stringify(why));
  return [...reasons.values()].map((checks) => ({ why: checks[0]!.why, codes: checks.map(({ code }) => code) }));
}

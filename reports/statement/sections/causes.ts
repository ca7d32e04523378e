import { type Grid, type GridRow, hint, note, type Section } from '../../page.ts';
import type { SigningPage } from '../signing-page.ts';

/** The largest open findings by cause, and how many causes more there are. */
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
  return { title, parts: [{ kind: 'grid', heads: HEADS, rows }, ...others] };
}

const HEADS: Grid['heads'] = [
  { is: 'label', title: { column: 'cause' } },
  { is: 'amount', title: { column: 'amount' } },
  { is: 'text', title: { column: 'currency' } },
  { is: 'count', title: { id: 'statement/found' } },
  { is: 'code', title: { column: 'code' } },
];

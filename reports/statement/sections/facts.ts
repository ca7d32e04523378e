import { lastDayOf } from '../../../src/base/period.ts';
import { type Sentence, said } from '../../../src/base/sentence.ts';
import { nameOf } from '../../names.ts';
import type { Fact } from '../../page.ts';
import type { Statement } from '../model.ts';

/** Whose month it is, closed or not, and what a reader must know before trusting its figures. */
export function monthFacts({ month, names, closed, asOf, warnings }: Statement): Fact[] {
  const status: Sentence = closed
    ? { id: 'statement/closed', by: closed.by, time: minuteOf(closed.at), withOpen: closed.with_open }
    : { id: 'statement/draft' };
  const fact = (name: string, label: Sentence, says: Sentence): Fact => ({ name, label, value: { says } });
  return [
    fact('merchant', { id: 'statement/merchant' }, nameOf(names.merchant)),
    fact('courier', { id: 'statement/courier' }, nameOf(names.courier)),
    fact('period', { id: 'statement/period' }, { id: 'statement/days', from: `${month}-01`, to: lastDayOf(month) }),
    fact('status', { id: 'statement/status' }, status),
    fact('as-of', { id: 'statement/as-of' }, { id: 'statement/as-of-time', time: minuteOf(asOf) }),
    ...warnings.map((warning, at): Fact => {
      return { name: 'warning', label: at === 0 ? { id: 'statement/warnings' } : null, value: { says: warning } };
    }),
  ];
}

/** What each figure means. */
export function definitions(): Fact[] {
  return DEFINED.map((term) => {
    return { name: term, label: { id: 'statement/term', term }, value: { says: { id: 'statement/definition', term } } };
  });
}

/** Where a statement comes from: the version that made it, and the newest evidence, with which it can be made again. */
export function originFacts({ names, remitVersion, ledgerVersion, returns, head, closed }: Statement): Fact[] {
  const fact = (label: Sentence, says: Sentence): Fact => ({ name: label.id, label, value: { says } });
  return [
    fact({ id: 'statement/courier' }, nameOf(names.courier)),
    ...(returns === null ? [] : [fact({ id: 'statement/returns' }, returns)]),
    fact({ id: 'statement/made-by' }, said(`remit ${remitVersion}`)),
    fact({ id: 'statement/ledger-version' }, said(ledgerVersion)),
    fact(
      { id: 'statement/evidence' },
      head === null
        ? { id: 'statement/no-evidence' }
        : { id: 'statement/evidence-row', row: head.id, chain: head.chain },
    ),
    ...(closed === null ? [] : [fact({ id: 'statement/closed-head' }, said(closed.chain))]),
  ];
}

/** `2026-11-03 09:15` of an instant in UTC. */
export function minuteOf(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}

/** The terms that the last page defines, in order. */
const DEFINED = [
  'cod',
  'delivery-fees',
  'net-due',
  'received',
  'outstanding',
  'net-of-orders',
  'courier-figure',
  'own-figure',
  'explained',
  'short-or-ahead',
  'unexplained',
  'month',
  'exactness',
] as const;
export type Defined = (typeof DEFINED)[number];

import { lastDayOf } from '../../../src/base/period.ts';
import { type Sentence, said } from '../../../src/base/sentence.ts';
import { nameOf } from '../../names.ts';
import type { Fact } from '../../page.ts';
import type { Statement } from '../model.ts';

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

/** Whose month it is, closed or not, and what a reader must know before trusting its figures. */
export function monthFacts(statement: Pick<Statement, 'month' | 'names' | 'closed' | 'asOf' | 'warnings'>): Fact[] {
  const { month, names, closed, asOf, warnings } = statement;
  const status: Sentence = closed
    ? { id: 'statement/closed', by: closed.by, time: minuteOf(closed.at), withOpen: closed.with_open }
    : { id: 'statement/draft' };
  return [
    fact('merchant', nameOf(names.merchant)),
    fact('courier', nameOf(names.courier)),
    fact('period', { id: 'statement/days', from: `${month}-01`, to: lastDayOf(month) }),
    fact('status', status),
    fact('as-of', { id: 'statement/as-of-time', time: minuteOf(asOf) }),
    ...warnings.map((warning, place): Fact => {
      return { name: 'warning', label: place === 0 ? { id: 'statement/warnings' } : null, value: { says: warning } };
    }),
  ];
}

/** What each figure means. */
export function definitions(): Fact[] {
  return DEFINED.map((term) => {
    return { name: term, label: { id: 'statement/term', term }, value: { says: { id: 'statement/definition', term } } };
  });
}

/** What a statement can be made again with: how the courier counts returns, the versions, the newest evidence. */
export function originFacts({ names, remitVersion, ledgerVersion, returns, head, closed }: Statement): Fact[] {
  return [
    fact('courier', nameOf(names.courier)),
    ...(returns === null ? [] : [fact('returns', returns)]),
    fact('made-by', said(`remit ${remitVersion}`)),
    fact('ledger-version', said(ledgerVersion)),
    fact(
      'evidence',
      head === null
        ? { id: 'statement/no-evidence' }
        : { id: 'statement/evidence-row', row: head.id, chain: head.chain },
    ),
    ...(closed === null ? [] : [fact('closed-head', said(closed.chain))]),
  ];
}

const fact = (name: string, says: Sentence): Fact => ({ name, label: { id: `statement/${name}` }, value: { says } });

/** Shortens an instant in UTC to its minute: `2026-11-03 09:15`. */
export function minuteOf(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}

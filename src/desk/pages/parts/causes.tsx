import type { VNode } from 'preact';
import type { Sentence } from '../../../base/sentence.ts';
import type { Severity } from '../../../base/states.ts';
import { amountText } from '../../../render/figures.ts';
import type { DeskContext } from '../../context.ts';
import { SeverityBadge } from './badge.tsx';
import { RowsTable } from './table.tsx';
import { usePage } from './words.ts';

interface Cause {
  readonly courier?: string | undefined;
  readonly code: string;
  readonly says: Sentence;
  readonly severity: Severity;
  readonly count: number;
  readonly currency: string | null;
  /** The money at stake; null if none is. */
  readonly amount: string | null;
}

interface CausesProps {
  readonly causes: readonly Cause[];
  /** The filters by which the causes were found, which their links keep: `{ month: '2026-10' }`. */
  readonly narrowed: Readonly<Record<string, string>>;
  /** Whether the month is closed: severities are then left out, because they say what keeps a month open. */
  readonly isClosed?: boolean;
}

export function Causes({ causes, narrowed, isClosed = false }: CausesProps): VNode {
  const { desk, language, word } = usePage();
  return (
    <RowsTable
      label={word('by-cause')}
      class="list causes"
      rows={causes}
      columns={[
        {
          title: word('cause'),
          class: 'wide',
          isHead: true,
          cell: (cause) => <a href={causeAddress(cause, narrowed, desk)}>{language.say(cause.says)}</a>,
        },
        !isClosed && { title: word('severity'), cell: ({ severity }) => <SeverityBadge of={severity} /> },
        { title: word('found'), class: 'figure', cell: ({ count }) => count },
        { title: word('at-stake'), class: 'figure', cell: ({ amount }) => amount && amountText(amount) },
        { title: word('currency'), cell: ({ currency }) => currency },
      ]}
    />
  );
}

/** The address of the list of mismatches, narrowed to a cause. */
function causeAddress(
  { says, courier, code, currency, severity }: Cause,
  narrowed: CausesProps['narrowed'],
  { couriers }: DeskContext,
): string {
  const query = new URLSearchParams(narrowed);
  if (couriers.length > 1 && courier !== undefined) query.set('courier', courier);
  for (const [name, value] of Object.entries({ code, currency, severity })) if (value) query.set(name, value);
  const { invoice = null, order = null } = says as { readonly invoice?: unknown; readonly order?: unknown };
  if (invoice !== null) query.set('invoice', String(invoice));
  else if (order !== null) query.set('order', String(order));
  return `/mismatches?${query}`;
}

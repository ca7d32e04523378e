import type { VNode } from 'preact';
import type { Sentence } from '../../../base/sentence.ts';
import { amountText } from '../../../render/figures.ts';
import type { DeskContext } from '../../context.ts';
import { RowsTable } from './table.tsx';
import { usePage } from './words.ts';

interface Cause {
  readonly says: Sentence;
  /** The list of its mismatches. */
  readonly address: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly count: number;
  readonly currency: string | null;
  /** The money at stake; null if none is. */
  readonly amount: string | null;
}

interface CausesProps {
  readonly causes: readonly Cause[];
  /** Whether the month is closed: severities are then left out, because they say what keeps a month open. */
  readonly isClosed?: boolean;
}

/** Causes of mismatches, each with a link to the list of them. */
export function Causes({ causes, isClosed = false }: CausesProps): VNode {
  const { language, word } = usePage();
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
          cell: ({ says, address }) => <a href={address}>{language.say(says)}</a>,
        },
        !isClosed && { title: word('severity'), cell: ({ severity }) => <SeverityBadge of={severity} /> },
        { title: word('found'), class: 'figure', cell: ({ count }) => count },
        { title: word('at-stake'), class: 'figure', cell: ({ amount }) => amount && amountText(amount) },
        { title: word('currency'), cell: ({ currency }) => currency },
      ]}
    />
  );
}

export function SeverityBadge({ of }: { readonly of: Cause['severity'] }): VNode {
  return <span class={`badge ${of}`}>{usePage().word(of)}</span>;
}

/**
 * The address of the list of mismatches, narrowed to a cause.
 *
 * @param narrowed the parameters of the list in which the cause is shown: `{ month: '2026-10' }`
 */
export function causeAddress(
  says: Sentence,
  group: Pick<Cause, 'severity' | 'currency'> & {
    readonly courier?: string | undefined;
    readonly code: string;
  },
  narrowed: Readonly<Record<string, string>>,
  desk: DeskContext,
): string {
  const query = new URLSearchParams(narrowed);
  if (desk.couriers.length > 1 && group.courier !== undefined) query.set('courier', group.courier);
  const { code, currency, severity } = group;
  for (const [name, value] of Object.entries({ code, currency, severity })) if (value) query.set(name, value);
  const { invoice = null, order = null } = says as { readonly invoice?: unknown; readonly order?: unknown };
  if (invoice !== null) query.set('invoice', String(invoice));
  else if (order !== null) query.set('order', String(order));
  return `/mismatches?${query}`;
}

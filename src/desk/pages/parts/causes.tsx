import type { VNode } from 'preact';
import type { Sentence } from '../../../base/sentence.ts';
import { amountText } from '../../../render/figures.ts';
import { Figure, HtmlTable } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import { Scrolls } from './scrolls.tsx';
import { SeverityBadge } from './severity.tsx';
import { wordsOf } from './words.ts';

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
  readonly desk: DeskContext;
  /** Whether the month is closed: severities are then left out, because they say what keeps a month open. */
  readonly isClosed?: boolean;
}

/** Causes of mismatches, each with a link to the list of them. */
export function Causes({ causes, desk, isClosed = false }: CausesProps): VNode {
  const { language, word } = wordsOf(desk);
  const heads = [
    { title: word('cause') },
    ...(isClosed ? [] : [{ title: word('severity') }]),
    { title: word('found'), class: 'figure' },
    { title: word('at-stake'), class: 'figure' },
    { title: word('currency') },
  ];
  return (
    <Scrolls label={word('by-cause')}>
      <HtmlTable class="list causes" heads={heads}>
        {causes.map(({ says, address, severity, count, currency, amount }) => (
          <tr>
            <th scope="row" class="wide">
              <a href={address}>{language.say(says)}</a>
            </th>
            {!isClosed && (
              <td data-label={word('severity')}>
                <SeverityBadge of={severity} desk={desk} />
              </td>
            )}
            <td class="figure" data-label={word('found')}>
              {count}
            </td>
            <Figure of={amount === null ? null : amountText(amount)} label={word('at-stake')} />
            <td data-label={word('currency')}>{currency}</td>
          </tr>
        ))}
      </HtmlTable>
    </Scrolls>
  );
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

import type { VNode } from 'preact';
import type { PageLine } from '../../../../reports/statement/bridge.ts';
import { countGrouped } from '../../../base/counted.ts';
import { type ExactDecimal, formatGrouped } from '../../../money/index.ts';
import type { Language } from '../../../words/index.ts';
import { Table } from '../../html/table.tsx';
import { lineInWords } from '../step.ts';

/** A line of a block: what it is, its code in a column of its own, how many, and an amount a currency. */
export interface BlockLine {
  readonly label: string;
  readonly code?: string | null;
  readonly count?: number | null;
  readonly amounts: PageLine['amounts'];
  readonly look?: 'sum' | 'total';
}

const LOOKS: Readonly<Record<string, 'sum' | 'total'>> = {
  difference: 'sum',
  explained: 'sum',
  'not-compared': 'sum',
  unexplained: 'total',
  short: 'total',
};
const WITHOUT_CODE: readonly string[] = ['other-steps', 'outside', 'not-compared'];

/** Lines of the bridge as a block has them. */
export function bridgeBlock(lines: readonly PageLine[], language: Language): BlockLine[] {
  return lines.map((line) => {
    const { figure, count } = line;
    const look = LOOKS[figure];
    const code = count === null || WITHOUT_CODE.includes(figure) ? null : figure;
    return { ...line, label: lineInWords(line, language), code, ...(look ? { look } : {}) };
  });
}

export interface BlockProps {
  readonly title: string;
  readonly currencies: readonly string[];
  readonly lines: readonly BlockLine[];
  /** Headings of the columns of codes and counts; absent where it has none. */
  readonly codes?: string;
  readonly counts?: string;
  /** What a cell says whose amount is not known. */
  readonly unknown?: string;
}

/** A table of figures, an amount a currency. */
export function Block({ title, currencies, lines, codes, counts, unknown = '' }: BlockProps): VNode {
  const heads = [
    { title },
    ...(codes === undefined ? [] : [{ title: codes, class: 'codes' }]),
    ...(counts === undefined ? [] : [{ title: counts, class: 'figure count' }]),
    ...currencies.map((currency) => ({ title: currency, class: 'figure amount' })),
  ];
  return (
    <Table class="block" heads={heads}>
      {lines.map(({ label, code, count, amounts, look }) => (
        <tr class={look}>
          <th scope="row">{label}</th>
          {codes !== undefined && <td class="code">{code}</td>}
          {counts !== undefined && <td class="figure">{count == null ? '' : countGrouped(count)}</td>}
          {currencies.map((currency) => (
            <Amount amount={amounts.get(currency)} unknown={unknown} />
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** An amount; `unknown` where it is null, nothing where the line has none. */
function Amount(props: { readonly amount: ExactDecimal | null | undefined; readonly unknown: string }): VNode {
  const { amount, unknown } = props;
  if (amount === null) return <td class="figure unknown">{unknown}</td>;
  return <td class="figure">{amount && formatGrouped(amount)}</td>;
}

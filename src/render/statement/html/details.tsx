import type { ComponentChildren, VNode } from 'preact';
import { basisNotes, NOTHING_SETTLED, settledAmounts } from '../../../../reports/settlement-figures.ts';
import { bridgeLines, shortLines } from '../../../../reports/statement/bridge.ts';
import type { SigningPage } from '../../../../reports/statement/page.ts';
import { type CurrencySince, STATED } from '../../../../reports/statement/since.ts';
import { statedOtherwise } from '../../../../reports/sums.ts';
import { countGrouped } from '../../../base/counted.ts';
import { groupBy } from '../../../base/group.ts';
import { lastDayOf } from '../../../base/period.ts';
import { ExactDecimal, formatGrouped } from '../../../money/index.ts';
import type { Language } from '../../../words/index.ts';
import { Table } from '../../html/table.tsx';
import type { SaidStatement } from '../in-language.ts';
import { SINCE_LABELS, sinceSentences } from '../since.ts';
import { uncomparedLines } from '../uncompared.ts';
import { Facts } from './about.tsx';
import { Block, type BlockLine, bridgeBlock } from './blocks.tsx';

const ZERO = new ExactDecimal(0);

/** What the page that one signs has no room for: the invoices' figures, each step of the bridge, what changed, what was not checked. */
export function Details(props: DetailsProps): VNode {
  const of = { statement: props.statement, currencies: props.page.currencies, language: props.language };
  return (
    <>
      <MonthFacts {...of} />
      <Due {...of} />
      <Bridge {...of} />
      <Since {...of} />
      <Mismatches {...of} />
      <NotChecked {...of} />
      <History {...of} />
    </>
  );
}

interface DetailsProps {
  readonly statement: SaidStatement;
  readonly page: SigningPage;
  readonly language: Language;
}

interface Of {
  readonly statement: SaidStatement;
  readonly currencies: readonly string[];
  readonly language: Language;
}

function Hint({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="hint">{children}</p>;
}

function MonthFacts({ statement: { month, asOf, warnings }, language: { say } }: Of): VNode {
  const time = asOf.slice(0, 16).replace('T', ' ');
  const days = say({ id: 'statement/days', from: `${month}-01`, to: lastDayOf(month) });
  return (
    <Facts
      of={[
        [say({ id: 'statement/period' }), days],
        [say({ id: 'statement/as-of' }), say({ id: 'statement/as-of-time', time })],
        ...warnings.map((warning) => [say({ id: 'statement/warnings' }), say(warning)] as const),
      ]}
    />
  );
}

function Due({ statement, currencies, language: { say } }: Of): VNode {
  const { totals, settled, bridgeSince } = statement;
  const heading = <h3>{say({ id: bridgeSince ? 'statement/due-at-close' : 'statement/due' })}</h3>;
  if (totals.currencies.length === 0) {
    return (
      <>
        {heading}
        <p>{say({ id: 'statement/no-invoice' })}</p>
      </>
    );
  }
  const headers = (figure: 'cod' | 'delivery_fee' | 'net_due_to_merchant') =>
    amounts(currencies, (currency) => totals.currencies.find((one) => one.currency === currency)?.[figure] ?? ZERO);
  const otherwise = amounts(currencies, (currency) => {
    const due = totals.currencies.find((one) => one.currency === currency);
    return due ? statedOtherwise(due) : ZERO;
  });
  const parts = (figure: 'received' | 'differences' | 'paid_on_word' | 'outstanding') =>
    amounts(currencies, (currency) => settledAmounts(settled.get(currency) ?? NOTHING_SETTLED)[figure]);
  const line = (id: DueLabel, of: BlockLine['amounts'], look?: 'total'): BlockLine => ({
    label: say({ id }),
    amounts: of,
    ...(look ? { look } : {}),
  });
  const bases = currencies.map((currency) => settled.get(currency)?.basis ?? NOTHING_SETTLED.basis);
  const { invoices, orders } = totals;
  return (
    <>
      {heading}
      <Block
        title={say({ id: 'statement/as-invoices-state' })}
        currencies={currencies}
        lines={[
          line('statement/cod', headers('cod')),
          line('statement/delivery-fees', headers('delivery_fee')),
          ...([...otherwise.values()].every((amount) => amount?.isZero())
            ? []
            : [line('statement/net-otherwise', otherwise)]),
          line('statement/net-due', headers('net_due_to_merchant'), 'total'),
          line('statement/of-which-received', parts('received')),
          line('statement/of-which-differences', parts('differences')),
          line('statement/of-which-paid', parts('paid_on_word')),
          line('statement/of-which-outstanding', parts('outstanding')),
        ]}
      />
      <Hint>{say({ id: 'statement/counts', invoices, orders })}</Hint>
      {basisNotes(bases).map((note) => (
        <Hint>{say(note)}</Hint>
      ))}
    </>
  );
}

type DueLabel =
  | 'statement/cod'
  | 'statement/delivery-fees'
  | 'statement/net-otherwise'
  | 'statement/net-due'
  | 'statement/of-which-received'
  | 'statement/of-which-differences'
  | 'statement/of-which-paid'
  | 'statement/of-which-outstanding';

function amounts(currencies: readonly string[], of: (currency: string) => ExactDecimal | null): BlockLine['amounts'] {
  return new Map(currencies.map((currency) => [currency, of(currency)]));
}

function Bridge({ statement, currencies, language }: Of): VNode {
  const { say } = language;
  const { proof, bridgeSince } = statement;
  const of = { currencies, codes: codeTitle(statement), counts: say({ id: 'statement/found' }) };
  return (
    <>
      <h3>{say({ id: 'statement/bridge' })}</h3>
      <Block
        title={say({ id: 'statement/computed-twice' })}
        unknown={say({ id: 'statement/no-own-record' })}
        lines={bridgeBlock(bridgeLines(proof, null), language)}
        {...of}
      />
      {bridgeSince && <Hint>{say({ id: 'bridge-since-close', moved: bridgeSince })}</Hint>}
      <h3>{say({ id: 'statement/outside' })}</h3>
      <Block
        title={say({ id: 'statement/result-of-month' })}
        lines={bridgeBlock(shortLines(proof, { isWhole: true }), language)}
        {...of}
      />
      {proof.every(({ outside }) => outside.length === 0) && <Hint>{say({ id: 'statement/nothing-outside' })}</Hint>}
      <Hint>{say({ id: 'statement/effects' })}</Hint>
    </>
  );
}

function codeTitle({ tables }: SaidStatement): string {
  return tables.mismatches.columns.find(({ name }) => name === 'code')?.title ?? '';
}

function Since({ statement: { since: news }, language: { say } }: Of): VNode {
  const title = <h3>{say({ id: 'statement/since' })}</h3>;
  if (news === null) {
    return (
      <>
        {title}
        <p>{say({ id: 'statement/first-statement' })}</p>
      </>
    );
  }
  const heads = [
    { title: say({ id: 'statement/against-last' }) },
    { title: say({ id: 'statement/currency' }) },
    ...(['statement/then', 'statement/now', 'statement/change'] as const).map((id) => ({
      title: say({ id }),
      class: 'figure',
    })),
  ];
  const currencies = news.currencies ?? [];
  const time = news.at.slice(0, 16).replace('T', ' ');
  return (
    <>
      {title}
      {currencies.length === 0 ? (
        <Hint>{say({ id: 'statement/last-figures-not-kept' })}</Hint>
      ) : (
        <Table class="block" heads={heads}>
          {STATED.flatMap((figure) =>
            currencies.map((since) => <Moved label={say(SINCE_LABELS[figure])} figure={figure} since={since} />),
          )}
        </Table>
      )}
      {sinceSentences(news).map((sentence) => (
        <p>{say(sentence)}</p>
      ))}
      <Hint>{say({ id: 'statement/compared-with', time, evidence: news.evidenceId })}</Hint>
    </>
  );
}

function Moved(props: {
  readonly label: string;
  readonly figure: (typeof STATED)[number];
  readonly since: CurrencySince;
}): VNode {
  const { label, figure, since } = props;
  const { currency, before, now } = since;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{currency}</td>
      {[before[figure], now[figure], now[figure].minus(before[figure])].map((each) => (
        <td class="figure">{formatGrouped(each)}</td>
      ))}
    </tr>
  );
}

function Mismatches({ statement, currencies, language: { say } }: Of): VNode {
  const heads = [
    { title: say({ id: 'statement/not-resolved' }) },
    { title: say({ id: 'statement/open' }), class: 'figure' },
    { title: say({ id: 'statement/acknowledged' }), class: 'figure' },
    ...currencies.map((currency) => ({ title: say({ id: 'statement/effect-in', currency }), class: 'figure' })),
  ];
  const row = (label: string, counts: readonly (number | null)[], effect: ReadonlyMap<string, ExactDecimal>) => (
    <tr>
      <th scope="row">{label}</th>
      {counts.map((count) => (
        <td class="figure">{count !== null && countGrouped(count)}</td>
      ))}
      {currencies.map((currency) => (
        <td class="figure">{formatGrouped(effect.get(currency) ?? ZERO)}</td>
      ))}
    </tr>
  );
  const { writtenOff } = statement;
  return (
    <>
      <h3>{say({ id: 'statement/mismatches' })}</h3>
      <Table class="block" heads={heads}>
        {statement.mismatches.map(({ severity, open, acknowledged, effect }) =>
          row(say({ id: 'statement/severity-line', severity }), [open, acknowledged], effect),
        )}
        {writtenOff && row(say({ id: 'statement/written-off' }), [writtenOff.count, null], writtenOff.effect)}
      </Table>
      <Hint>{say({ id: 'statement/effect-hint' })}</Hint>
      {statement.bridgeSince && <Hint>{say({ id: 'mismatches-since-close' })}</Hint>}
    </>
  );
}

function NotChecked({ statement, language }: Of): VNode {
  const { skipped } = statement;
  const { say } = language;
  const reasons = [...groupBy(skipped, ({ why }) => JSON.stringify(why)).values()];
  return (
    <>
      <h3>{say({ id: 'statement/not-checked' })}</h3>
      {reasons.length === 0 ? (
        <p>{say({ id: 'statement/all-checks-run' })}</p>
      ) : (
        <Table class="block">
          {reasons.map((own) => (
            <tr>
              <th scope="row">{say(own[0]!.why)}</th>
              <td class="codes">
                {own.map(({ code }, place) => (
                  <>
                    {place > 0 && ' '}
                    <span>{code}</span>
                  </>
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {uncomparedLines(statement, language).map((line) => (
        <p>{line}</p>
      ))}
      <Hint>{say({ id: 'statement/own-side-hint' })}</Hint>
    </>
  );
}

const MONTHLY = {
  cod: 'statement/cod',
  delivery_fee: 'statement/delivery-fees',
  net_due_to_merchant: 'statement/net-due-of-month',
} as const;
const MONTHLY_FIGURES = Object.keys(MONTHLY) as (keyof typeof MONTHLY)[];

function History({ statement: { history: months }, currencies, language: { say } }: Of): VNode | null {
  if (months.length === 0) return null;
  const heads = [
    { title: say({ id: 'statement/month' }) },
    ...MONTHLY_FIGURES.map((figure) => ({ title: say({ id: MONTHLY[figure] }), class: 'figure' })),
  ];
  return (
    <>
      {currencies.map((currency) => (
        <>
          <h3>{say({ id: 'statement/months-of', currency })}</h3>
          <Table class="block" heads={heads}>
            {months.map(({ period, currencies: sums }) => {
              const own = sums?.find((one) => one.currency === currency);
              return (
                <tr>
                  <th scope="row" class="code">
                    {period}
                  </th>
                  {MONTHLY_FIGURES.map((figure) => (
                    <td class="figure">{sums && formatGrouped(own?.[figure] ?? ZERO)}</td>
                  ))}
                </tr>
              );
            })}
          </Table>
        </>
      ))}
    </>
  );
}

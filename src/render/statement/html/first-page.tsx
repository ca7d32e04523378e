import type { ComponentChildren, VNode } from 'preact';
import type { SigningPage } from '../../../../reports/statement/page.ts';
import { countGrouped } from '../../../base/counted.ts';
import { cleanText } from '../../../base/text.ts';
import { formatGrouped } from '../../../money/index.ts';
import type { Language } from '../../../words/index.ts';
import { type Head, Table } from '../../html/table.tsx';
import { readImage } from '../../image.ts';
import type { SaidStatement } from '../in-language.ts';
import { balanceLabel } from '../page-blocks.ts';
import { notProven } from '../result.ts';
import { Block, type BlockProps, bridgeBlock } from './blocks.tsx';

const LONGEST_CAUSE = 160;
const MOST_WARNINGS = 3;
const LEAST_AMOUNT_MM = 24;
const PADDING_MM = 3;
const MM_A_DIGIT = 1.72;

interface PartProps {
  readonly statement: SaidStatement;
  readonly page: SigningPage;
  readonly language: Language;
}

/** The page that one signs: whose month it is, the balance, what is short, the bridge, the open findings, the signatures. */
export function FirstPage(props: PartProps): VNode {
  const { currencies, blocks } = props.page;
  const look = blocks.length > 1 ? 'first blocks' : currencies.length > 2 ? 'first dense' : 'first';
  return (
    <section class={look} style={`--amount: ${amountWidth(props.page).toFixed(1)}mm`}>
      <Header {...props} />
      <Balance {...props} />
      <Results {...props} />
      <Bridge {...props} />
      <Causes {...props} />
      <Signatures {...props} />
    </section>
  );
}

/** The width of a column of amounts, in millimetres: that of the longest. */
function amountWidth({ balance, later, bridge, short }: SigningPage): number {
  const texts = [...balance, ...later, ...bridge, ...short].flatMap(({ amounts }) =>
    [...amounts.values()].map((amount) => (amount === null ? 0 : formatGrouped(amount).length)),
  );
  return Math.max(LEAST_AMOUNT_MM, PADDING_MM + MM_A_DIGIT * Math.max(...texts, 0));
}

/** The tables of a block's lines: one for as many currencies as stand side by side. */
function Blocks({ page: { blocks }, ...of }: { readonly page: SigningPage } & Omit<BlockProps, 'currencies'>): VNode {
  return (
    <>
      {blocks.map((currencies) => (
        <Block currencies={currencies} {...of} />
      ))}
    </>
  );
}

function Header({ statement, page: { blocks }, language: { say, month: inWords } }: PartProps): VNode {
  const { organisation, merchant, courier, month, closed, warnings } = statement;
  const image = organisation.logo && readImage(organisation.logo);
  const data = image && Buffer.from(image.bytes).toString('base64');
  const status = closed
    ? say({
        id: 'statement/closed',
        by: closed.by,
        time: closed.at.slice(0, 16).replace('T', ' '),
        withOpen: closed.with_open && cleanText(closed.with_open, LONGEST_CAUSE),
      })
    : say({ id: 'statement/draft' });
  return (
    <header>
      {image && <img alt="" src={`data:image/${image.kind};base64,${data}`} />}
      <h1>{say({ id: 'statement/heading', monthInWords: inWords(month) })}</h1>
      <dl>
        <Fact label={say({ id: 'statement/merchant' })}>
          <bdi>{merchant}</bdi>
        </Fact>
        <Fact label={say({ id: 'statement/courier' })}>
          <bdi>{courier}</bdi>
        </Fact>
        <Fact label={say({ id: 'statement/status' })}>
          <strong>{status}</strong>
        </Fact>
        {warnings.slice(0, blocks.length > 1 ? 1 : MOST_WARNINGS).map((warning, place) => (
          <Fact label={place === 0 ? say({ id: 'statement/warnings' }) : ''}>{shortened(say(warning))}</Fact>
        ))}
      </dl>
    </header>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Balance({ statement, page, language }: PartProps): VNode {
  const { say } = language;
  if (page.balance.length === 0) return <p>{say({ id: 'statement/no-money' })}</p>;
  return (
    <Blocks
      title={say({ id: 'statement/balance' })}
      page={page}
      lines={[
        ...page.balance.map((line) => ({
          ...line,
          label: balanceLabel(line, statement, language),
          count: null,
          ...(line.figure === 'closing' ? { look: 'total' as const } : {}),
        })),
        ...page.later.map((line) => ({ ...line, label: balanceLabel(line, statement, language) })),
      ]}
    />
  );
}

function Results({ page: { results }, language: { say } }: PartProps): VNode {
  return (
    <div class="results">
      {results.map((result) => {
        const { currency, short } = result;
        const side = short.isZero() ? 'even' : short.isNegative() ? 'short' : 'ahead';
        return (
          <p class={`result ${side}`}>
            {say({ id: 'statement/side', currency, side })}
            {!short.isZero() && (
              <>
                {' '}
                <bdi>{formatGrouped(short.abs())}</bdi>
              </>
            )}
            {notProven(result, say)}
          </p>
        );
      })}
    </div>
  );
}

function Bridge({ statement, page, language }: PartProps): VNode | null {
  const { bridge, short, currencies } = page;
  if (bridge.length === 0) return null;
  const { say } = language;
  // Where there is no room for the codes, the details have them.
  const codes = currencies.length > 2 ? {} : { codes: '' };
  const of = { page, ...codes, unknown: say({ id: 'statement/no-own-record' }) };
  const block = (
    <>
      <Blocks title={say({ id: 'statement/bridge' })} lines={bridgeBlock(bridge, language)} {...of} />
      <Blocks title={say({ id: 'statement/result-of-month' })} lines={bridgeBlock(short, language)} {...of} />
    </>
  );
  if (!statement.bridgeSince) return block;
  return (
    <>
      {block}
      <p class="hint">{say({ id: 'bridge-since-close', moved: statement.bridgeSince })}</p>
    </>
  );
}

function Causes({ statement: { tables }, page, language: { say } }: PartProps): VNode {
  const title = say({ id: 'statement/causes' });
  if (page.causes.length === 0) {
    return (
      <>
        <h2>{title}</h2>
        <p>{say({ id: 'statement/no-open-finding' })}</p>
      </>
    );
  }
  const heads: Head[] = [
    { title },
    { title: tables.mismatches.columns.find(({ name }) => name === 'code')?.title ?? '' },
    { title: say({ id: 'statement/found' }), class: 'figure count' },
    { title: say({ id: 'statement/amount' }), class: 'figure amount' },
    { title: '' },
  ];
  const { otherCauses: count } = page;
  return (
    <>
      <Table class="block causes" heads={heads}>
        {page.causes.map((cause) => {
          const amount = cause.amount === null || cause.amount.isZero() ? '' : formatGrouped(cause.amount);
          return (
            <tr>
              <th scope="row">{shortened(say(cause.cause))}</th>
              <td class="code">{cause.code}</td>
              <td class="figure">{countGrouped(cause.count)}</td>
              <td class="figure">{amount}</td>
              <td>{amount !== '' && cause.currency}</td>
            </tr>
          );
        })}
      </Table>
      {count > 0 && <p class="hint">{say({ id: 'statement/other-causes', count })}</p>}
    </>
  );
}

function shortened(text: string): string {
  return text.length > LONGEST_CAUSE ? `${text.slice(0, LONGEST_CAUSE - 1)}…` : text;
}

function Signatures({ language: { say } }: PartProps): VNode {
  return (
    <>
      <div class="signatures">
        {(['statement/prepared-by', 'statement/reviewed-by'] as const).map((id) => (
          <div>
            <span>{say({ id })}</span>
            <i />
            <span>{say({ id: 'statement/date' })}</span>
            <i class="date" />
          </div>
        ))}
      </div>
      <p class="hint">{say({ id: 'statement/sign-after' })}</p>
    </>
  );
}

import type { VNode } from 'preact';
import { BUCKETS } from '../../../../reports/ageing.ts';
import { ExactDecimal, parseAmount } from '../../../money/decimal.ts';
import { formatGrouped } from '../../../money/format.ts';
import { BarTable, barOf, mostOf } from '../../../render/html/dashboard/bars.tsx';
import { Figure, Table } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import type { HomeModel } from '../../models.ts';
import { Scrolls } from '../parts/scrolls.tsx';
import { wordsOf } from '../parts/words.ts';

/** The last months, as many as a page shows. */
export const MONTHS_SHOWN = 12;
const ONE = new ExactDecimal(1);

type Row = HomeModel['table']['rows'][number];

/** Two charts a courier and currency: the net due of the last months beside what was received for them, and the open balance by age. */
export function Charts({ model, desk }: { readonly model: HomeModel; readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
  const whose = [
    ...new Map(
      model.table.rows.flatMap(({ courier, currency }) =>
        currency === null ? [] : [[`${courier} ${currency}`, { courier, currency }] as const],
      ),
    ).values(),
  ];
  const isOf = (one: (typeof whose)[number]) => (row: Row) =>
    row.courier === one.courier && row.currency === one.currency;
  return (
    <div class="charts">
      {whose.map((one) => {
        const of = `currency=${one.currency}${desk.couriers.length > 1 ? `&courier=${one.courier}` : ''}`;
        const name = `${desk.couriers.length > 1 ? `${one.courier} · ` : ''}${one.currency}`;
        const ages = model.ageing.totals.find(isOf(one));
        return (
          <>
            <DueChart
              rows={model.table.rows.filter(isOf(one)).slice(-MONTHS_SHOWN)}
              title={`${word('due-and-received')} · ${name}`}
              of={of}
              desk={desk}
            />
            {ages && (
              <AgeChart
                row={ages}
                unallocated={model.ageing.rows.find(isOf(one))}
                model={model}
                title={`${word('open-by-age')} · ${name}`}
                of={of}
                desk={desk}
              />
            )}
          </>
        );
      })}
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  /** Whose it is, in an address. */
  readonly of: string;
  readonly desk: DeskContext;
}

/** Two bars a month, with their figures beside them. */
function DueChart({ rows, title, of, desk }: ChartProps & { readonly rows: readonly Row[] }): VNode {
  const { language, word } = wordsOf(desk);
  const months = rows.map(({ period, net_due_to_merchant: due, received }) => ({
    period: String(period),
    due: parseAmount(String(due)),
    received: parseAmount(String(received ?? '0')),
  }));
  const most = mostOf(
    months.flatMap(({ due, received }) => [due, received]),
    ONE,
  );
  const heads = [
    { title: word('month') },
    { title: <span class="unseen">{title}</span> },
    { title: word('due'), class: 'figure due' },
    { title: word('received'), class: 'figure done' },
  ];
  return (
    <Scrolls label={title}>
      <Table class="bars" caption={title} heads={heads}>
        {months.map(({ period, due, received }) => (
          <tr>
            <th scope="row">{language.month(period)}</th>
            <td class="bar">
              {barOf(due, most, due.isNegative() ? 'bad' : 'due')}
              {barOf(received, most, received.isNegative() ? 'bad' : 'done')}
            </td>
            <Figure of={formatGrouped(due)} address={`/reports/invoices?month=${period}&${of}`} />
            <Figure of={formatGrouped(received)} address={`/reports/invoices?month=${period}&${of}`} />
          </tr>
        ))}
      </Table>
    </Scrolls>
  );
}

interface AgeChartProps extends ChartProps {
  readonly row: Row;
  /** The receipts that no invoice explains, which have no age. */
  readonly unallocated: Row | undefined;
  readonly model: HomeModel;
}

/** The balance at the end of the last month, by the age of its invoices. */
function AgeChart({ row, unallocated, model, title: caption, of, desk }: AgeChartProps): VNode {
  const { language } = wordsOf(desk);
  const { columns } = model.ageing.said(desk.language);
  const parts = [
    ...BUCKETS.map(({ name }) => ({
      label: columns.find((column) => column.name === name)?.title ?? name,
      amount: parseAmount(String(row[name] ?? '0')),
    })),
    ...(unallocated
      ? [{ label: language.label({ column: 'unallocated' }), amount: parseAmount(String(unallocated.open)) }]
      : []),
  ];
  const most = mostOf(
    parts.map(({ amount }) => amount),
    ONE,
  );
  return (
    <section>
      <BarTable
        caption={caption}
        lines={parts.map(({ label, amount }) => ({
          label,
          bar: barOf(amount, most, amount.isNegative() ? 'bad' : 'due'),
          figure: formatGrouped(amount),
          address: `/reports/ageing?${of}`,
        }))}
      />
    </section>
  );
}

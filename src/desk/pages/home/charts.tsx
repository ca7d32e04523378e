import type { VNode } from 'preact';
import { BUCKETS } from '../../../../reports/ageing.ts';
import { lastDayOf } from '../../../base/period.ts';
import { formatGrouped, parseAmount } from '../../../money/decimal.ts';
import { BarTable, barLine, barOf, largestSize } from '../../../render/html/dashboard/bars.tsx';
import { Figure, HtmlTable } from '../../../render/html/table.tsx';
import { tableInWords } from '../../desk-table.ts';
import type { HomeModel } from '../../models.ts';
import { Scrolls } from '../parts/table.tsx';
import { dated, usePage } from '../parts/words.ts';

/** How many of the last months the first page shows. */
export const MONTHS_SHOWN = 12;

type Row = HomeModel['table']['rows'][number];

/** Two charts for each courier and currency: net due and received of the last months, and the open balance by age. */
export function Charts({ model }: { readonly model: HomeModel }): VNode {
  const { desk, word } = usePage();
  // One row for each courier and currency, whichever: only these two are read of it.
  const balances = new Map<string, Row>();
  for (const row of model.table.rows) {
    if (row.currency !== null) balances.set(`${row.courier} ${row.currency}`, row);
  }
  const hasSeveralCouriers = desk.couriers.length > 1;
  const lastMonth = model.months.at(-1)?.period;
  // Of a month that is not over, the report counts ages to a day to come: the caption says which.
  const agesAt = lastMonth === undefined ? '' : ` · ${dated(lastDayOf(lastMonth), desk)}`;
  return (
    <div class="charts">
      {[...balances.values()].map(({ courier, currency }) => {
        const filter = `currency=${currency}${hasSeveralCouriers ? `&courier=${courier}` : ''}`;
        const name = hasSeveralCouriers ? `${courier} · ${currency}` : `${currency}`;
        const isOfBalance = (row: Row) => row.courier === courier && row.currency === currency;
        const ages = model.ageing.totals.find(isOfBalance);
        // The only rows that the model has of this report are about receipts that no invoice explains.
        const unallocated = model.ageing.rows.find(isOfBalance);
        return (
          <>
            <DueChart
              rows={model.table.rows.filter(isOfBalance).slice(-MONTHS_SHOWN)}
              title={`${word('due-and-received')} · ${name}`}
              filter={filter}
            />
            {ages && (
              <AgeChart
                row={ages}
                unallocated={unallocated}
                model={model}
                title={`${word('open-by-age')}${agesAt} · ${name}`}
                filter={filter}
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
  /** Parameters that narrow a report to the chart's courier and currency. */
  readonly filter: string;
}

/** Two bars a month, followed by their figures. */
function DueChart({ rows, title, filter }: ChartProps & { readonly rows: readonly Row[] }): VNode {
  const { language, word } = usePage();
  const months = rows.map(({ period, net_due_to_merchant: due, received }) => ({
    period: String(period),
    due: parseAmount(String(due)),
    received: parseAmount(String(received ?? '0')),
  }));
  const largest = largestSize(months.flatMap(({ due, received }) => [due, received]));
  const addressOf = (period: string) => `/reports/invoices?month=${period}&${filter}`;
  const heads = [
    { title: word('month') },
    { title: <span class="unseen">{title}</span> },
    { title: word('due'), class: 'figure due' },
    { title: word('received'), class: 'figure done' },
  ];
  return (
    <Scrolls label={title}>
      <HtmlTable class="bars list" caption={title} heads={heads}>
        {months.map(({ period, due, received }) => (
          <tr>
            <th scope="row">{language.month(period)}</th>
            <td class="bar">
              {barOf(due, largest, due.isNegative() ? 'bad' : 'due')}
              {barOf(received, largest, received.isNegative() ? 'bad' : 'done')}
            </td>
            <Figure of={formatGrouped(due)} address={addressOf(period)} label={word('due')} />
            <Figure of={formatGrouped(received)} address={addressOf(period)} label={word('received')} />
          </tr>
        ))}
      </HtmlTable>
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
function AgeChart({ row, unallocated, model, title: caption, filter }: AgeChartProps): VNode {
  const { desk, language } = usePage();
  const { columns } = tableInWords(model.ageing, desk.language);
  const parts = [
    ...BUCKETS.map(({ name }) => ({
      label: columns.find((column) => column.name === name)?.title ?? name,
      amount: parseAmount(String(row[name] ?? '0')),
    })),
    ...(unallocated
      ? [{ label: language.label({ column: 'unallocated' }), amount: parseAmount(String(unallocated.open)) }]
      : []),
  ];
  const largest = largestSize(parts.map(({ amount }) => amount));
  return (
    <section>
      <BarTable
        caption={caption}
        lines={parts.map(({ label, amount }) => ({
          ...barLine(label, amount, largest, amount.isNegative() ? 'bad' : 'due'),
          address: `/reports/ageing?${filter}`,
        }))}
      />
    </section>
  );
}

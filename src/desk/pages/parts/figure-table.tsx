import type { VNode } from 'preact';
import { cellText } from '../../../render/html/report-cells.tsx';
import { Table } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import type { DeskTable } from '../../table.ts';
import { Scrolls } from './scrolls.tsx';
import { wordsOf } from './words.ts';

interface FigureTableProps {
  readonly table: DeskTable;
  readonly desk: DeskContext;
  readonly caption: string;
}

/** A few rows of a report turned round: a figure a line, a currency a column. */
export function FigureTable({ table, desk, caption }: FigureTableProps): VNode {
  const { word } = wordsOf(desk);
  const { columns, rows, notes } = table.said(desk.language);
  if (rows.length === 0) return <p>{word('nothing')}</p>;
  const hasCouriers = new Set(rows.map(({ courier }) => courier)).size > 1;
  const heads = [
    { title: word('figure') },
    ...rows.map(({ courier, currency }) => ({
      title: hasCouriers ? `${courier} · ${currency}` : String(currency ?? ''),
      class: 'figure',
    })),
  ];
  const lines = columns.filter(({ type }) => type === 'money' || type === 'count');
  const isSum = (name: string) => name === 'opening' || name === 'closing' || name === 'outstanding';
  return (
    <>
      <Scrolls label={caption}>
        <Table class="figures" heads={heads}>
          {lines.map((column) => (
            <tr class={isSum(column.name) ? 'sum' : undefined}>
              <th scope="row">{column.title}</th>
              {rows.map((row) => (
                <td class="figure">{cellText(column, row)}</td>
              ))}
            </tr>
          ))}
        </Table>
      </Scrolls>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

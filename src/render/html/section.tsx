import type { VNode } from 'preact';
import type { Fact, Grid, GridCell, GridRow, Head, Part, Section } from '../../../reports/page.ts';
import { countGrouped } from '../../base/counted.ts';
import { instantForPeople } from '../../base/instant.ts';
import { formatGrouped } from '../../money/index.ts';
import type { Language } from '../../words/index.ts';
import { Table } from './table.tsx';

interface SectionProps {
  readonly section: Section;
  readonly language: Language;
}

/** A section under its heading. */
export function SectionOf({ section: { title, parts }, language }: SectionProps): VNode {
  return (
    <>
      <h3>{language.say(title)}</h3>
      {parts.map((part) => (
        <PartOf part={part} language={language} />
      ))}
    </>
  );
}

/** Figures, facts or a note. */
export function PartOf({ part, language }: { readonly part: Part; readonly language: Language }): VNode {
  if (part.kind === 'facts') return <Facts facts={part.facts} language={language} />;
  if (part.kind === 'grid') return <GridOf grid={part} language={language} />;
  return <p class={part.isHint ? 'hint' : undefined}>{language.say(part.says)}</p>;
}

/** A text without such a letter is an address, a version or a number, whose signs stay in their places on a page from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** What is what: names beside what they mean. */
export function Facts({ facts, language }: { facts: readonly Fact[]; readonly language: Language }): VNode {
  return (
    <dl>
      {facts.map(({ label, value }) => {
        const text = cellText(value, language);
        return (
          <div>
            <dt>{label && language.say(label)}</dt>
            <dd>{RIGHT_TO_LEFT.test(text) ? text : <bdi dir="ltr">{text}</bdi>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

interface GridProps {
  readonly grid: Grid;
  readonly language: Language;
  readonly class?: string;
  readonly caption?: string;
  /** The most characters of a row's name. */
  readonly longest?: number;
  /** Where a row's name leads. */
  readonly linkOf?: (row: GridRow) => string | null;
}

/** What only a workbook draws. */
const UNDRAWN: readonly Head['is'][] = ['rows', 'bar'];
/** On a page codes and counts stand before amounts, which end at its edge. */
const ORDER: readonly Head['is'][] = ['label', 'code', 'count'];
const CLASSES: Readonly<Partial<Record<Head['is'], string>>> = {
  code: 'codes',
  count: 'figure count',
  amount: 'figure amount',
};

/** Figures in rows and columns. */
export function GridOf(props: GridProps): VNode {
  const { grid, language, class: look, caption, longest = Number.POSITIVE_INFINITY, linkOf = () => null } = props;
  const { heads, rows } = grid;
  const place = (at: number) => (ORDER.includes(heads[at]!.is) ? ORDER.indexOf(heads[at]!.is) : ORDER.length);
  const columns = [...heads.keys()]
    .filter((at) => !UNDRAWN.includes(heads[at]!.is))
    .sort((a, b) => place(a) - place(b));
  const titleOf = ({ title }: Head) => (typeof title === 'string' ? title : language.say(title));
  return (
    <Table
      class={look ? `block ${look}` : 'block'}
      caption={caption}
      heads={columns.map((at) => ({ title: titleOf(heads[at]!), class: CLASSES[heads[at]!.is] }))}
    >
      {rows.map((row) => (
        <RowOf row={row} heads={heads} columns={columns} language={language} longest={longest} link={linkOf(row)} />
      ))}
    </Table>
  );
}

interface RowProps {
  readonly row: GridRow;
  readonly heads: readonly Head[];
  readonly columns: readonly number[];
  readonly longest: number;
  readonly link: string | null;
  readonly language: Language;
}

function RowOf({ row, heads, columns, language, longest, link }: RowProps): VNode {
  const { cells } = row;
  const [label = null] = cells;
  const name = shortened(cellText(label, language), longest);
  if (cells.length === 1) {
    return (
      <tr>
        <td class="hint" colSpan={columns.length}>
          {name}
        </td>
      </tr>
    );
  }
  return (
    <tr class={lookOf(row)}>
      <th scope="row">{link === null ? name : <a href={link}>{name}</a>}</th>
      {columns.slice(1).map((at) => (
        <CellOf cell={cells[at] ?? null} head={heads[at]!} language={language} />
      ))}
    </tr>
  );
}

/** How a row looks, and by its first amount. */
function lookOf({ look, marks = [], cells }: GridRow): string | undefined {
  const amount = cells.flatMap((cell) => (cell && 'amount' in cell && cell.amount ? [cell.amount] : []))[0];
  const holds = {
    '<0': amount?.isNegative() && !amount.isZero(),
    '<>0': amount?.isZero() === false,
    '=0': amount?.isZero(),
  };
  const marked = marks.filter(({ test }) => holds[test]).map((mark) => mark.look);
  return [...(look && look !== 'step' ? [look] : []), ...marked].join(' ') || undefined;
}

interface CellProps {
  readonly cell: GridCell;
  readonly head: Head;
  readonly language: Language;
}

function CellOf({ cell, head: { is }, language }: CellProps): VNode {
  const look = is === 'code' ? 'code' : is === 'text' ? undefined : 'figure';
  const isUnknown = cell !== null && 'amount' in cell && cell.amount === null;
  return <td class={isUnknown ? 'figure unknown' : look}>{cellText(cell, language)}</td>;
}

export function cellText(cell: GridCell, { say }: Language): string {
  if (cell === null || 'rows' in cell || 'bar' in cell) return '';
  if ('says' in cell) return say(cell.says);
  if ('text' in cell) return cell.text;
  if ('at' in cell) return instantForPeople(cell.at);
  if ('count' in cell) return countGrouped(cell.count);
  if (cell.amount === null) return cell.unknown ? say(cell.unknown) : '';
  return formatGrouped(cell.amount);
}

export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

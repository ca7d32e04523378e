import type { ComponentChildren, VNode } from 'preact';
import type { Fact, Grid, GridCell, GridRow, Head, Part, Section, Thing } from '../../../reports/page.ts';
import type { Language } from '../../words/index.ts';
import { gridCellText } from '../in-words.ts';
import { HtmlTable } from './table.tsx';

/** The address of a thing's page; null if it has none. */
type LinkTo = (thing: Thing, name: string) => string | null;

interface SectionProps {
  readonly section: Section;
  readonly language: Language;
  readonly heading?: 'h2' | 'h3';
  /** The links of cells that name a thing. */
  readonly linkTo?: LinkTo;
  /** The address to which a row's label leads; null if to none. */
  readonly linkOf?: ((row: GridRow) => string | null) | undefined;
  /** Whether each cell names its column, for a narrow window that draws rows as cards. */
  readonly isLabelled?: boolean | undefined;
}

/** A section of a page (`reports/page.ts`) as HTML: its heading, and its parts below it. */
export function SectionOf({ section, heading: Heading = 'h3', ...props }: SectionProps): VNode {
  return (
    <>
      <Heading>{props.language.label(section.title)}</Heading>
      {section.parts.map((part) => (
        <PartOf part={part} {...props} />
      ))}
    </>
  );
}

interface PartProps extends Omit<SectionProps, 'section' | 'heading'> {
  readonly part: Part;
}

/** A part of a section: facts, a grid or a note. */
export function PartOf({ part, ...props }: PartProps): VNode {
  if (part.kind === 'facts') return <FactList facts={part.facts} {...props} />;
  if (part.kind === 'grid') return <GridOf grid={part} {...props} />;
  return <p class={part.isHint ? 'hint' : undefined}>{props.language.say(part.says)}</p>;
}

/** A text without such a letter, as an address or a number, keeps its order on a page from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

interface FactsProps extends Pick<SectionProps, 'language' | 'linkTo'> {
  readonly facts: readonly Fact[];
}

export function FactList({ facts, language, linkTo }: FactsProps): VNode {
  return (
    <dl>
      {facts.map(({ label, value }) => {
        const text = shownText(value, language);
        return (
          <div>
            <dt>{label && language.label(label)}</dt>
            <dd>{linked(value, RIGHT_TO_LEFT.test(text) ? text : <bdi dir="ltr">{text}</bdi>, linkTo)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

interface GridProps extends Pick<SectionProps, 'language' | 'linkTo' | 'linkOf' | 'isLabelled'> {
  readonly grid: Grid;
  readonly class?: string;
  readonly caption?: string;
  /** The most characters of a row's label that are shown. */
  readonly longest?: number;
}

/** Columns that only a workbook draws. */
const UNDRAWN: readonly Head['is'][] = ['rows', 'bar'];
/** A page shows these columns first, so that the amounts are at its edge. */
const FIRST_HEADS: readonly Head['is'][] = ['label', 'code', 'count'];
const CLASSES: Readonly<Partial<Record<Head['is'], string>>> = {
  code: 'codes',
  count: 'figure count',
  amount: 'figure amount',
};

export function GridOf(props: GridProps): VNode {
  const { grid, language, class: look, caption, isLabelled } = props;
  const { heads, rows } = grid;
  const rankOf = ({ is }: Head) => (FIRST_HEADS.includes(is) ? FIRST_HEADS.indexOf(is) : FIRST_HEADS.length);
  const columns = [...heads.keys()]
    .filter((column) => !UNDRAWN.includes(heads[column]!.is))
    .sort((a, b) => rankOf(heads[a]!) - rankOf(heads[b]!));
  return (
    <HtmlTable
      class={['block', look, isLabelled && 'list'].filter(Boolean).join(' ')}
      caption={caption}
      heads={columns.map((column) => {
        const { is, title } = heads[column]!;
        return { title: language.label(title), class: CLASSES[is] };
      })}
    >
      {rows.map((row) => (
        <RowOf row={row} columns={columns} {...props} />
      ))}
    </HtmlTable>
  );
}

interface RowProps extends GridProps {
  readonly row: GridRow;
  /** Places of heads and cells, in the order in which they are drawn: the row's label first. */
  readonly columns: readonly number[];
}

function RowOf({ row, columns, longest = Number.POSITIVE_INFINITY, ...props }: RowProps): VNode {
  const { language, linkTo } = props;
  const { heads } = props.grid;
  const link = props.linkOf?.(row) ?? null;
  const { cells } = row;
  const [label = null] = cells;
  const name = shortened(shownText(label, language), longest);
  const isOnlySentence = cells.length === 1 && heads.length > 1;
  if (isOnlySentence) {
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
      <th scope="row" dir="auto">
        {link === null ? linked(label, name, linkTo) : <a href={link}>{name}</a>}
      </th>
      {columns.slice(1).map((column) => (
        <CellOf cell={cells[column] ?? null} head={heads[column]!} {...props} />
      ))}
    </tr>
  );
}

/** A row's CSS classes: its look, and the marks whose test its first amount passes. */
function lookOf({ look, marks = [], cells }: GridRow): string | undefined {
  const [amount] = cells.flatMap((cell) => (cell && 'amount' in cell && cell.amount ? [cell.amount] : []));
  const passes = {
    '<0': amount?.isNegative() && !amount.isZero(),
    '<>0': amount?.isZero() === false,
    '=0': amount?.isZero(),
  };
  const classes = marks.filter(({ test }) => passes[test]).map((mark) => mark.look as string);
  // A page does not set steps in.
  if (look && look !== 'step') classes.unshift(look);
  return classes.length === 0 ? undefined : classes.join(' ');
}

interface CellProps extends Pick<GridProps, 'language' | 'linkTo' | 'isLabelled'> {
  readonly cell: GridCell;
  readonly head: Head;
}

function CellOf({ cell, head: { is, title }, language, linkTo, isLabelled }: CellProps): VNode {
  const label = isLabelled ? language.label(title) : undefined;
  const text = linked(cell, shownText(cell, language), linkTo);
  if (is === 'text')
    return (
      <td dir="auto" data-label={label}>
        {text}
      </td>
    );
  const isUnknown = cell !== null && 'amount' in cell && cell.amount === null;
  const figureLook = isUnknown ? 'figure unknown' : 'figure';
  return (
    <td class={is === 'code' ? 'code' : figureLook} data-label={label}>
      {text}
    </td>
  );
}

/** The content of a cell, as a link if the cell names a thing that has a page. */
function linked(cell: GridCell, shown: ComponentChildren, linkTo: LinkTo | undefined): ComponentChildren {
  if (cell === null || !('text' in cell) || !('thing' in cell) || cell.thing === undefined) return shown;
  const page = linkTo?.(cell.thing, cell.text) ?? null;
  return page === null ? shown : <a href={page}>{shown}</a>;
}

const HASH_DIGITS = 12;

function shownText(cell: GridCell, language: Language): string {
  const text = gridCellText(cell, language);
  return cell && 'thing' in cell && cell.thing === 'document' ? `${text.slice(0, HASH_DIGITS)}…` : text;
}

/** A text cut to so many characters, with an ellipsis at the cut. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

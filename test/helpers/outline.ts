/** What a person reads of a page or a workbook, as lines of text: for goldens that people can read. */
import { createHash } from 'node:crypto';
import { type ReadCell, type ReadSheet, readWorkbook } from './workbook.ts';

/** Of a long run of rows this many are shown at its head and foot; the others are known by their digest. */
const [HEAD, FOOT] = [9, 2];

const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:@.-]+(?:=(?:"[^"]*"|[^\s>"]+))?)*)\s*\/?>|<!--[\s\S]*?-->|<![^>]*>/g;
const BLOCKS = new Set(
  'address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form header hr html legend li main nav ol option p pre section select summary svg table tbody tfoot thead title ul'.split(
    ' ',
  ),
);
/** Attributes that are read out or shown. */
const SAID = ['aria-label', 'title', 'placeholder', 'alt', 'data-confirm'];
const LEADS: Readonly<Record<string, string>> = {
  li: '- ',
  summary: '▸ ',
  option: '· ',
  legend: 'legend: ',
  caption: 'caption: ',
  title: 'title: ',
  dt: 'term: ',
  dd: '  ',
};
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: '\u00a0' };

/** The lines of a page: headings, rows of tables, labels, buttons and the words of links. */
export function pageOutline(html: string): string {
  const page = html.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '');
  const lines: string[] = [];
  let line = '';
  let lead = '';
  let row: string[] | null = null;
  let inHead = false;
  const end = () => {
    const text = line.replace(/\s+/g, ' ').trim();
    if (text !== '') lines.push(lead + text);
    line = '';
    lead = '';
  };
  let from = 0;
  let isHidden = false;
  for (const match of page.matchAll(TAG)) {
    line += plain(page.slice(from, match.index));
    from = match.index + match[0].length;
    const [, slash, name = '', attributes = ''] = match;
    const tag = name.toLowerCase();
    const opens = slash === '';
    if (tag === 'button' && opens && /\shidden\b/.test(attributes)) {
      isHidden = true;
      continue;
    }
    if (tag === 'button' && isHidden) {
      isHidden = false;
      continue;
    }
    if (tag === 'thead') inHead = opens;
    if (tag === 'tr') {
      if (opens) {
        end();
        row = [];
      } else if (row) {
        lines.push(`${inHead ? '|| ' : '| '}${row.join(' | ')}`);
        row = null;
      }
    } else if (tag === 'td' || tag === 'th') {
      if (!opens) row?.push(line.replace(/\s+/g, ' ').trim());
      line = '';
    } else if (row && BLOCKS.has(tag)) {
      if (line.trim() !== '' && !line.endsWith(' / ')) line = `${line.trimEnd()} / `;
    } else if (/^h[1-6]$/.test(tag)) {
      end();
      if (opens) lead = `${'#'.repeat(Number(tag[1]))} `;
    } else if (BLOCKS.has(tag)) {
      end();
      if (opens) lead = LEADS[tag] ?? '';
    } else if (tag === 'button') line += opens ? ' [' : '] ';
    else if (tag === 'a') line += opens ? ' ‹' : '› ';
    else if (tag === 'text' || tag === 'tspan' || tag === 'label') line += ' ';
    else if (tag === 'input' || tag === 'textarea') line += inputText(attributes);
    for (const said of SAID) {
      const value = attributeOf(attributes, said);
      if (opens && value !== undefined && value !== '') line += ` {${value}} `;
    }
  }
  end();
  return `${shortened(lines).join('\n')}\n`;
}

function inputText(attributes: string): string {
  const [type, name, value] = ['type', 'name', 'value'].map((one) => attributeOf(attributes, one));
  if (type === 'hidden') return '';
  return ` _${[type, name, value].filter((one) => one !== undefined && one !== '').join(' ')}_ `;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|([^\\s>"]+))`).exec(attributes);
  return found ? plain(found[1] ?? found[2]!) : undefined;
}

function plain(text: string): string {
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp|nbsp)|#(\d+)|#x([\da-fA-F]+));/g,
    (_, name?: string, code?: string, hex?: string) =>
      name === undefined
        ? String.fromCodePoint(hex === undefined ? Number(code) : Number.parseInt(hex, 16))
        : ENTITIES[name]!,
  );
}

/**
 * The sheets of a workbook, row by row: what a cell shows, its formula, and how the numbers of each column are
 * formatted.
 *
 * @param fixed takes from a row what differs from run to run
 */
export async function workbookOutline(bytes: Buffer, fixed: (text: string) => string): Promise<string> {
  const { sheets, names, styles, zip } = await readWorkbook(bytes);
  const formatOf = formatsOf(styles);
  const parts: string[] = [];
  for (const [name, sheet] of sheets) {
    parts.push(`# ${name}`, ...shortened(sheetRows(sheet).map(fixed)), ...columnFormats(sheet, formatOf), '');
  }
  const feet = new Set<string>();
  for (const [file, entry] of Object.entries(zip.files)) {
    if (!file.startsWith('xl/worksheets/')) continue;
    for (const [, foot = ''] of (await entry.async('string')).matchAll(/<(?:odd|first)(?:Header|Footer)>(.*?)</g)) {
      feet.add(fixed(plain(plain(foot))));
    }
  }
  const named = [...names].map(([name, range]) => `${name} ${range}`);
  return `${[...parts, '# names', ...named, '# head and foot of pages', ...feet].join('\n')}\n`;
}

function sheetRows(sheet: ReadSheet): string[] {
  const rows = new Map<number, string[]>();
  for (const [address, cell] of sheet) {
    if (cell.value === null && cell.formula === null) continue;
    const [, column = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(address)!;
    const shown = `${cell.value ?? ''}${cell.formula === null ? '' : ` {=${cell.formula}}`}`.replace(/\s+/g, ' ');
    rows.set(Number(row), [...(rows.get(Number(row)) ?? []), `${column} ${shown}`]);
  }
  return [...rows].map(([row, cells]) => `| ${row} ${cells.join(' | ')}`);
}

/** Formats of the numbers of each column. */
function columnFormats(sheet: ReadSheet, formatOf: (cell: ReadCell) => string): string[] {
  const columns = new Map<string, Set<string>>();
  for (const [address, cell] of sheet) {
    if (cell.type !== 'n' || cell.value === null) continue;
    const column = /^[A-Z]+/.exec(address)![0];
    columns.set(column, (columns.get(column) ?? new Set()).add(formatOf(cell)));
  }
  return [...columns].map(([column, formats]) => `formats of ${column}: ${[...formats].join('  ')}`);
}

function formatsOf(styles: string): (cell: ReadCell) => string {
  const codes = new Map(
    [...styles.matchAll(/<numFmt [^>]*?\/>/g)].map(([tag]) => [
      attributeOf(tag, 'numFmtId'),
      attributeOf(tag, 'formatCode'),
    ]),
  );
  const looks = [...(/<cellXfs[\s\S]*?<\/cellXfs>/.exec(styles)?.[0] ?? '').matchAll(/<xf\b[^>]*>/g)];
  return ({ style }) => {
    const id = attributeOf(looks[style]?.[0] ?? '', 'numFmtId') ?? '0';
    return codes.get(id) ?? `number format ${id}`;
  };
}

/** With long runs of rows, which have as many cells each, and of choices cut. */
function shortened(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let run: string[] = [];
  let kind = '';
  for (const line of [...lines, '']) {
    const isOf = line.startsWith('| ') ? `${line.split(' | ').length} cells` : line.startsWith('· ') ? 'choice' : '';
    if (isOf === '' || isOf !== kind) {
      shown.push(...cut(run, HEAD, FOOT));
      run = [];
    }
    kind = isOf;
    if (isOf === '') shown.push(line);
    else run.push(line);
  }
  return shown.slice(0, -1);
}

/** The first and the last of many lines, and a digest of those between. */
export function cut(lines: readonly string[], head: number, foot: number): string[] {
  if (lines.length <= head + foot + 1) return [...lines];
  const between = lines.slice(head, lines.length - foot);
  return [
    ...lines.slice(0, head),
    `… ${between.length} more, digest ${digestOf(between.join('\n'))}`,
    ...lines.slice(-foot),
  ];
}

/** The beginning of a long line, and a digest of what follows it. */
export function cutLine(line: string): string {
  if (line.length <= 500) return line;
  return `${line.slice(0, 440)} … digest ${digestOf(line.slice(440))}`;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

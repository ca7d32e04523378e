import { FileError } from '../../base/errors.ts';
import type { CellDigest } from '../../base/workbook-mark.ts';
import { because } from '../../words/errors/rendering.ts';
import type { Language } from '../../words/index.ts';
import { columnLetters } from './formulas.ts';
import type { CellLine, CellValue, Line, PrintText, Sheet, SheetTail, TableLine } from './model.ts';
import type { Look, Styles } from './styles.ts';
import { cellText, dayNumber } from './values.ts';
import { OFFICE, SPREADSHEET, XML_HEAD, xmlEntities, xmlText } from './xml.ts';

/** The most rows that a sheet can hold. */
const MAX_ROWS = 1_048_576;

const A4 = 9;

/** Characters yielded at a time: few enough to be written before they grow old in memory. */
const PIECE = 1 << 14;

/** What a sheet shares with the others of its workbook. */
export interface SheetContext {
  readonly language: Language;
  readonly styles: Styles;
  readonly print?: PrintText | undefined;
  /** Receives every fixed value, cell by cell, as it is written. */
  readonly digest?: CellDigest | undefined;
}

/** Writes one sheet, and collects while its rows pass what the workbook lists about it: names and print titles. */
export class SheetXml {
  readonly sheet: Sheet;
  /** Names for the whole workbook, with the cells that bear them. */
  readonly names: { readonly name: string; readonly cell: string }[] = [];
  readonly #context: SheetContext;
  readonly #merges: string[] = [];
  readonly #pageBreaks: number[] = [];
  #rows = 0;
  #repeatedRow: number | null = null;

  constructor(sheet: Sheet, context: SheetContext) {
    this.sheet = sheet;
    this.#context = context;
  }

  /** The part's content, many rows at a time. @throws FileError where the sheet has more rows than a spreadsheet can hold */
  async *content(): AsyncGenerator<string> {
    const { lines } = this.sheet;
    let xml = this.#head();
    for await (const page of Symbol.asyncIterator in lines ? lines : [lines]) {
      for (const line of page) {
        xml += this.#row(line);
        if (xml.length < PIECE) continue;
        yield xml;
        xml = '';
      }
    }
    yield xml + this.#foot(this.sheet.tail?.() ?? {});
  }

  /** The rows that each printed page repeats, such as `'Orders'!$1:$1`; null for none. Known after the last row. */
  get printTitles(): string | null {
    const { name, repeatedRows = 0 } = this.sheet;
    const [from, to] = this.#repeatedRow === null ? [1, repeatedRows] : [this.#repeatedRow, this.#repeatedRow];
    return to > 0 ? `'${name}'!$${from}:$${to}` : null;
  }

  /** The cells that are printed, such as `'Mismatches'!$A$1:$K$90`; null for all. Known after the last row. */
  get printArea(): string | null {
    const { name, widths, printedColumns = widths.length } = this.sheet;
    return printedColumns === widths.length
      ? null
      : `'${name}'!$A$1:$${columnLetters(printedColumns - 1)}$${this.#rows}`;
  }

  #head(): string {
    const { tabColour, widths } = this.sheet;
    const tab = tabColour ? `<tabColor rgb="FF${tabColour}"/>` : '';
    const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
    return `${XML_HEAD}<worksheet xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}/relationships"><sheetPr>${tab}<pageSetUpPr fitToPage="1"/></sheetPr>${this.#view()}<sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols><sheetData>`;
  }

  #view(): string {
    const { gridLines = true, frozenRows: rows = 0, frozenColumns: columns = 0 } = this.sheet;
    const attributes = `${this.#context.language.rightToLeft ? ' rightToLeft="1"' : ''}${gridLines ? '' : ' showGridLines="0"'}`;
    const active = columns === 0 ? 'bottomLeft' : rows === 0 ? 'topRight' : 'bottomRight';
    const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`;
    const pane =
      rows + columns > 0
        ? `<pane${split} topLeftCell="${columnLetters(columns)}${rows + 1}" activePane="${active}" state="frozen"/><selection pane="${active}"/>`
        : '';
    return `<sheetViews><sheetView${attributes} workbookViewId="0">${pane}</sheetView></sheetViews>`;
  }

  #row(line: Line): string {
    this.#rows += 1;
    if (this.#rows > MAX_ROWS) throw tooLong(this.sheet.name);
    return 'read' in line ? this.#tableRow(line) : this.#cellRow(line);
  }

  #cellRow({ cells, height, pageBreak, repeated }: CellLine): string {
    const row = this.#rows;
    if (pageBreak) this.#pageBreaks.push(row);
    if (repeated) this.#repeatedRow = row;
    const { styles } = this.#context;
    let xml = rowHead(row, height);
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index];
      if (!cell) continue;
      const { value, style, span = 1, name, typed = false } = cell;
      const look = styles.lookOf(style);
      xml += cellHead(index) + row + QUOTE + this.#content(value, look, typed);
      if (name) this.names.push({ name, cell: `$${columnLetters(index)}$${row}` });
      if (span === 1) continue;
      const last = index + span - 1;
      this.#merges.push(`${columnLetters(index)}${row}:${columnLetters(last)}${row}`);
      // Covered cells get the style too, so that a rule runs over all of them.
      for (; index < last; ) {
        index += 1;
        xml += cellHead(index) + row + QUOTE + look.nothing;
      }
    }
    return `${xml}</row>`;
  }

  #tableRow({ columns, read, height }: TableLine): string {
    const row = this.#rows;
    const { styles } = this.#context;
    let xml = rowHead(row, height);
    const place = row + QUOTE;
    for (let index = 0; index < columns; index += 1) {
      const { value, style, typed } = read(index);
      xml += cellHead(index) + place + this.#content(value, styles.lookOf(style), typed);
    }
    return `${xml}</row>`;
  }

  /** The rest of a cell's XML after its place. A fixed value goes into the digest. */
  #content(value: CellValue, look: Look, isTyped: boolean): string {
    if (value === null || value === '') return look.nothing;
    const digest = isTyped ? undefined : this.#context.digest;
    if (typeof value === 'string') {
      const isPlain = AS_IT_IS.test(value);
      const text = isPlain ? value : cellText(value);
      digest?.add(text);
      return look.text + (isPlain ? text : textXml(text)) + END_OF_VALUE;
    }
    if (typeof value === 'number' || value instanceof Date) {
      const number = typeof value === 'number' ? value : dayNumber(value);
      const text = String(number);
      digest?.addNumber(number, text);
      return look.number + text + END_OF_VALUE;
    }
    // What a program stores as a formula's result is its own.
    const { formula, result } = value;
    return typeof result === 'number'
      ? `${look.formula}${xmlEntities(formula)}</f><v>${result}${END_OF_VALUE}`
      : `${look.textFormula}${xmlEntities(formula)}</f><v>${textXml(cellText(result))}${END_OF_VALUE}`;
  }

  /** What follows the rows, in the order of the standard (ECMA-376, CT_Worksheet): Excel reports a sheet in another order as damaged. */
  #foot(tail: SheetTail): string {
    const { orientation = 'landscape', pictures = [], charts = [] } = this.sheet;
    return [
      '</sheetData>',
      tail.autoFilter ? `<autoFilter ref="${tail.autoFilter}"/>` : '',
      countedXml('mergeCells', this.#merges, (ref) => `<mergeCell ref="${ref}"/>`),
      this.#conditions(tail),
      this.#lists(tail),
      '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>',
      `<pageSetup paperSize="${A4}" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/>`,
      this.#headAndFoot(),
      countedXml('rowBreaks', this.#pageBreaks, (row) => `<brk id="${row}" max="16383" man="1"/>`, 'manualBreakCount'),
      ignoredErrors(tail),
      pictures.length + charts.length > 0 ? '<drawing r:id="rId1"/>' : '',
      '</worksheet>',
    ].join('');
  }

  /** The head and foot of its printed pages: `&L` and `&R` begin their left and right parts, `&8` sets a size, `&A` is the sheet's name. */
  #headAndFoot(): string {
    const { print, language } = this.#context;
    const [start, end] = language.rightToLeft ? ['&R&8 ', '&L&8 '] : ['&L&8 ', '&R&8 '];
    // Programs take the foot for a line that goes from left to right, in which the digits of a chain would be torn.
    const apart = (text: string) => (language.rightToLeft && text !== '' ? `\u2067${text}\u2069` : text);
    // LibreOffice sets words and page numbers from left to right whatever their marks: figures alone are read right in both directions.
    const pages = language.rightToLeft
      ? '&P / &N'
      : language.say({ id: 'workbook/page-of-pages', page: '&P', pages: '&N' });
    const foot = `${start}${print ? apart(plainHead(print.origin)) : '&A'}${end}${pages}`;
    const head = print ? `${start}${plainHead(print.about)}${end}&A · ${plainHead(print.status)}` : '';
    return `<headerFooter>${head === '' ? '' : `<oddHeader>${xmlText(head)}</oddHeader>`}<oddFooter>${xmlEntities(foot)}</oddFooter></headerFooter>`;
  }

  #conditions({ conditions = [] }: SheetTail): string {
    return conditions
      .map(({ range, formula, style }, index) => {
        const look = this.#context.styles.condition(style);
        return `<conditionalFormatting sqref="${range}"><cfRule type="expression" dxfId="${look}" priority="${index + 1}"><formula>${xmlText(formula)}</formula></cfRule></conditionalFormatting>`;
      })
      .join('');
  }

  /** Cells that accept only one of a list's words. */
  #lists({ lists = [] }: SheetTail): string {
    const { say } = this.#context.language;
    const title = xmlText(say({ id: 'workbook/not-in-list' }));
    return countedXml('dataValidations', lists, ({ range, words }) => {
      const error = xmlText(say({ id: 'workbook/choose-one', words }));
      return `<dataValidation type="list" showErrorMessage="1" errorTitle="${title}" error="${error}" sqref="${range}"><formula1>${xmlText(`"${words.join(',')}"`)}</formula1></dataValidation>`;
    });
  }
}

/** Text of a page's head, in which `&` begins a code. */
function plainHead(text: string): string {
  return cellText(text).replace(/\s+/g, ' ').replaceAll('&', '&&');
}

/** A list of elements with their number; nothing for none. */
function countedXml<T>(element: string, items: readonly T[], xmlOf: (item: T) => string, also = ''): string {
  if (items.length === 0) return '';
  const second = also && ` ${also}="${items.length}"`;
  return `<${element} count="${items.length}"${second}>${items.map(xmlOf).join('')}</${element}>`;
}

function ignoredErrors({ textNumbers = [] }: SheetTail): string {
  const ranges = textNumbers.map((range) => `<ignoredError sqref="${range}" numberStoredAsText="1"/>`);
  return ranges.length > 0 ? `<ignoredErrors>${ranges.join('')}</ignoredErrors>` : '';
}

function tooLong(name: string): FileError {
  return new FileError(because({ id: 'sheet-too-long', sheet: name, most: MAX_ROWS }));
}

function rowHead(number: number, height: number | undefined): string {
  return `<row r="${number}"${height === undefined ? '' : ` ht="${height}" customHeight="1"`}>`;
}

const QUOTE = '"';
const END_OF_VALUE = '</v></c>';

const heads: string[] = [];

/** The beginning of a cell's XML, up to its row's number. @param index of its column, from 0 */
function cellHead(index: number): string {
  heads[index] ??= `<c r="${columnLetters(index)}`;
  return heads[index];
}

const OF_FOUR_BYTES = /[\u{10000}-\u{10FFFF}]/gu;
/** Most texts: nothing in them is written in another way. */
const AS_IT_IS = /^[ !#-%'-;=?-~]{1,1000}$/;

/** A cell's text as XML. LibreOffice loses a character of four bytes that its buffer cuts in two. */
function textXml(text: string): string {
  return xmlEntities(text).replace(OF_FOUR_BYTES, (character) => `&#${character.codePointAt(0)};`);
}

import type { MonthDocument, Statement } from '../../../reports/statement/model.ts';
import { definitions, originFacts } from '../../../reports/statement/sections/facts.ts';
import type { Language } from '../../words/index.ts';
import type { Accent } from '../colour.ts';
import type { Line, Sheet, SheetCell, Style } from '../workbook/model.ts';
import { WHOLE_NUMBER } from '../workbook/styles.ts';
import { isWholeNumber, wallTime } from '../workbook/values.ts';
import { SheetLines } from './page.ts';
import { addFacts } from './sections.ts';
import { APART, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION, SECTION_HEIGHT, TIME } from './styles.ts';

const WIDTHS = [30, 70, 14, 14, 20, 20];
const TERM = { ...LINE, bold: true };
const NUMBER = { ...LINE, format: WHOLE_NUMBER };
const NUMBER_APART = { ...APART, format: WHOLE_NUMBER };

/** The About sheet: what each figure means, and the runs and documents that the statement comes from. */
export function aboutSheet(statement: Statement, accent: Accent, language: Language, mark: () => string): Sheet {
  const page = new SheetLines(WIDTHS, language);
  return {
    name: page.say({ id: 'statement/about' }),
    tabColour: accent.fill,
    widths: WIDTHS,
    gridLines: false,
    lines: aboutLines(page, statement, mark),
  };
}

/** @param mark gives the workbook's mark, by which remit finds what people changed; called when all else is written */
async function* aboutLines(
  page: SheetLines,
  statement: Statement,
  mark: () => string,
): AsyncGenerator<readonly Line[]> {
  const { say } = page;
  page.band(say({ id: 'statement/definitions' }), SECTION, SECTION_HEIGHT);
  addFacts(page, definitions(), [TERM, LINE]);
  page.gap();
  page.band(say({ id: 'statement/origin' }), SECTION, SECTION_HEIGHT);
  addFacts(page, originFacts(statement), [TERM, LINE]);
  page.gap();
  addRuns(page, statement);
  page.band(say({ id: 'statement/documents' }), SECTION, SECTION_HEIGHT);
  page.paragraph([], say({ id: 'statement/documents-hint' }), HINT);
  page.heading([
    { value: say({ id: 'statement/invoice' }), style: HEAD },
    { value: say({ id: 'statement/document-hash' }), style: HEAD },
    { value: say({ id: 'statement/bytes' }), style: HEAD_RIGHT },
    { value: say({ id: 'statement/run' }), style: { ...HEAD, align: 'left', indent: 1 } },
    { value: say({ id: 'statement/received-at' }), style: HEAD },
  ]);
  yield page.lines;
  for await (const document of statement.documents) yield [documentLine(document)];
  yield [{ cells: [] }, { cells: [{ value: say({ id: 'statement/mark-hint' }), style: HINT, span: WIDTHS.length }] }];
  // The mark digests all cells before it, which are written by now.
  yield [{ cells: [{ value: mark(), style: HINT, span: WIDTHS.length }] }];
}

function documentLine({ invoice_number, sha256, size, run_id, received_at }: MonthDocument): Line {
  return {
    cells: [
      number(invoice_number, NUMBER),
      { value: sha256, style: LINE },
      { value: size, style: COUNT },
      number(run_id, NUMBER_APART),
      time(received_at),
    ],
  };
}

function addRuns(page: SheetLines, { runs }: Statement): void {
  page.band(page.say({ id: 'statement/runs' }), SECTION, SECTION_HEIGHT);
  page.add([
    { value: page.say({ id: 'statement/run' }), style: HEAD },
    { value: page.say({ id: 'statement/command' }), style: HEAD },
    { value: page.say({ id: 'statement/status' }), style: HEAD },
    { value: 'remit', style: HEAD },
    { value: page.say({ id: 'statement/started-at' }), style: HEAD },
    { value: page.say({ id: 'statement/finished-at' }), style: HEAD },
  ]);
  for (const run of runs) {
    page.add([
      number(run.id, NUMBER),
      { value: run.command, style: LINE },
      { value: runStatus(run.status, page.language), style: LINE },
      { value: run.remit_version, style: LINE },
      time(run.started_at),
      time(run.finished_at),
    ]);
  }
  page.gap();
}

export function runStatus(status: string, { tables }: Language): string {
  return tables.cells.status?.[status] ?? status;
}

/** The number of an invoice or a run; as text if a spreadsheet would not show it as it is written. */
function number(numberOrText: string | number, style: Style): SheetCell {
  const text = String(numberOrText);
  return { value: isWholeNumber(text) ? Number(text) : text, style };
}

function time(iso: string | null): SheetCell {
  return { value: iso === null ? null : (wallTime(iso) ?? iso), style: TIME };
}

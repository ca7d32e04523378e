import type { MonthDocument } from '../../../reports/statement/index.ts';
import type { Language } from '../../words/index.ts';
import { DEFINED } from '../../words/sentences.ts';
import type { Accent } from '../colour.ts';
import type { Line, Sheet, SheetCell } from '../workbook/model.ts';
import { wallTime } from '../workbook/values.ts';
import type { SaidStatement } from './in-language.ts';
import { COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION } from './looks.ts';
import { Page } from './page.ts';

const WIDTHS = [30, 70, 14, 14, 20, 20];
/** Room between a column of figures and the texts to its right. */
const APART = { ...LINE, indent: 1 };
const TERM = { ...LINE, bold: true };
const TIME = { ...LINE, format: 'yyyy-mm-dd hh:mm:ss' };

/** The last page: what each figure means, and which runs and documents stand behind it. */
export function aboutSheet(statement: SaidStatement, accent: Accent, language: Language, mark: () => string): Sheet {
  const page = new Page(WIDTHS, language);
  return {
    name: page.say({ id: 'statement/about' }),
    tabColour: accent.fill,
    widths: WIDTHS,
    gridLines: false,
    lines: lines(page, statement, mark),
  };
}

/** @param mark what tells what people type from what remit wrote: known when all that stands before it is written */
async function* lines(page: Page, statement: SaidStatement, mark: () => string): AsyncGenerator<readonly Line[]> {
  const { say } = page;
  page.band(say({ id: 'statement/definitions' }), SECTION, 20);
  for (const term of DEFINED) {
    const head = { value: say({ id: 'statement/term', term }), style: TERM };
    page.paragraph([head], say({ id: 'statement/definition', term }), LINE);
  }
  page.gap();
  addOrigin(page, statement);
  addRuns(page, statement);
  page.band(page.say({ id: 'statement/documents' }), SECTION, 20);
  page.paragraph([], page.say({ id: 'statement/documents-hint' }), HINT);
  page.heading([
    { value: page.say({ id: 'statement/invoice' }), style: HEAD },
    { value: page.say({ id: 'statement/document-hash' }), style: HEAD },
    { value: page.say({ id: 'statement/bytes' }), style: HEAD_RIGHT },
    { value: page.say({ id: 'statement/run' }), style: { ...HEAD, align: 'left', indent: 1 } },
    { value: page.say({ id: 'statement/received-at' }), style: HEAD },
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
      { value: String(invoice_number), style: LINE },
      { value: sha256, style: LINE },
      { value: size, style: COUNT },
      { value: String(run_id), style: APART },
      time(received_at),
    ],
  };
}

function addOrigin(page: Page, statement: SaidStatement): void {
  page.band(page.say({ id: 'statement/origin' }), SECTION, 20);
  for (const [label, text] of originFacts(statement, page.language.say))
    page.paragraph([{ value: label, style: TERM }], text, LINE);
  page.gap();
}

/** Where a statement comes from: what made it, and the newest evidence behind its figures, by which a later look finds them again. */
export function originFacts(
  { courier, remitVersion, ledgerVersion, returns, head, closed }: SaidStatement,
  say: Language['say'],
): [label: string, text: string][] {
  const chain = head && say({ id: 'statement/evidence-row', row: head.id, chain: head.chain });
  return [
    [say({ id: 'statement/courier' }), courier],
    ...(returns === null ? [] : [[say({ id: 'statement/returns' }), say(returns)] as [string, string]]),
    [say({ id: 'statement/made-by' }), `remit ${remitVersion}`],
    [say({ id: 'statement/ledger-version' }), ledgerVersion],
    [say({ id: 'statement/evidence' }), chain ?? say({ id: 'statement/no-evidence' })],
    ...(closed === null ? [] : [[say({ id: 'statement/closed-head' }), closed.chain] as [string, string]]),
  ];
}

function addRuns(page: Page, { runs }: SaidStatement): void {
  page.band(page.say({ id: 'statement/runs' }), SECTION, 20);
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
      { value: String(run.id), style: LINE },
      { value: run.command, style: LINE },
      { value: runStatus(run.status, page.language), style: LINE },
      { value: run.remit_version, style: LINE },
      time(run.started_at),
      time(run.finished_at),
    ]);
  }
  page.gap();
}

/** How a run ended, in the reader's language. */
export function runStatus(status: string, { tables }: Language): string {
  return tables.cells.status?.[status] ?? status;
}

function time(iso: string | null): SheetCell {
  return { value: iso === null ? null : (wallTime(iso) ?? iso), style: TIME };
}

import { summaryCurrencies } from '../../../reports/statement/index.ts';
import type { SigningPage } from '../../../reports/statement/page.ts';
import type { Language } from '../../words/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import type { Accent } from '../colour.ts';
import { readImage, scaledInto } from '../image.ts';
import type { Picture, Sheet, Style } from '../workbook/model.ts';
import { addDue } from './due.ts';
import { addHistory } from './history.ts';
import type { SaidStatement } from './in-language.ts';
import { BLANK_LINE, CODE, DOUBTFUL_FIGURE, HINT, LABEL, SECTION, SIGN_HERE, STRONG, TEXT, WARNING } from './looks.ts';
import { addMismatches } from './mismatch-counts.ts';
import { Page } from './page.ts';
import { addBalance, addCauses } from './page-blocks.ts';
import { addBridge, addOutside } from './proof.ts';
import { addResult, wholeResult } from './result.ts';
import { addSince } from './since.ts';
import type { StatementTables } from './tables.ts';
import { uncomparedLines } from './uncompared.ts';

const LABEL_WIDTH = 52;
const FIGURE_WIDTH = 18;
/** Columns beside the labels, at least: what the charts need. */
const FIGURE_COLUMNS = 7;
const LOGO_HEIGHT = 52;

/** The first sheet: the blocks of the page that one signs, then what is due, what changed, what is wrong, and what was not looked at. */
export function summarySheet(
  statement: SaidStatement,
  first: SigningPage,
  tables: StatementTables,
  accent: Accent,
  language: Language,
): Sheet {
  const currencies = summaryCurrencies(statement);
  const columns = 1 + Math.max(FIGURE_COLUMNS, currencies.length + 3);
  const widths = [LABEL_WIDTH, ...Array.from({ length: columns - 1 }, () => FIGURE_WIDTH)];
  const page = new Page(widths, language);

  // The blocks of the page that one signs, in its order, then what it has no room for.
  const pictures = addTitle(page, statement, accent);
  addFacts(page, statement);
  addBalance(page, statement, tables, { ...first, currencies: [...new Set([...currencies, ...first.currencies])] });
  addResult(page, statement, currencies);
  addBridge(page, statement, currencies, tables);
  addOutside(page, statement, currencies, tables);
  addCauses(page, statement, tables, first);
  addSignatures(page);
  page.breakPage();
  addDue(page, statement, currencies, tables);
  addSince(page, statement, currencies, tables);
  addMismatches(page, statement, currencies, tables);
  addNotChecked(page, statement);
  const charts = addHistory(page, statement, currencies, accent);

  return {
    name: page.say({ id: 'statement/summary' }),
    tabColour: accent.fill,
    widths,
    lines: page.lines,
    tail: () => page.tail(),
    gridLines: false,
    pictures,
    charts,
  };
}

function addTitle(page: Page, { organisation, merchant, month }: SaidStatement, accent: Accent): Picture[] {
  const image = organisation.logo && readImage(organisation.logo);
  const pictures: Picture[] = [];
  if (image) {
    const size = scaledInto(image, 260, LOGO_HEIGHT);
    pictures.push({
      kind: image.kind,
      bytes: image.bytes,
      at: { column: 0, row: page.row },
      ...size,
      description: merchant,
    });
    page.gap(LOGO_HEIGHT);
  }
  const band: Style = { fill: accent.fill, colour: accent.text, vertical: 'middle', align: 'left', indent: 1 };
  page.band(merchant, { ...band, bold: true, size: 18 }, 34);
  page.band(page.say({ id: 'statement/heading', monthInWords: page.language.month(month) }), { ...band, size: 12 }, 22);
  page.gap(8);
  return pictures;
}

function addFacts(page: Page, statement: SaidStatement): void {
  const { courier, month, asOf, warnings } = statement;
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
  const { say } = page;
  const fact = (label: StatementSentence | null, text: string, style: Style) =>
    page.paragraph([{ value: label && say(label), style: LABEL }], text, style);
  fact({ id: 'statement/courier' }, courier, TEXT);
  fact({ id: 'statement/period' }, say({ id: 'statement/days', from: `${month}-01`, to: lastDay }), TEXT);
  fact({ id: 'statement/status' }, statusOf(page, statement), STRONG);
  const time = asOf.slice(0, 16).replace('T', ' ');
  fact({ id: 'statement/as-of' }, say({ id: 'statement/as-of-time', time }), TEXT);
  page.add(
    [
      { value: say({ id: 'statement/result' }), style: LABEL },
      { ...wholeResult(page, statement), span: page.columns - 1 },
    ],
    18,
  );
  page.conditionOn(1, page.columns - 1, 'ERRORS_OPEN>0', DOUBTFUL_FIGURE);
  for (const [index, warning] of warnings.entries()) {
    fact(index === 0 ? { id: 'statement/warnings' } : null, page.language.say(warning), WARNING);
  }
  page.gap();
}

function statusOf({ say }: Page, { closed }: SaidStatement): string {
  if (!closed) return say({ id: 'statement/draft' });
  const { by, with_open: withOpen } = closed;
  return say({ id: 'statement/closed', by, time: closed.at.slice(0, 16).replace('T', ' '), withOpen });
}

function addNotChecked(page: Page, statement: SaidStatement): void {
  const { skipped } = statement;
  page.band(page.say({ id: 'statement/not-checked' }), SECTION, 20);
  if (skipped.length === 0) page.paragraph([], page.say({ id: 'statement/all-checks-run' }), TEXT);
  for (const { code, why } of skipped) page.paragraph([{ value: code, style: CODE }], page.language.say(why), TEXT);
  for (const line of uncomparedLines(statement, page.language)) page.paragraph([], line, TEXT);
  page.paragraph([], page.say({ id: 'statement/own-side-hint' }), HINT);
  page.gap();
}

function addSignatures(page: Page): void {
  page.band(page.say({ id: 'statement/signatures' }), SECTION, 20);
  const line = { value: null, style: BLANK_LINE };
  const label = (sentence: StatementSentence) => ({ value: page.say(sentence), style: SIGN_HERE });
  const date = label({ id: 'statement/date' });
  const [prepared, reviewed] = [label({ id: 'statement/prepared-by' }), label({ id: 'statement/reviewed-by' })];
  page.add([prepared, line, date, line, reviewed, line, date, line], 34);
  page.paragraph([], page.say({ id: 'statement/sign-after' }), HINT);
  page.gap();
}

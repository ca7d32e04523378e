import { type Statement, summedCurrencies } from '../../../reports/statement/index.ts';
import type { Accent } from '../colour.ts';
import { readImage, scaledInto } from '../image.ts';
import type { Language, Phrase } from '../language/index.ts';
import type { Picture, Sheet, Style } from '../workbook/model.ts';
import { addDue } from './due.ts';
import { addHistory } from './history.ts';
import { BAD_FIGURE, BLANK_LINE, HINT, LABEL, SECTION, SIGN_HERE, STRONG, TEXT, WARNING } from './looks.ts';
import { addMismatches } from './mismatch-counts.ts';
import { Page } from './page.ts';
import { addProof } from './proof.ts';
import { addResult, wholeResult } from './result.ts';
import { addSince } from './since.ts';
import type { StatementTables } from './tables.ts';

const LABEL_WIDTH = 52;
const FIGURE_WIDTH = 18;
/** Columns beside the labels, at least: what the charts need. */
const FIGURE_COLUMNS = 7;
const LOGO_HEIGHT = 52;

/** The first page: whose month it is, what is due, the proof, what is wrong, what was not looked at, and who signs. */
export function summarySheet(statement: Statement, tables: StatementTables, accent: Accent, language: Language): Sheet {
  const currencies = summedCurrencies(statement);
  const columns = 1 + Math.max(FIGURE_COLUMNS, currencies.length + 2);
  const widths = [LABEL_WIDTH, ...Array.from({ length: columns - 1 }, () => FIGURE_WIDTH)];
  const page = new Page(widths, language);

  const pictures = addTitle(page, statement, accent);
  addResult(page, statement, currencies);
  addFacts(page, statement);
  addDue(page, statement, currencies, tables);
  addProof(page, statement, currencies, tables);
  addSince(page, statement, currencies, tables);
  addMismatches(page, statement, currencies, tables);
  addNotChecked(page, statement);
  addSignatures(page);
  const charts = addHistory(page, statement, currencies, accent);

  return {
    name: page.say('Summary'),
    tabColour: accent.fill,
    widths,
    lines: page.lines,
    tail: () => page.tail(),
    gridLines: false,
    pictures,
    charts,
  };
}

function addTitle(page: Page, { organisation, month }: Statement, accent: Accent): Picture[] {
  const image = organisation.logo && readImage(organisation.logo);
  const pictures: Picture[] = [];
  if (image) {
    const size = scaledInto(image, 260, LOGO_HEIGHT);
    pictures.push({
      kind: image.kind,
      bytes: image.bytes,
      at: { column: 0, row: page.row },
      ...size,
      description: organisation.name,
    });
    page.gap(LOGO_HEIGHT);
  }
  const band: Style = { fill: accent.fill, colour: accent.text, vertical: 'middle', align: 'left', indent: 1 };
  page.band(organisation.name, { ...band, bold: true, size: 18 }, 34);
  page.band(
    page.say('Statement of cash on delivery, {month}', { month: page.language.month(month) }),
    { ...band, size: 12 },
    22,
  );
  page.gap(8);
  return pictures;
}

function addFacts(page: Page, statement: Statement): void {
  const { month, asOf, warnings } = statement;
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
  const { say, tell } = page.language;
  const fact = (label: Phrase | null, text: string, style: Style) =>
    page.paragraph([{ value: label && say(label), style: LABEL }], text, style);
  const days = { from: `${month}-01`, to: lastDay };
  fact('Period', say("{from} to {to}, as the company's own list of invoices has it", days), TEXT);
  fact('Status', statusOf(page.language, statement), STRONG);
  const time = asOf.slice(0, 16).replace('T', ' ');
  fact('As of', say('{time} UTC, when the last sync of the month ended', { time }), TEXT);
  page.add(
    [
      { value: say('Result'), style: LABEL },
      { ...wholeResult(page, statement), span: page.columns - 1 },
    ],
    18,
  );
  page.conditionOn(1, page.columns - 1, 'ERRORS_OPEN>0', BAD_FIGURE);
  for (const [index, warning] of warnings.entries()) fact(index === 0 ? 'Warnings' : null, tell(warning), WARNING);
  page.gap();
}

function statusOf({ say }: Page['language'], { closed }: Statement): string {
  if (!closed) return say('Draft: the month is not closed');
  const { by, chain, with_open } = closed;
  const time = closed.at.slice(0, 16).replace('T', ' ');
  if (with_open === null) {
    return say("Closed by {by} on {time} UTC; the chain's head at the close: {chain}", { by, time, chain });
  }
  const why = { by, time, chain, reason: with_open };
  return say("Closed by {by} on {time} UTC with open errors ({reason}); the chain's head at the close: {chain}", why);
}

function addNotChecked(page: Page, { skipped, uncompared }: Statement): void {
  page.band(page.say('Not checked, not comparable'), SECTION, 20);
  if (skipped.length === 0) page.paragraph([], page.say('Every check that this version knows was run.'), TEXT);
  for (const why of new Set(skipped.map((check) => check.why))) {
    const codes = skipped.filter((check) => check.why === why).map(({ code }) => code);
    page.paragraph([], `${codes.join(', ')}: ${page.language.tell(why)}.`, TEXT);
  }
  for (const sentence of uncompared) page.paragraph([], `${capitalised(page.language.tell(sentence))}.`, TEXT);
  page.paragraph(
    [],
    page.say("What came in, the merchant's own order book and agreed prices are compared where they were imported."),
    HINT,
  );
  page.gap();
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function addSignatures(page: Page): void {
  // Whoever signs signs beside the months before, on a page of their own.
  page.breakPage();
  page.band(page.say('Signatures'), SECTION, 20);
  const line = { value: null, style: BLANK_LINE };
  const label = (phrase: Phrase) => ({ value: page.say(phrase), style: SIGN_HERE });
  page.add([label('Prepared by'), line, label('Date'), line, label('Reviewed by'), line, label('Date'), line], 34);
  page.paragraph([], page.say('Sign after Mismatches has been worked through and nothing is unexplained.'), HINT);
  page.gap();
}

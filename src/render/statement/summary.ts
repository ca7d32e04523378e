import type { Fact, Section } from '../../../reports/page.ts';
import { bridgeLines, shortLines } from '../../../reports/statement/bridge.ts';
import type { Statement } from '../../../reports/statement/model.ts';
import { balanceSection } from '../../../reports/statement/sections/balance.ts';
import { bridgeSection, outsideSection } from '../../../reports/statement/sections/bridge.ts';
import { detailSections } from '../../../reports/statement/sections/details.ts';
import { monthFacts } from '../../../reports/statement/sections/facts.ts';
import { causesSection, ERRORS_OPEN } from '../../../reports/statement/sections/mismatches.ts';
import { signingPage } from '../../../reports/statement/signing-page.ts';
import type { Language } from '../../words/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import type { Accent } from '../colour.ts';
import type { Sheet, Style } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';
import { SheetLines } from './page.ts';
import { addResult, wholeResult } from './result.ts';
import { addFacts, addSection, type SummedTables } from './sections.ts';
import {
  BLANK_LINE,
  DOUBTFUL_FIGURE,
  HINT,
  LABEL,
  SECTION,
  SECTION_HEIGHT,
  SIGN_HERE,
  STRONG,
  TEXT_STYLE,
  WARNING,
} from './styles.ts';

const LABEL_WIDTH = 52;
const FIGURE_WIDTH = 18;
const SIGNATURE_COLUMNS = 7;
/** The most columns beside label and currencies: a count and a code, which is two wide, or two counts and a link. */
const BESIDE_CURRENCIES = 3;

/**
 * The Summary: the sections of the page that people sign, in its order, then what that page has no room for.
 *
 * @param worded the statement with its names and tables in words
 */
export function summarySheet(
  statement: Statement,
  worded: SaidStatement,
  tables: SummedTables,
  accent: Accent,
  language: Language,
): Sheet {
  const signing = signingPage(statement);
  const { currencies } = signing;
  const columns = 1 + Math.max(SIGNATURE_COLUMNS, currencies.length + BESIDE_CURRENCIES);
  const widths = [LABEL_WIDTH, ...Array.from({ length: columns - 1 }, () => FIGURE_WIDTH)];
  const page = new SheetLines(widths, language);
  // A brand with black text is white or pale: its bars would not be seen.
  const drawing = { tables, barColour: accent.text === '000000' ? '2E75B6' : accent.fill };
  const add = (section: Section) => addSection(page, section, drawing);

  addTitle(page, worded, accent);
  addMonth(page, worded);
  if (signing.balance.length > 0) add(balanceSection(statement.month, signing));
  addResult(page, worded, currencies);
  add(bridgeSection(statement, currencies, bridgeLines(statement.proof, null)));
  add(outsideSection(statement, currencies, shortLines(statement.proof, { isSplit: true })));
  add(causesSection(signing));
  addSignatures(page);
  page.breakPage();
  for (const section of detailSections(statement, currencies)) add(section);

  return {
    name: page.say({ id: 'statement/summary' }),
    tabColour: accent.fill,
    widths,
    lines: page.lines,
    tail: () => ({ conditions: page.conditions }),
    gridLines: false,
  };
}

function addTitle(page: SheetLines, { merchant, month }: SaidStatement, accent: Accent): void {
  const band: Style = { fill: accent.fill, colour: accent.text, vertical: 'middle', align: 'left', indent: 1 };
  page.band(merchant, { ...band, bold: true, size: 18 }, 34);
  page.band(page.say({ id: 'statement/heading', monthInWords: page.language.month(month) }), { ...band, size: 12 }, 22);
  page.gap(8);
}

function addMonth(page: SheetLines, statement: SaidStatement): void {
  const facts = monthFacts(statement).filter(({ name }) => name !== 'merchant');
  const isWarning = ({ name }: Fact) => name === 'warning';
  for (const fact of facts.filter((fact) => !isWarning(fact)))
    addFacts(page, [fact], [LABEL, fact.name === 'status' ? STRONG : TEXT_STYLE]);
  const result = { ...wholeResult(page, statement), span: page.columns - 1 };
  page.add([{ value: page.say({ id: 'statement/result' }), style: LABEL }, result], 18);
  page.conditionOn(1, page.columns - 1, `${ERRORS_OPEN}>0`, DOUBTFUL_FIGURE);
  addFacts(page, facts.filter(isWarning), [LABEL, WARNING]);
  page.gap();
}

function addSignatures(page: SheetLines): void {
  page.band(page.say({ id: 'statement/signatures' }), SECTION, SECTION_HEIGHT);
  const line = { value: null, style: BLANK_LINE };
  const label = (sentence: StatementSentence) => ({ value: page.say(sentence), style: SIGN_HERE });
  const date = label({ id: 'statement/date' });
  const [prepared, reviewed] = [label({ id: 'statement/prepared-by' }), label({ id: 'statement/reviewed-by' })];
  page.add([prepared, line, date, line, reviewed, line, date, line], 34);
  page.paragraph([], page.say({ id: 'statement/sign-after' }), HINT);
  page.gap();
}

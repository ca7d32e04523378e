import { noBalanceBlock } from '../../../reports/balance.ts';
import type { CurrencyProof } from '../../../reports/statement/proof.ts';
import { ERRORS_OPEN } from '../../../reports/statement/sections/mismatches.ts';
import { type ExactDecimal, formatAmount, formatGrouped } from '../../money/decimal.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import { exactNumber, formulaText } from '../workbook/values.ts';
import type { SaidStatement } from './in-language.ts';
import type { SheetLines } from './page.ts';
import { BAD, BAD_FIGURE, GOOD, WARNING } from './styles.ts';

/** A number format, with the quotes that it needs inside a formula. */
const FORMAT = '"#,##0.00##"';

/**
 * Adds the result: a line per currency with what you are short or ahead and what is open at the month's end. Its
 * formulas refer to the figures below, so that it changes while people work through the mismatches.
 */
export function addResult(page: SheetLines, statement: SaidStatement, currencies: readonly string[]): void {
  for (const currency of currencies) {
    const sentence = sentenceOf(page, statement, currency);
    const style = { ...lookOf(statement, currency), size: 12, indent: 1 };
    page.add([{ ...sentence, style, span: page.columns }], 22);
    page.conditionOn(0, page.columns - 1, `${currency}_SHORT<0`, BAD_FIGURE);
  }
  if (currencies.length === 0) page.band(page.say({ id: 'statement/no-money' }), WARNING, 22);
  page.gap(8);
}

function sentenceOf({ say }: SheetLines, statement: SaidStatement, currency: string): SheetCell {
  const proof = statement.proof.find((line) => line.currency === currency);
  const { closing: due } = statement.balance.find((block) => block.currency === currency) ?? noBalanceBlock(currency);
  const short = proof?.short;
  const shortText = short ? formatAmount(short) : '0.00';
  const tail = `${proof ? notProven(proof, say) : ''}.`;
  const saySide = (side: Side) => say({ id: 'statement/side', currency, side });
  const thenOpen = say({ id: 'statement/then-open' });
  const result = `${outcomeOf(short, saySide)}${thenOpen} ${formatGrouped(due)}${tail}`;
  // If an amount is shown as text, a spreadsheet cannot compute with it: the sentence is then no formula.
  if (exactNumber(shortText) === null || exactNumber(formatAmount(due)) === null) return { value: result };
  // `USD_SHORT` and `USD_CLOSING` are names of cells of the Summary.
  const shortCell = `${currency}_SHORT`;
  const textOf = (before: string, amount: string) => `${formulaText(`${before} `)}&TEXT(${amount},${FORMAT})`;
  const aheadOrEven = `IF(${shortCell}>0,${textOf(saySide('ahead'), shortCell)},${formulaText(saySide('even'))})`;
  const outcome = `IF(${shortCell}<0,${textOf(saySide('short'), `-${shortCell}`)},${aheadOrEven})`;
  const formula = `${outcome}&${textOf(thenOpen, `${currency}_CLOSING`)}&${formulaText(tail)}`;
  return { value: { formula, result } };
}

/** `USD: you are short 12.50`. @param short negative if money is owed to you */
function outcomeOf(short: ExactDecimal | undefined, saySide: (side: Side) => string): string {
  if (short === undefined || short.isZero()) return saySide('even');
  return `${saySide(sideOf(short))} ${formatGrouped(short.abs())}`;
}

type Side = 'short' | 'ahead' | 'even';

/** @param short negative if money is owed to you */
export function sideOf(short: ExactDecimal): Side {
  if (short.isZero()) return 'even';
  return short.isNegative() ? 'short' : 'ahead';
}

/** What limits a result, in a sentence: unexplained money, money that was not compared, or that we have no figure. */
export function notProven(
  { currency, unexplained, notCompared }: CurrencyProof,
  say: (sentence: StatementSentence) => string,
): string {
  const amountOf = (id: 'statement/then-unexplained' | 'statement/then-not-compared', amount: ExactDecimal | null) =>
    amount === null || amount.isZero() ? '' : say({ id, amount: formatAmount(amount), currency });
  const unproven = unexplained === null ? say({ id: 'statement/then-unproven' }) : '';
  const uncompared = amountOf('statement/then-not-compared', notCompared?.effect ?? null);
  return `${amountOf('statement/then-unexplained', unexplained)}${uncompared}${unproven}`;
}

function lookOf({ proof, warnings, skipped, uncompared }: SaidStatement, currency: string): Style {
  const currencyProof = proof.find((block) => block.currency === currency);
  if (!currencyProof) return WARNING;
  const side = sideOf(currencyProof.short);
  if (side !== 'even') return side === 'short' ? BAD : WARNING;
  const isWhole = warnings.length === 0 && skipped.length === 0 && uncompared.length === 0;
  return isWhole && currencyProof.unexplained?.isZero() ? GOOD : WARNING;
}

/** The result of the whole month: how many errors are open, as a live formula, and how far it could be checked. */
export function wholeResult({ say }: SheetLines, statement: SaidStatement): SheetCell {
  const { proof, mismatches, skipped, warnings, uncompared } = statement;
  const errors = mismatches.find(({ severity }) => severity === 'error')?.open ?? 0;
  const isUnproven = proof.some((line) => line.ours === null);
  const isOff = proof.some((line) => line.unexplained !== null && !line.unexplained.isZero());
  const isPartial = skipped.length > 0 || warnings.length > 0 || uncompared.length > 0;
  const howFar = () => {
    if (isOff) return say({ id: 'statement/result-unexplained' });
    if (isUnproven) return say({ id: 'statement/result-unproven' });
    return say({ id: isPartial ? 'statement/result-partial' : 'statement/result-explained' });
  };
  const tail = howFar();
  const noErrors = `${say({ id: 'statement/no-error-open' })}${tail}`;
  const errorsOpen = say({ id: 'statement/errors-open' });
  const result = errors === 0 ? noErrors : `${errorsOpen}${errors}${tail}`;
  // `ERRORS_OPEN` is the name of the cell of the Summary that counts them.
  const formula = `IF(${ERRORS_OPEN}=0,${formulaText(noErrors)},${formulaText(errorsOpen)}&${ERRORS_OPEN}&${formulaText(tail)})`;
  const style = errors > 0 || isOff || isUnproven || isPartial || proof.length === 0 ? WARNING : GOOD;
  return { value: { formula, result }, style };
}

import { NOTHING_SETTLED, settledAmounts } from '../../../reports/settled.ts';
import type { Statement } from '../../../reports/statement/index.ts';
import { formatAmount, formatGrouped } from '../../money/index.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import { quoted } from '../workbook/names.ts';
import { exactNumber } from '../workbook/values.ts';
import { BAD, BAD_FIGURE, GOOD, WARNING } from './looks.ts';
import type { Page } from './page.ts';

const FORMAT = '"#,##0.00##"';

/**
 * The first lines: per currency what the merchant is short or ahead, and what is outstanding. Live over the figures below, so that
 * working through the mismatches moves them.
 */
export function addResult(page: Page, statement: Statement, currencies: readonly string[]): void {
  for (const currency of currencies) {
    const sentence = sentenceOf(page, statement, currency);
    const style = { ...lookOf(statement, currency), size: 12, indent: 1 };
    page.add([{ ...sentence, style, span: page.columns }], 22);
    page.conditionOn(0, page.columns - 1, `${currency}_SHORT<>0`, BAD_FIGURE);
  }
  if (currencies.length === 0) page.band(page.say('No money: the month holds no amount in any currency.'), WARNING, 22);
  page.gap(8);
}

function sentenceOf({ say }: Page, statement: Statement, currency: string): SheetCell {
  const line = statement.proof.find((one) => one.currency === currency);
  const { outstanding: due } = settledAmounts(statement.settled.get(currency) ?? NOTHING_SETTLED);
  const short = line?.short;
  const [shortText, dueText] = [short ? formatAmount(short) : '0.00', formatAmount(due)];
  const proven =
    line && line.ours === null
      ? `; ${say('not proven, there is no order book, so no figure of ours to set against it')}`
      : '';
  const unexplained =
    line?.unexplained && !line.unexplained.isZero()
      ? `; ${say("{amount} between the courier's figure and ours is unexplained", { amount: formatGrouped(line.unexplained) })}`
      : '';
  const tail = `${unexplained}${proven}.`;
  const side = !short || short.isZero() ? 'even' : short.isNegative() ? 'short' : 'ahead';
  const said = !short || short.isZero() ? '' : ` ${formatGrouped(short.abs())}`;
  const word = say('outstanding');
  const result = `${currency}: ${say(SAYS[side])}${said}; ${word} ${formatGrouped(due)}${tail}`;
  // What is shown as text cannot be reckoned with: then the sentence stands as it is.
  if (exactNumber(shortText) === null || exactNumber(dueText) === null) return { value: result };
  const [name, outstanding] = [`${currency}_SHORT`, `${currency}_OUTSTANDING`];
  const lead = (which: keyof typeof SAYS, then = '') => quoted(`${currency}: ${say(SAYS[which])}${then}`);
  const formula = `IF(${name}<0,${lead('short', ' ')}&TEXT(-${name},${FORMAT}),IF(${name}>0,${lead('ahead', ' ')}&TEXT(${name},${FORMAT}),${lead('even')}))&${quoted(`; ${word} `)}&TEXT(${outstanding},${FORMAT})&${quoted(tail)}`;
  return { value: { formula, result } };
}

const SAYS = {
  short: 'the merchant is short',
  ahead: 'the merchant is ahead',
  even: 'the merchant is neither short nor ahead, as far as was checked',
} as const;

function lookOf({ proof, warnings, skipped, uncompared }: Statement, currency: string): Style {
  const line = proof.find((one) => one.currency === currency);
  if (line && !line.short.isZero()) return BAD;
  const isWhole =
    line?.unexplained?.isZero() && warnings.length === 0 && skipped.length === 0 && uncompared.length === 0;
  return isWhole ? GOOD : WARNING;
}

/** The month as a whole: how many errors are open, live, and how far it could be checked. */
export function wholeResult({ say }: Page, statement: Statement): SheetCell {
  const { proof, mismatches, skipped, warnings, uncompared } = statement;
  const errors = mismatches.find(({ severity }) => severity === 'error')?.open ?? 0;
  const isUnproven = proof.some((line) => line.ours === null);
  const isOff = proof.some((line) => line.unexplained !== null && !line.unexplained.isZero());
  const isPartial = skipped.length > 0 || warnings.length > 0 || uncompared.length > 0;
  const rest = isOff
    ? say("money between the courier's figures and ours is unexplained.")
    : isUnproven
      ? say('without an order book there is no figure of ours to prove the invoices by.')
      : isPartial
        ? say('nothing is unexplained as far as could be checked: see the warnings and what was not checked, below.')
        : say("nothing between the courier's figures and ours is unexplained.");
  const none = `${say('No error is open')}; ${rest}`;
  const [one, some] = [say(' error is open: see Mismatches'), say(' errors are open: see Mismatches')];
  const result = errors === 0 ? none : `${errors}${errors === 1 ? one : some}; ${rest}`;
  const formula = `IF(ERRORS_OPEN=0,${quoted(none)},ERRORS_OPEN&IF(ERRORS_OPEN=1,${quoted(one)},${quoted(some)})&${quoted(`; ${rest}`)})`;
  const style = errors > 0 || isOff ? BAD : isUnproven || isPartial || proof.length === 0 ? WARNING : GOOD;
  return { value: { formula, result }, style };
}

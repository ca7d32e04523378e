import type { CurrencyBlock, Dashboard } from '../../../../reports/dashboard/model.ts';
import { formatGrouped } from '../../../money/index.ts';
import { escaped } from '../escape.ts';

/** The first lines: per currency what the merchant is short or ahead, and what is outstanding; then whether all of it was looked at. */
export function resultOf(model: Dashboard): string {
  const lines = model.blocks.map(
    (block) => `<p class="verdict ${toneOf(model, block)}">${escaped(sentenceOf(block))}</p>\n`,
  );
  if (lines.length === 0)
    lines.push('<p class="verdict unsure">No money: the month holds no amount in any currency.</p>\n');
  return `<section class="result" aria-label="Result">\n${lines.join('')}${wholeOf(model)}</section>\n`;
}

function sentenceOf({ currency, short, outstanding, proof }: CurrencyBlock): string {
  const result =
    short === null || short.isZero()
      ? 'the merchant is neither short nor ahead, as far as was checked'
      : `the merchant is ${short.isNegative() ? 'short' : 'ahead'} ${formatGrouped(short.abs())}`;
  const unexplained =
    proof?.unexplained && !proof.unexplained.isZero()
      ? `; ${formatGrouped(proof.unexplained)} between the courier’s figure and ours is unexplained`
      : '';
  const unproven =
    proof !== null && proof.ours === null ? '; not proven: there is no order book, so no figure of ours' : '';
  return `${currency}: ${result}; outstanding ${formatGrouped(outstanding)}${unexplained}${unproven}.`;
}

function toneOf(model: Dashboard, { short, proof }: CurrencyBlock): 'bad' | 'good' | 'unsure' {
  if (short !== null && !short.isZero()) return 'bad';
  return proof?.unexplained?.isZero() && isWhole(model) ? 'good' : 'unsure';
}

function isWhole({ incomplete, skipped, uncompared }: Dashboard): boolean {
  return incomplete.length === 0 && skipped.length === 0 && uncompared.length === 0;
}

/** What is missing is said where the result is read, not below the charts. */
function wholeOf(model: Dashboard): string {
  const { incomplete } = model;
  const lines = incomplete.map((why) => `<p class="missing">The month is incomplete: ${escaped(why)}.</p>\n`);
  if (isWhole(model)) return '<p>The month is complete, every check was run, and all of it could be compared.</p>\n';
  const rest =
    incomplete.length === 0 ? 'The month is complete, but not everything was checked' : 'Not everything was checked';
  const isUnlooked = model.skipped.length > 0 || model.uncompared.length > 0;
  return `${lines.join('')}${isUnlooked ? `<p class="missing">${rest}: see <a href="#not-checked">what was not</a>.</p>\n` : ''}`;
}

/** What was not checked or could not be compared, and why. */
export function limitsOf(model: Dashboard): string {
  const { skipped, uncompared } = model;
  const lines = [
    ...skipped.map(
      ({ why, codes }) => `<li><span class="codes">${escaped(codes.join(', '))}</span>: ${escaped(why)}</li>\n`,
    ),
    ...uncompared.map((sentence) => `<li>${escaped(sentence)}</li>\n`),
  ];
  const said =
    lines.length === 0
      ? '<p>Every check that this version knows was run, and all of it could be compared.</p>\n'
      : `<ul>\n${lines.join('')}</ul>\n`;
  return `<section class="panel wide" id="not-checked"><h2>Not checked, not comparable</h2>\n${said}</section>\n`;
}

import type { Dashboard, SeverityPanel } from '../../../../reports/dashboard/model.ts';
import { formatGrouped } from '../../../money/index.ts';
import { amountText } from '../../figures.ts';
import { escaped } from '../escape.ts';

const NAMES = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;

/** What is not resolved: how many of each severity and what they come to, with the way to the first of them. */
export function mismatchesOf({ severities, month }: Dashboard): string {
  const rows = severities.map((panel) => {
    const { severity, open, acknowledged, effect } = panel;
    const name = panel.first.length === 0 ? NAMES[severity] : `<a href="#${severity}">${NAMES[severity]}</a>`;
    const effects = [...effect].map(
      ([currency, amount]) => `<span class="whole">${escaped(`${formatGrouped(amount)} ${currency}`)}</span>`,
    );
    return `<tr><th scope="row">${name}</th><td class="figure">${open}</td><td class="figure">${acknowledged}</td><td>${effects.join(', ')}</td></tr>\n`;
  });
  const head =
    '<tr><th scope="col">Severity</th><th scope="col" class="figure">Open</th><th scope="col" class="figure">Acknowledged</th><th scope="col">Effect</th></tr>';
  return `<section class="panel wide" id="mismatches"><h2>Mismatches that are not resolved</h2>
<table class="counts"><thead>${head}</thead>\n<tbody>\n${rows.join('')}</tbody></table>
${severities.map((panel) => listOf(panel, month)).join('')}</section>\n`;
}

function listOf({ severity, first, open, acknowledged }: SeverityPanel, month: string): string {
  if (first.length === 0) return '';
  const items = first.map(({ id, code, effect, currency, message, status }) => {
    const money =
      effect === null || currency === null
        ? ''
        : ` <b class="whole">${escaped(`${amountText(effect)} ${currency}`)}</b>`;
    const state = status === 'open' ? '' : ` <i>${escaped(status)}</i>`;
    return `<li><span class="codes">${escaped(code)}</span>${money}${state} <span dir="auto">${escaped(message)}</span> <code class="whole">${escaped(id)}</code></li>\n`;
  });
  const more = open + acknowledged - first.length;
  const rest =
    more > 0 ? `<p>And ${more} more: <code>remit report mismatches ${escaped(month)}</code> lists them.</p>\n` : '';
  return `<h3 id="${severity}">${NAMES[severity]}</h3>\n<ul>\n${items.join('')}</ul>\n${rest}`;
}

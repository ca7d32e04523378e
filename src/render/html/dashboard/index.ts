import type { Dashboard } from '../../../../reports/dashboard/model.ts';
import type { Report } from '../../../../reports/model.ts';
import { instantForPeople } from '../../../instant.ts';
import { headingOf } from '../../heading.ts';
import { escaped } from '../escape.ts';
import { type PageOptions, pageEnd, pageHead } from '../page.ts';
import { BASE, PAPER } from '../style.ts';
import { blockOf } from './block.ts';
import { changesOf, lagsOf } from './courier.ts';
import { mismatchesOf } from './mismatches.ts';
import { limitsOf, resultOf } from './result.ts';
import { STYLE } from './style.ts';

/** A month on one page: what is to be known first comes first. */
export async function* dashboardPage(report: Report, model: Dashboard, options: PageOptions): AsyncGenerator<string> {
  yield pageHead(headingOf(report), `${BASE}${STYLE}${PAPER}`);
  yield `<main>\n${headOf(model)}${resultOf(model)}`;
  yield model.blocks.map(blockOf).join('');
  for (const sentence of model.basis) yield `<p>${escaped(sentence)}</p>\n`;
  yield `<div class="panels">\n${mismatchesOf(model)}${lagsOf(model)}${changesOf(model)}${limitsOf(model)}</div>\n`;
  for (const note of report.notes()) yield `<p>${escaped(note)}</p>\n`;
  yield `</main>\n${pageEnd(options)}`;
}

function headOf({ organisation, month, asOf }: Dashboard): string {
  const whose = organisation === null ? '' : `<p class="whose" dir="auto">${escaped(organisation)}</p>\n`;
  return `<header>${whose}<h1>Month at a glance, <span class="whole">${escaped(month)}</span></h1>
<p>As of <span class="whole">${escaped(instantForPeople(asOf))}</span>, when the last sync of the month ended</p></header>\n`;
}

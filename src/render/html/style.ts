/** Each row as a card: a line for each cell that is not empty, its column's title before it. */
const CARDS = `
  .rows { overflow: visible; max-height: none; width: auto; }
  wbr { display: inline; }
  table, tbody, tfoot, tr, td { display: block; width: auto; }
  thead { display: none; }
  tbody, tfoot { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); align-items: start; gap: .8rem; }
  tfoot { margin-top: .8rem; }
  tr { border: 1px solid var(--rule); border-radius: .4rem; padding: .3rem .7rem; }
  tfoot tr { border-width: 2px; }
  td { border: 0; padding: .15rem 0; text-align: right; direction: ltr; unicode-bidi: plaintext; overflow: hidden; white-space: normal; overflow-wrap: anywhere; min-width: 0; }
  tfoot tr:first-child td { border: 0; }
  td:empty { display: none; }
  td::before { content: attr(data-label); float: left; margin-right: 1rem; color: var(--faint); font-weight: 400; }
  td.wide { text-align: start; min-width: 0; }
  td.wide::before { float: none; display: block; text-align: left; }`;

const CARDS_ON_PAPER = `
  tbody, tfoot { grid-template-columns: repeat(4, 1fr); gap: .4rem; }
  tr { padding: .15rem .4rem; }
  td.wide { min-width: 0; }`;

/**
 * The CSS of a table's page: readable by day and by night, on a telephone and on paper.
 *
 * @param cardsBelow the width in rem below which the table becomes cards; null for a table that fits everywhere
 * @param cardsOnPaper whether it has too many columns for a sheet of paper
 */
export function styleOf({ cardsBelow, cardsOnPaper }: { cardsBelow: number | null; cardsOnPaper: boolean }): string {
  const cards = cardsBelow === null ? '' : `@media screen and (max-width: ${cardsBelow}rem) {${CARDS}\n}\n`;
  const paper = cardsOnPaper ? `@media print {${CARDS}${CARDS_ON_PAPER}\n}\n` : '';
  return `${BASE}${TABLE}\n${cards}${PAPER}${TABLE_ON_PAPER}${paper}`;
}

/** What every page has: its colours by day and by night, its font, its footer. */
export const BASE = `
:root { color-scheme: light dark; --ink: #1d1d1d; --faint: #595959; --ground: #fff; --head: #f1f3f5; --rule: #d9dce0; --bad: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --faint: #a8a8a8; --ground: #15171a; --head: #22262b; --rule: #363b42; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { font: 14px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: clamp(.8rem, 2vw, 1.5rem); }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; }
p, footer { color: var(--faint); max-width: 60rem; overflow-wrap: anywhere; }
footer { font-size: .85rem; margin-top: 2rem; }
.whole { white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; direction: ltr; }
.negative { color: var(--bad); }
`;

const TABLE = `
.rows { overflow: auto; max-height: calc(100vh - 6rem); margin: 1rem 0; width: fit-content; max-width: 100%; }
table { border-collapse: separate; border-spacing: 0; }
wbr { display: none; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; unicode-bidi: isolate; overflow-wrap: break-word; white-space: nowrap; }
.long { overflow-wrap: anywhere; min-width: 14rem; white-space: normal; }
thead th { position: sticky; top: 0; z-index: 1; background: var(--head); vertical-align: bottom; }
thead .figure { white-space: normal; }
.wide { min-width: clamp(22rem, 28vw, 30rem); white-space: normal; text-align: start; overflow-wrap: anywhere; }
tfoot td { font-weight: 600; }
tfoot tr:first-child td { border-top: 2px solid var(--faint); }
`;

/** Every page on paper: A4, black on white whatever the screen's colours are. */
export const PAPER = `
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { --ink: #000; --faint: #444; --ground: #fff; --head: #fff; --rule: #bbb; --bad: #900; color-scheme: light; }
  body { margin: 0; font-size: 9px; }
}
`;

const TABLE_ON_PAPER = `
@media print {
  .rows { overflow: visible; max-height: none; }
  wbr { display: inline; }
  thead { display: table-header-group; }
  thead th { position: static; border-bottom: 2px solid var(--faint); }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  th, td { padding: .15rem .3rem; white-space: normal; }
  .long { min-width: 6rem; }
  .wide { min-width: 12rem; }
}`;

/** The CSS of the dashboard: panels side by side where there is room, one under the other on a telephone. */
export const DASHBOARD_STYLE = `
:root { --due: #c77700; --done: #2e6f9e; --good: #2e7d4f; --track: #eceff2; }
@media (prefers-color-scheme: dark) {
  :root { --due: #f0a63c; --done: #6db3e8; --good: #6fca93; --track: #262b31; }
}
main { max-width: 90rem; }
a { color: inherit; }
.whose { margin: 0; font-weight: 600; }
header p { margin: .2rem 0 0; }
.result { margin: 1rem 0; }
.verdict { margin: .3rem 0; padding: .4rem .7rem; border-left: .4rem solid var(--due); background: var(--head); color: var(--ink); font-size: 1.1rem; font-weight: 600; max-width: none; }
.verdict.bad { border-color: var(--bad); }
.verdict.good { border-color: var(--good); }
.missing { margin: .3rem 0; color: var(--bad); }
h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
h3 { font-size: .95rem; margin: .8rem 0 .2rem; }
.block > h2 { font-size: 1.2rem; border-bottom: 2px solid var(--faint); margin-top: 1.4rem; }
.panels { columns: 26rem; column-gap: 2rem; }
.panels > * { break-inside: avoid; margin: 0 0 1rem; }
.panels + .panels, .block + .panels { margin-top: 1.4rem; border-top: 2px solid var(--faint); padding-top: 1rem; }
.panel { min-width: 0; }
.panel.wide { column-span: all; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { padding: .15rem .5rem .15rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: middle; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--faint); }
.counts { max-width: 40rem; }
.bars { table-layout: auto; }
.bars th:not([colspan]) { width: 40%; }
.bars .bar { width: 24%; min-width: 3.5rem; }
.bars .aside { color: var(--faint); font-size: .85em; width: 20%; padding-right: 0; overflow-wrap: normal; }
.counts td:last-child, .counts th:last-child { padding-left: 1.5rem; }
.bars .sum > * { font-weight: 600; border-bottom-color: var(--faint); }
td.figure { overflow-wrap: normal; }
svg { display: block; width: 100%; height: .8em; }
.track { fill: var(--track); }
.due { fill: var(--due); }
.done { fill: var(--done); }
rect.bad { fill: var(--bad); }
rect.good { fill: var(--good); }
.middle { stroke: var(--faint); stroke-width: 1; vector-effect: non-scaling-stroke; }
ul { margin: .2rem 0; padding-left: 1.1rem; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
.codes { color: var(--faint); }
code { font-size: .85em; color: var(--faint); }
@media screen and (max-width: 30rem) {
  .bars .bar { width: 20%; min-width: 2.5rem; }
}
@media print {
  :root { --due: #b36b00; --done: #2e6f9e; --good: #2e7d4f; --track: #eee; }
  .panels { columns: 3; column-gap: 1.2rem; }
  .panels > * { margin-bottom: .5rem; }
  h2, h3 { break-after: avoid; }
  table, li { break-inside: avoid; }
  .verdict { font-size: 11px; print-color-adjust: exact; }
  h1 { font-size: 14px; }
  h2, .block > h2 { font-size: 11px; margin-top: .6rem; }
  h3 { font-size: 10px; margin: .5rem 0 .1rem; }
}
`;

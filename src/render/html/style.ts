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

/** The looks of a page: readable by day and by night, on a telephone and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d1d1d; --faint: #595959; --ground: #fff; --head: #f1f3f5; --rule: #d9dce0; --bad: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --faint: #a8a8a8; --ground: #15171a; --head: #22262b; --rule: #363b42; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { font: 14px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 1.5rem; }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; }
p, footer { color: var(--faint); max-width: 60rem; overflow-wrap: anywhere; }
footer { font-size: .85rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; unicode-bidi: isolate; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: var(--head); vertical-align: bottom; overflow-wrap: normal; }
.whole { white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; direction: ltr; }
thead .figure { white-space: normal; }
.wide { min-width: 22rem; }
.negative { color: var(--bad); }
tfoot td { font-weight: 600; }
tfoot tr:first-child td { border-top: 2px solid var(--faint); }
@media screen and (max-width: 60rem) {
  body { margin: 1rem; }
  table.cards, .cards tbody, .cards tfoot, .cards tr, .cards td { display: block; width: auto; }
  .cards thead { display: none; }
  .cards tr { border: 1px solid var(--rule); border-radius: .4rem; margin-bottom: .8rem; padding: .3rem .7rem; }
  .cards td { display: flex; gap: 1rem; justify-content: space-between; border: 0; padding: .15rem 0; text-align: end; }
  .cards tfoot tr:first-child td { border: 0; }
  .cards tfoot tr { border-width: 2px; }
  .cards td:empty { display: none; }
  .cards td::before { content: attr(data-label); color: var(--faint); font-weight: 400; text-align: start; direction: ltr; flex: none; max-width: 45%; }
  .cards td.wide { display: block; min-width: 0; text-align: start; }
  .cards td.wide::before { display: block; max-width: none; }
}
@media print {
  :root { --ink: #000; --faint: #444; --ground: #fff; --head: #fff; --rule: #bbb; --bad: #900; color-scheme: light; }
  body { margin: 0; font-size: 9px; }
  thead { display: table-header-group; }
  thead th { position: static; border-bottom: 2px solid var(--faint); }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  th, td { padding: .15rem .3rem; }
  .wide { min-width: 14rem; }
}
@page { size: A4 landscape; margin: 12mm; }`;

/** The rows of a table as cards, in which each cell has its column's title: no figure is cut off. */
const cardsOf = (table: string) => `
  ${table}, ${table} :where(tbody, tfoot, tr) { display: block; }
  ${table} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${table} tr { border: 1px solid var(--rule); border-radius: .4rem; padding: .2rem .6rem; margin: 0 0 .6rem; }
  ${table} :where(td, tbody th) { display: flex; justify-content: space-between; gap: 1rem; min-width: 0; border: 0; padding: .15rem 0; white-space: normal; text-align: end; }
  ${table} caption { display: block; }
  ${table} tbody th { font-weight: 600; text-align: start; }
  ${table} tbody th .unseen { position: static; width: auto; height: auto; clip-path: none; }
  ${table} .group { border: 0; padding: 0; margin: 0; }
  ${table} td:empty { display: none; }
  ${table} td[data-label]::before { content: attr(data-label); color: var(--faint); text-align: start; direction: inherit; }
  ${table} .choose { justify-content: start; }
  ${table} .wide { text-align: start; }
`;

/**
 * The desk's one style sheet: by day and night, on a telephone, a wide screen and paper, from right to left too.
 * `.unseen` is for screen readers alone. `.rows` fades where it scrolls on (`cut`, towards `--away`).
 */
export const DESK_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1b1d20; --faint: #51565d; --ground: #fff; --head: #f1f3f5; --rule: #d5d9de; --link: #0b57a4; --field: #767c84;
  --bad: #b00020; --good: #1f6b3f; --due: #c77700; --done: #2e6f9e; --track: #eceff2; --mark: #ffe9a8; --chosen: #e8f1fb;
  --side: #f5f7f9; --act: #0b57a4; --on-act: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8e9eb; --faint: #b0b5bb; --ground: #15171a; --head: #22262b; --rule: #3a4047; --link: #8cc2f5; --field: #8a9199;
    --bad: #ff8a80; --good: #7fd6a3; --due: #f0a63c; --done: #6db3e8; --track: #262b31; --mark: #5c4a10; --chosen: #1d2b3a;
    --side: #1b1e22; --act: #8cc2f5; --on-act: #10151a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 15px/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: var(--ink); background: var(--ground); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: -100vw; padding: .6rem 1rem; background: var(--ground); z-index: 5; }
.skip:focus { inset-inline-start: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.frame { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); min-height: 100vh; }
header { background: var(--side); border-inline-end: 1px solid var(--rule); padding: .9rem .7rem; }
.whose { margin: 0; padding: 0 .6rem .5rem; overflow-wrap: anywhere; }
.brand { font-size: 1.25rem; font-weight: 700; letter-spacing: -.01em; margin: 0; padding: .1rem .6rem .5rem; }
nav p { font-size: .75rem; font-weight: 600; color: var(--faint); margin: .9rem 0 .15rem; padding-inline: .6rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .28rem .6rem; text-decoration: none; border-radius: .35rem; color: var(--ink); }
nav a:hover { background: var(--chosen); }
nav a[aria-current] { font-weight: 600; background: var(--chosen); box-shadow: inset .2rem 0 var(--act); }
[dir=rtl] nav a[aria-current] { box-shadow: inset -.2rem 0 var(--act); }
.desk { display: flex; flex-direction: column; min-width: 0; }
.menu { display: none; }
.search { display: flex; gap: .4rem; align-items: center; padding: .6rem clamp(.8rem, 2vw, 1.5rem); border-bottom: 1px solid var(--rule); }
.search input { flex: 0 1 26rem; min-width: 0; }
main { flex: 1; padding: 1rem clamp(.8rem, 2vw, 1.5rem) 2rem; max-width: 100rem; }
main:focus { outline: none; }
.heading { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; margin-bottom: .5rem; }
h1 { font-size: 1.5rem; margin: .2rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p { margin: .4rem 0; max-width: 70rem; overflow-wrap: anywhere; }
.hint, footer { color: var(--faint); }
.status, .badge { display: inline-block; font-weight: 600; font-size: .85rem; margin: 0; padding: .05rem .55rem; border: 1px solid currentColor; border-radius: 1rem; white-space: nowrap; }
.badge.error { color: var(--bad); }
.badge.warning { color: var(--ink); }
.badge.info, .badge.resolved { color: var(--faint); font-weight: 400; }
.heading .status { white-space: normal; }
.good { color: var(--good); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: .8rem; margin: .6rem 0 1.2rem; max-width: 76rem; }
.card { border: 1px solid var(--rule); border-radius: .5rem; padding: .7rem .9rem; min-width: 0; }
.card h2, .card h3 { margin: 0; font-size: .9rem; font-weight: 600; color: var(--faint); }
.card .big { font-size: 1.6rem; font-weight: 600; line-height: 1.35; margin: .1rem 0; overflow-wrap: anywhere; text-align: start; white-space: normal; }
.card p { margin: 0; }
.card .part { display: flex; justify-content: space-between; gap: .8rem; color: var(--faint); }
.card .part a { padding-block: .15rem; }
.card .big a { text-decoration: none; color: inherit; }
[dir=rtl] .card .big.figure { text-align: right; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 0 2rem; align-items: start; }
.panels > * { min-width: 0; }
.bad, .negative, tr.bad > *, tr.doubtful > * { color: var(--bad); }
.notice, .todo { border-inline-start: .35rem solid var(--due); background: var(--head); padding: .5rem .8rem; font-weight: 600; }
.notice { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; }
.notice p { margin: 0; }
.notice + * { margin-top: .6rem; }
.notice.done { border-color: var(--good); }
.field .bad { color: var(--bad); max-width: 30rem; }
.message { font-size: 1.05rem; border-inline-start: .35rem solid var(--due); padding-inline-start: .8rem; }
.message.done { border-color: var(--good); }
.rows { overflow-x: auto; max-width: 100%; margin: .5rem 0; --away: right; animation: cut linear; animation-timeline: scroll(self inline); }
[dir=rtl] .rows { --away: left; }
.rows:focus-visible { outline-offset: -3px; }
@property --before { syntax: "<length>"; inherits: false; initial-value: 0px; }
@property --after { syntax: "<length>"; inherits: false; initial-value: 0px; }
@keyframes cut {
  0% { --before: 0px; --after: 5rem; }
  0%, 100% { mask-image: linear-gradient(to var(--away), rgb(0 0 0 / .1), #000 var(--before), #000 calc(100% - var(--after)), rgb(0 0 0 / .1)); }
  5% { --before: 5rem; }
  95% { --after: 5rem; }
  100% { --before: 5rem; --after: 0px; }
}
@supports not (animation-timeline: scroll(self inline)) {
  .rows {
    background: linear-gradient(to right, var(--ground) 50%, transparent) left / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--ground) 50%, transparent) right / 3rem 100% no-repeat local,
      linear-gradient(to right, var(--faint), transparent) left / 1rem 100% no-repeat,
      linear-gradient(to left, var(--faint), transparent) right / 1rem 100% no-repeat;
  }
}
table { border-collapse: collapse; }
table + table { margin-top: .8rem; }
caption { text-align: start; font-weight: 600; padding: .3rem 0; }
th, td { padding: .38rem .6rem; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; font-weight: 400; unicode-bidi: isolate; }
thead th { background: var(--head); font-weight: 600; vertical-align: bottom; }
thead th a { color: inherit; }
td a, tbody th a { text-decoration: none; }
td a:hover, tbody th a:hover { text-decoration: underline; }
tbody tr:hover > * { background: var(--side); }
tbody th .hint, td .hint { display: block; font-size: .9rem; margin: .1rem 0 0; }
tfoot td { font-weight: 600; }
tfoot tr:first-child td { border-top: 2px solid var(--faint); }
.day { white-space: nowrap; }
.whole { white-space: nowrap; direction: ltr; }
[dir=rtl] .whole { text-align: right; }
td:not(.wide, .long) > a, td:not(.wide, .long) > code { white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; direction: ltr; unicode-bidi: isolate; }
thead .figure { white-space: normal; }
.wide { min-width: 18rem; overflow-wrap: anywhere; }
.list .wide { min-width: 14rem; }
.dense .wide { min-width: 11rem; }
.long { min-width: 12rem; overflow-wrap: anywhere; }
.sum > *, .total > * { font-weight: 600; border-top: 1px solid var(--faint); }
tr.current > * { background: var(--chosen); }
tr:has(.choose input:checked) > * { background: var(--chosen); }
.choose input { width: 1.2rem; height: 1.2rem; min-height: 0; margin: .1rem; }
mark { background: var(--mark); color: inherit; padding: 0 .15rem; }
.differs > th { font-weight: 600; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
code { direction: ltr; unicode-bidi: isolate; }
pre { background: var(--head); padding: .8rem; overflow: auto; max-height: 70vh; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .2rem 1.5rem; margin: .6rem 0; }
dl div { display: flex; gap: .6rem; border-bottom: 1px solid var(--rule); padding: .2rem 0; }
dt::first-letter, .sides th::first-letter, thead th::first-letter, caption::first-letter { text-transform: uppercase; }
details.aside { margin: .4rem 0; }
dt { color: var(--faint); flex: 0 0 9rem; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
form { margin: 0; }
.filters, .decide, .inline { display: flex; flex-wrap: wrap; gap: .5rem .8rem; align-items: end; margin: .6rem 0; }
.filters, .decide { background: var(--head); padding: .7rem; border: 1px solid var(--rule); border-radius: .4rem; }
.inline { margin: 0; flex-wrap: nowrap; }
#decide { position: sticky; top: 0; z-index: 2; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0; }
.chips a { padding: .15rem .7rem; border: 1px solid var(--field); border-radius: 1rem; text-decoration: none; color: var(--ink); }
.chips a[aria-current=true], .chips a[aria-current=true]:hover { box-shadow: none; background: var(--act); border-color: var(--act); color: var(--on-act); }
.group > th { font-weight: 600; padding-top: .8rem; }
.group + tr > td, .group + tr ~ tr > td { vertical-align: middle; }
.badge.open { font-weight: 600; }
.badge.acknowledged { color: var(--faint); }
details > .filters { background: none; border: 0; padding: .4rem 0 0; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; }
.actions.sync { align-items: end; }
.field { display: flex; flex-direction: column; gap: .1rem; }
.field span { color: var(--faint); font-size: .85rem; }
.field.long { flex: 1 1 16rem; }
input, select, button { font: inherit; color: inherit; min-height: 2.1rem; }
input:where(:not([type=checkbox], [type=radio])), select { background: var(--ground); border: 1px solid var(--field); border-radius: .3rem; padding: .2rem .45rem; max-width: 100%; min-width: 0; width: 11rem; }
.field.long input { width: 100%; }
.field input[type=file] { width: 100%; }
.inline .field input { width: 8rem; }
input::placeholder { color: var(--faint); opacity: 1; }
button { background: var(--ground); border: 1px solid var(--field); border-radius: .3rem; padding: .2rem .8rem; cursor: pointer; }
button:hover { background: var(--chosen); }
button.first { background: var(--act); border-color: var(--act); color: var(--on-act); font-weight: 600; }
button.first:hover { text-decoration: underline; }
summary { cursor: pointer; color: var(--link); }
summary:hover { text-decoration: underline; }
.gone { visibility: hidden; }
button:disabled { opacity: .55; cursor: default; }
.letter { max-height: none; overflow: visible; }
td.bad a { text-decoration: underline; }
td details[open] { min-width: 15rem; }
.check { display: flex; gap: .4rem; align-items: center; }
.check input { width: 1.2rem; min-height: 1.2rem; }
.bridges, .charts, .queue { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem 2rem; }
.queue > *, .bridges > *, .charts > * { min-width: 0; }
.queue .rows { max-height: 26rem; overflow: auto; }
.queue thead th { position: sticky; top: 0; }
.queue table, .figures { width: 100%; }
.queue .wide { min-width: 8rem; }
.dense { font-size: .87rem; }
.dense :where(th, td) { padding: .25rem .35rem; }
.figures { max-width: 48rem; }
.bridge { width: 100%; margin-bottom: .8rem; }
.bars { width: 100%; }
.bars .bar { width: 40%; min-width: 5rem; vertical-align: middle; }
.bar svg + svg { margin-top: .15rem; }
.bars thead th.due::before, .bars thead th.done::before { content: ""; display: inline-block; width: .6rem; height: .6rem; margin-inline-end: .35rem; background: var(--due); }
.bars thead th.done::before { background: var(--done); }
.bars .aside { display: none; }
svg { display: block; width: 100%; height: .9em; }
.track { fill: var(--track); }
.due { fill: var(--due); }
.done { fill: var(--done); }
rect.bad { fill: var(--bad); }
rect.good { fill: var(--good); }
[dir=rtl] svg { transform: scaleX(-1); }
ol.steps { list-style: none; padding: 0; margin: .4rem 0; display: grid; gap: .3rem; max-width: 60rem; }
.steps li { display: flex; flex-wrap: wrap; gap: .3rem .7rem; align-items: center; border-bottom: 1px solid var(--rule); padding: .3rem 0; }
.steps .hint { margin-inline-end: auto; }
.setup { max-width: 44rem; margin: 2rem auto; }
.setup fieldset { border: 1px solid var(--rule); border-radius: .5rem; margin: .8rem 0; padding: .6rem .9rem; display: grid; gap: .6rem; }
.setup legend { font-weight: 600; padding: 0 .3rem; }
.setup .brand { padding: 0; }
.today { list-style: none; padding: 0; margin: .3rem 0; max-width: 60rem; }
.today li { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; justify-content: space-between; border-bottom: 1px solid var(--rule); padding: .4rem 0; }
.paid { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: 1.1rem; margin: .6rem 0; }
.button { display: inline-block; min-height: 2.1rem; border: 1px solid var(--field); border-radius: .3rem; padding: .25rem .8rem; color: var(--ink); text-decoration: none; }
.button:hover { background: var(--chosen); }
.strip { list-style: none; display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 1.2rem 0; }
.strip li { border: 1px solid var(--rule); border-block-start: .25rem solid var(--due); border-radius: .35rem; padding: .35rem .8rem .45rem; display: grid; }
.strip .closed { border-block-start-color: var(--good); }
.strip .ready { border-block-start-color: var(--act); }
.strip a { font-weight: 600; text-decoration: none; }
.strip span { color: var(--faint); font-size: .85rem; }
.conditions { list-style: none; padding: 0; }
.conditions li { margin: .3rem 0; }
.met > span:first-child { color: var(--good); }
.unmet > span:first-child { color: var(--bad); }
.conditions .hint { margin: 0; margin-inline-start: 1.4rem; }
.tally, .chosen { font-weight: 600; }
.tally { flex-basis: 100%; }
.around a { margin-inline-end: 1rem; }
footer { border-top: 1px solid var(--rule); padding: .6rem clamp(.8rem, 2vw, 1.5rem); font-size: .9rem; }
.links { list-style: none; padding: 0; columns: 18rem; }
.links li { padding: .2rem 0; break-inside: avoid; }
@media (max-width: 60rem) {
  .frame { display: flex; flex-direction: column; }
  header { order: 2; border-inline-end: 0; border-top: 1px solid var(--rule); padding: .5rem .8rem; }
  .menu { display: inline-block; }
  search { display: flex; flex-wrap: wrap; align-items: center; padding-inline-start: .8rem; border-bottom: 1px solid var(--rule); }
  .search { border-bottom: 0; flex: 1; }
  .brand { padding: 0; }
  nav { display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
  nav p { display: none; }
  nav ul { display: flex; flex-wrap: wrap; }
  nav a { padding: .3rem .5rem; }
}
@media screen and (max-width: 60rem) {
  ${cardsOf('.broad')}
  .broad tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 2rem; }
  .broad .group > th { grid-column: 1 / -1; }
}
@media (max-width: 40rem) {
  .filters .field { flex: 1 1 8rem; }
  .filters .field > :where(input, select) { width: 100%; }
  .keys { display: none; }
  .inline { flex-wrap: wrap; }
  .wide { min-width: 13rem; }
  th, td { padding: .3rem .4rem; }
  dt { flex-basis: 7rem; }
  ${cardsOf('.list')}
  .figures :where(th, td), .bridge :where(th, td) { padding: .25rem .15rem; font-size: .87rem; }
  .figures th, .bridge th { overflow-wrap: anywhere; }
  .bars.list .bar { display: block; width: 100%; }
  .sides :where(th, td), .sides td > a { overflow-wrap: anywhere; white-space: normal; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { --ink: #000; --faint: #444; --ground: #fff; --head: #fff; --rule: #bbb; --bad: #900; --good: #000; --link: #000; color-scheme: light; }
  body { font-size: 9pt; }
  header, search, .skip, main form, main details, .choose, .around, .actions, .keys, .downloads, #close { display: none !important; }
  .frame { display: block; }
  main { padding: 0; max-width: none; }
  .queue .rows { max-height: none; }
  .queue thead th { position: static; }
  .rows, pre { overflow: visible; max-height: none; animation: none; background: none; }
  a { text-decoration: none; }
  thead { display: table-header-group; }
  tr, dl div { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; }
  table { font-size: 6.8pt; }
  th, td { padding: .1rem .15rem; }
  td { overflow-wrap: anywhere; }
  td.whole, td.figure { overflow-wrap: normal; }
  .wide, .long { min-width: 8rem; }
}
`;

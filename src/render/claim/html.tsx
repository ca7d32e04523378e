import type { VNode } from 'preact';
import type { Language } from '../../words/index.ts';
import { amountText } from '../figures.ts';
import { DocumentPage, documentOf } from '../html/page.tsx';
import { HtmlTable } from '../html/table.tsx';
import { type Letter, type LetterContents, type LetterPart, type LetterPoint, letterOf } from './letter.ts';

const STYLE = `
@page { size: A4 portrait; margin: 18mm 16mm; }
* { box-sizing: border-box; }
body { font: 11pt/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: #111; background: #fff; max-width: 190mm; margin: 1.5rem auto; padding: 0 1rem; }
header { display: flex; justify-content: space-between; gap: 1rem; font-weight: 600; }
address { font-style: normal; }
.to { margin-top: 1rem; }
h1 { font-size: 15pt; margin: 1.5rem 0 1rem; }
h2 { font-size: 12pt; margin: 1.5rem 0 .4rem; border-bottom: 1px solid #999; padding-bottom: .2rem; }
table { border-collapse: collapse; width: 100%; font-size: 9.5pt; }
th, td { text-align: start; vertical-align: top; padding: .3rem .4rem; border-bottom: 1px solid #ddd; overflow-wrap: break-word; }
th { border-bottom: 1px solid #777; white-space: nowrap; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
.figure { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.place { font-weight: 600; unicode-bidi: isolate; }
.sum { font-weight: 600; }
bdi { white-space: nowrap; }
.totals { width: auto; margin-top: 1.2rem; }
.totals td, .totals th { padding-inline-end: 1.2rem; }
.sign { margin-top: 2.5rem; }
h2, .totals { break-after: avoid; }
@media print { body { margin: 0; padding: 0; max-width: none; } }
`;

/** A claim as a letter to print on A4, in one HTML file. Text from outside is always text. */
export function claimPage(contents: LetterContents, language: Language): string {
  const letter = letterOf(contents, language);
  const page = (
    <DocumentPage title={[letter.heading, letter.from[0]].join(' · ')} language={language} css={STYLE}>
      <header>
        <address>
          {letter.from.map((line) => (
            <div dir="auto">{line}</div>
          ))}
        </address>
        <time dateTime={letter.on}>{letter.on}</time>
      </header>
      <main>
        <address class="to">
          {letter.to.map((line) => (
            <div dir="auto">{line}</div>
          ))}
        </address>
        <h1>{letter.heading}</h1>
        <p>{letter.salutation}</p>
        <p>{letter.opening}</p>
        {letter.owed.map((part) => (
          <Part part={part} letter={letter} />
        ))}
        <Totals letter={letter} />
        {letter.confirm && <Part part={letter.confirm} letter={letter} />}
        {letter.returns !== null && <p>{letter.returns}</p>}
        <p class="sign">
          {letter.closing}
          <br />
          <span dir="auto">{letter.from[0]}</span>
        </p>
      </main>
    </DocumentPage>
  );
  return documentOf(page);
}

function Part({ part, letter }: { readonly part: LetterPart; readonly letter: Letter }): VNode {
  const { section, title, about, points, sumFigures } = part;
  // The courier is asked to confirm some points: these claim no money, and have no columns for it.
  const isMoney = section !== 'confirm';
  const word = (name: 'what' | 'due' | 'received' | 'difference') =>
    letter.language.say({ id: 'claim-word', word: name });
  const figures = (['due', 'received', 'difference'] as const).map((name) => ({ title: word(name), class: 'figure' }));
  return (
    <section>
      <h2>{title}</h2>
      {about !== null && <p>{about}</p>}
      <HtmlTable heads={[{ title: '' }, { title: word('what') }, ...(isMoney ? figures : [])]}>
        {points.map((point) => (
          <Point point={point} isMoney={isMoney} />
        ))}
        {sumFigures.map(({ currency, due, received, difference }) => (
          <tr class="sum">
            <td />
            <td>{letter.language.say({ id: 'claim-part-sum', title })}</td>
            {[due, received, difference].map((decimal) => (
              <td class="figure">
                <bdi>{`${amountText(decimal)} ${currency}`}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </HtmlTable>
    </section>
  );
}

function Point({ point, isMoney }: { readonly point: LetterPoint; readonly isMoney: boolean }): VNode {
  const { number, place, what, figures, before, line } = point;
  const { due, received, claimed, currency, charged } = line;
  const paragraphs = [
    place === '' ? null : <Isolated text={place} look="place" />,
    <Isolated text={what} />,
    // In words, because the table has no columns for them: a charged and an agreed fee, and all figures in a part
    // without money.
    figures !== null && (charged !== null || !isMoney) ? <Isolated text={figures} /> : null,
    before === null ? null : <Isolated text={before} />,
  ].filter((paragraph) => paragraph !== null);
  return (
    <tr>
      <td class="figure">{number}</td>
      <td>
        {paragraphs.map((paragraph, index) => (
          <>
            {index > 0 && <br />}
            {paragraph}
          </>
        ))}
      </td>
      {isMoney &&
        [due, received, claimed].map((decimal) => (
          <td class="figure">{decimal !== null && <bdi>{`${amountText(decimal)} ${currency ?? ''}`}</bdi>}</td>
        ))}
    </tr>
  );
}

/** A text whose days and amounts are never broken over lines, and run from left to right amid Arabic. */
function Isolated({ text, look }: { readonly text: string; readonly look?: string }): VNode {
  // `split` keeps what the group matches: every second part is a day or an amount.
  const parts = text.split(/(\d{4}-\d{2}-\d{2}|-?\d[\d,]*\.\d+ [A-Z]{3}\b)/);
  return <span class={look}>{parts.map((part, place) => (place % 2 === 0 ? part : <bdi>{part}</bdi>))}</span>;
}

function Totals({ letter: { totalFigures, language } }: { readonly letter: Letter }): VNode | null {
  if (totalFigures.length === 0) return null;
  const { say } = language;
  const titles = [
    '',
    say({ id: 'claim-section', section: 'owed-to-us' }),
    say({ id: 'claim-section', section: 'owed-by-us' }),
    say({ id: 'claim-word', word: 'net' }),
  ];
  return (
    <HtmlTable class="totals" heads={titles.map((title) => ({ title, class: 'figure' }))}>
      {totalFigures.map(({ currency, owed_to_us, owed_by_us, net }) => (
        <tr class="sum">
          <th scope="row">{currency}</th>
          {[owed_to_us, owed_by_us, net].map((decimal) => (
            <td class="figure">
              <bdi>{amountText(decimal)}</bdi>
            </td>
          ))}
        </tr>
      ))}
    </HtmlTable>
  );
}

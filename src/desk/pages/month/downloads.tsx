import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import type { MonthModel } from '../../models.ts';
import { wordsOf } from '../parts/words.ts';

interface DownloadsProps {
  readonly model: MonthModel;
  readonly desk: DeskContext;
}

/** The month's files: the statement as a workbook and as a page to sign, what is disputed, and each report. */
export function Downloads({ model: { period, reports }, desk }: DownloadsProps): VNode {
  const { language, word } = wordsOf(desk);
  const files = [
    ['statement-workbook', `/months/${period}/statement?format=xlsx`],
    ['statement-page', `/months/${period}/statement?format=html`],
    ['dispute', `/months/${period}/dispute`],
  ] as const;
  const reportLinks = reports.map(({ name, title }) => ({ name, title: language.tables.titles[name] ?? title }));
  return (
    <section class="downloads">
      <h2>{word('downloads')}</h2>
      <ul>
        {files.map(([name, address]) => (
          <li>
            <a href={address} download>
              {word(name)}
            </a>
          </li>
        ))}
      </ul>
      <details>
        <summary>{word('reports')}</summary>
        <ul>
          {reportLinks.map(({ name, title }) => (
            <li>
              <a href={`/reports/${name}?month=${period}`}>{title}</a>{' '}
              <a href={`/reports/${name}?month=${period}&format=csv`} aria-label={`CSV, ${title}`}>
                CSV
              </a>{' '}
              <a href={`/reports/${name}?month=${period}&format=xlsx`} aria-label={`XLSX, ${title}`}>
                XLSX
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { nameOf } from '../../../../reports/names.ts';
import { VERSION } from '../../../base/version.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { wordsOf } from './words.ts';

type Place = readonly [address: string, word: DeskWord];

/** The places that every page leads to, in the order of a month end. */
const PLACES: readonly (readonly [heading: DeskWord, places: readonly Place[]])[] = [
  [
    'home-title',
    [
      ['/', 'home'],
      ['/mismatches', 'mismatches'],
      ['/receipts', 'receipts'],
      ['/settlements', 'settlements'],
      ['/claims', 'claims'],
      ['/closes', 'closes'],
    ],
  ],
  [
    'books',
    [
      ['/rows', 'rows'],
      ['/imports', 'imports'],
      ['/runs', 'runs'],
      ['/reports', 'reports'],
    ],
  ],
  [
    'people',
    [
      ['/decisions', 'decisions'],
      ['/approvals', 'approvals'],
      ['/views', 'views'],
    ],
  ],
];

interface ShellProps {
  readonly desk: DeskContext;
  /** What the page is about: its heading and the window's title. */
  readonly title: string;
  /** Beside the heading, such as a status. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the desk: where one can go, one search box, what the last form did, and the page's own content. */
export function Shell({ desk, title, beside, children }: ShellProps): VNode {
  const { language, word } = wordsOf(desk);
  const other = language.rightToLeft ? 'en' : 'ar';
  return (
    <html lang={language.code} dir={language.rightToLeft ? 'rtl' : 'ltr'}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · remit`}</title>
        <link rel="icon" href="/desk.svg" />
        <link rel="stylesheet" href="/desk.css" />
        <script src="/desk.js" defer />
      </head>
      <body>
        <a class="skip" href="#main">
          {word('skip')}
        </a>
        <div class="frame">
          <header>
            <p class="brand">remit</p>
            <p class="whose" dir="auto">
              {language.say(nameOf(desk.merchant))}
            </p>
            <nav aria-label={word('pages')}>
              {PLACES.map(([heading, places]) => (
                <>
                  <p aria-hidden="true">{word(heading)}</p>
                  <ul aria-label={word(heading)}>
                    {places.map(([address, name]) => (
                      <li>
                        <a href={address} aria-current={desk.path === address ? 'page' : undefined}>
                          {word(name)}
                        </a>
                      </li>
                    ))}
                  </ul>
                </>
              ))}
            </nav>
          </header>
          <div class="desk">
            <search>
              <form class="search" action="/search">
                <label for="q" class="unseen">
                  {word('search')}
                </label>
                <input id="q" name="q" type="search" maxLength={200} placeholder={word('search-for')} />
                <button type="submit">{word('find')}</button>
              </form>
            </search>
            <main id="main" tabIndex={-1}>
              <div class="heading">
                <h1 dir="auto">{title}</h1>
                {beside}
              </div>
              <Notice desk={desk} />
              {children}
            </main>
            <footer>
              <p>
                <bdi>{desk.user}</bdi> · {word(desk.readOnly ? 'may-only-read' : desk.role)} ·{' '}
                <a href={desk.link({ lang: other })} hreflang={other} lang={other}>
                  {word('other-language')}
                </a>{' '}
                · <a href={`/api/v1${desk.link({})}`}>JSON</a> · <bdi>remit {VERSION}</bdi>
              </p>
              <p class="keys">{word('keys')}</p>
            </footer>
          </div>
        </div>
      </body>
    </html>
  );
}

function Notice({ desk }: { readonly desk: DeskContext }): VNode | null {
  const { notice } = desk;
  const { word } = wordsOf(desk);
  if (notice === null) return null;
  return (
    <p class="notice" role="status">
      {notice.kind === 'done' ? (
        word('done')
      ) : (
        <>
          {word('waits')} <a href="/approvals">{`${word('approvals')}: ${notice.id}`}</a>
        </>
      )}
    </p>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { nameOf } from '../../../../reports/names.ts';
import { listReports } from '../../../app/report.ts';
import { VERSION } from '../../../base/version.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { Form } from './form.tsx';
import { PageHead } from './head.tsx';
import { explainedLine, PageContext, type PageWords, usePage, wordsOf } from './words.ts';

/** The menu of every page, in the order of a month end: headings, each with the words of its pages. */
const MENU: readonly (readonly [heading: DeskWord, pages: readonly DeskWord[]])[] = [
  ['home-title', ['home', 'mismatches', 'receipts', 'settlements', 'claims', 'closes']],
  ['books', ['rows', 'imports', 'runs', 'reports']],
  ['people', ['decisions', 'approvals', 'views']],
];

function addressOf(page: DeskWord): string {
  return page === 'home' ? '/' : `/${page}`;
}

/** What a person can do, and the page where it is done. */
const ACTIONS: readonly (readonly [address: string, word: DeskWord])[] = [
  ['/', 'sync-now'],
  ['/imports', 'drop-files'],
  ['/receipts', 'match-a-receipt'],
  ['/settlements', 'settle'],
  ['/mismatches?status=open', 'open-mismatches'],
];

/** Every page, action and report with its name and address, for the search box. */
export function searchTargetsOf({ language, word }: PageWords) {
  return [
    ...ACTIONS.map(([address, name]) => ({ name: word(name), address })),
    ...MENU.flatMap(([, pages]) => pages.map((page) => ({ name: word(page), address: addressOf(page) }))),
    ...listReports().map(({ name, title }) => ({
      name: language.tables.titles[name] ?? title,
      address: `/reports/${name}`,
    })),
  ];
}

/** Draws a page, in which `usePage` gives this context. */
export function inContext(desk: DeskContext, Page: () => VNode): VNode {
  return (
    <PageContext.Provider value={desk}>
      <Page />
    </PageContext.Provider>
  );
}

interface ShellProps {
  readonly title: string;
  readonly status?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of every page: the menu, the search box, what the last form did, the page's content, and the footer. */
export function Shell({ title, status, children }: ShellProps): VNode {
  const page = usePage();
  const { desk, language, word } = page;
  const otherLanguage = language.isRightToLeft ? 'en' : 'ar';
  // `data-return-to`: on a page that answers a form, the address that the script shows in place of the form's.
  return (
    <html lang={language.code} dir={language.isRightToLeft ? 'rtl' : 'ltr'}>
      <PageHead title={title}>
        <script src="/desk.js" defer />
      </PageHead>
      <body {...(desk.returnTo === null ? {} : { 'data-return-to': desk.returnTo })}>
        <a class="skip" href="#main">
          {word('skip')}
        </a>
        <div class="frame">
          <header>
            <p class="brand">remit</p>
            <p class="whose" dir="auto">
              {language.say(nameOf(desk.merchant))}
            </p>
            <nav id="menu" aria-label={word('pages')}>
              {MENU.map(([heading, pages]) => (
                <>
                  <p aria-hidden="true">{word(heading)}</p>
                  <ul aria-label={word(heading)}>
                    {pages.map((page) => (
                      <li>
                        <a href={addressOf(page)} aria-current={desk.path === addressOf(page) ? 'page' : undefined}>
                          {word(page)}
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
              <a class="menu" href="#menu">
                {word('menu')}
              </a>
              <form class="search" action="/search">
                <label for="q" class="unseen">
                  {word('search')}
                </label>
                <input
                  id="q"
                  name="q"
                  type="search"
                  list="commands"
                  maxLength={200}
                  placeholder={word('search-for')}
                  aria-keyshortcuts="/ Control+K Meta+K"
                />
                <datalist id="commands">
                  {searchTargetsOf(page).map(({ name }) => (
                    <option value={name} />
                  ))}
                </datalist>
                <button type="submit">{word('find')}</button>
              </form>
            </search>
            <main id="main" tabIndex={-1}>
              <div class="heading">
                <h1 dir="auto">{title}</h1>
                {status}
              </div>
              <Notice />
              {children}
            </main>
            <footer>
              <p>
                {desk.synced !== null && `${word('last-good-sync')}: ${ageOf(desk.synced, desk)} · `}
                <bdi>{desk.user}</bdi> · {word(desk.readOnly ? 'may-only-read' : desk.role)} ·{' '}
                <a href={desk.link({ lang: otherLanguage })} hreflang={otherLanguage} lang={otherLanguage}>
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

interface AlsoProps {
  readonly after: string;
  readonly children: ComponentChildren;
}

/** A name after a separator, such as ` · `. The letters of the name set its direction. */
export function Also({ after, children }: AlsoProps): VNode {
  return (
    <>
      {after}
      <bdi>{children}</bdi>
    </>
  );
}

const HOUR_MS = 3_600_000;

export function ageOf(at: string, desk: DeskContext): string {
  return wordsOf(desk).language.say({ id: 'desk-age', hours: hoursSince(at, desk) });
}

export function hoursSince(at: string, { now }: DeskContext): number {
  return Math.floor((now.getTime() - Date.parse(at)) / HOUR_MS);
}

/** What the last form did, with a button to undo it; or why it was refused. */
function Notice(): VNode | null {
  const { desk, language, word, explain } = usePage();
  const { notice, fault } = desk;
  if (fault !== null) {
    return (
      <p class="notice" role="alert">
        {explainedLine(fault.explanation, desk)}
      </p>
    );
  }
  if (notice === null) return null;
  const link = (address: string, name: DeskWord) => (
    <>
      {' '}
      <a href={address}>{word(name)}</a>
    </>
  );
  return (
    <div class="notice done">
      <p role="status">
        {language.say(notice.says)}
        {notice.see !== null && link(notice.see.address, notice.see.word)}
        {notice.isWaiting && link('/approvals', 'approvals')}
      </p>
      {notice.unchecked && (
        <p class="bad" role="alert">{`${word('not-checked-again')}: ${explain(notice.unchecked).message}.`}</p>
      )}
      {notice.undo !== null && (
        <Form
          action={`/decisions/${notice.undo}/undo`}
          class="inline"
          values={{ reason: word('undone-at-once'), back: desk.link({}) }}
        >
          <button type="submit">{word('undo')}</button>
        </Form>
      )}
    </div>
  );
}

import type { VNode } from 'preact';
import type { LanguageCode } from '../../words/index.ts';
import type { RefusedForm } from '../context.ts';
import { PageHead } from './parts/head.tsx';
import { explainedLine, wordsOf } from './parts/words.ts';

/** Why the form was refused, and how it was filled in. */
export type SetupFault = Omit<RefusedForm, 'path'>;

interface SetupProps {
  readonly language: LanguageCode;
  readonly timeZone: string;
  readonly user: string;
  readonly fault: SetupFault | null;
}

/** The page that sets up new books: with a courier's API, with couriers that send sheets, or as the demo. */
export function SetupPage({ language: code, timeZone, user, fault }: SetupProps): VNode {
  const { language, word } = wordsOf({ language: code });
  const why = fault && explainedLine(fault.explanation, { language: code });
  const field = (name: SetupField, proposed?: string) => {
    const isAtFault = fault?.field === name;
    // A key is never sent back to the page.
    const isSecret = name === 'api_key';
    return (
      <label class="field long">
        <span>{word(`setup-${name}`)}</span>
        <input
          {...(isSecret ? { type: 'password' } : { type: 'text', list: name === 'time_zone' ? 'zones' : undefined })}
          name={name}
          autoComplete="off"
          value={isSecret ? undefined : (fault?.values.get(name) ?? proposed)}
          aria-invalid={isAtFault || undefined}
          aria-describedby={isAtFault ? `why-${name}` : undefined}
        />
        {isAtFault && (
          <span class="bad" id={`why-${name}`}>
            {why}
          </span>
        )}
      </label>
    );
  };
  return (
    <html lang={language.code} dir={language.isRightToLeft ? 'rtl' : 'ltr'}>
      <PageHead title={word('set-up')} />
      <body>
        <main class="setup">
          <p class="brand">remit</p>
          <h1>{word('set-up')}</h1>
          <p class="hint">{word('setup-hint')}</p>
          {fault && (
            <p class="notice" role="alert">
              {why}
            </p>
          )}
          <form method="post" action="/setup" aria-label={word('set-up')}>
            <fieldset>
              <legend>{word('setup-by-api')}</legend>
              {field('api_url')}
              {field('api_key')}
              {field('courier_title')}
            </fieldset>
            <fieldset>
              <legend>{word('setup-by-sheets')}</legend>
              {field('sheets_of')}
            </fieldset>
            <fieldset>
              <legend>{word('setup-about-you')}</legend>
              {field('merchant_name')}
              {field('time_zone', timeZone)}
              <datalist id="zones">
                {Intl.supportedValuesOf('timeZone').map((zone) => (
                  <option value={zone} />
                ))}
              </datalist>
              {field('base_currency')}
              {field('payers')}
            </fieldset>
            <button type="submit" class="first">
              {word('set-up')}
            </button>
          </form>
          <form method="post" action="/setup" aria-label={word('try-demo')}>
            <input type="hidden" name="how" value="demo" />
            <p class="hint">{word('setup-demo-hint')}</p>
            <button type="submit">{word('try-demo')}</button>
          </form>
          <footer>
            <bdi>{user}</bdi>
          </footer>
        </main>
      </body>
    </html>
  );
}

type SetupField =
  | 'api_url'
  | 'api_key'
  | 'courier_title'
  | 'sheets_of'
  | 'merchant_name'
  | 'time_zone'
  | 'base_currency'
  | 'payers';

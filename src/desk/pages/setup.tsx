import type { VNode } from 'preact';
import type { LanguageCode } from '../../words/index.ts';
import type { RefusedForm } from '../context.ts';
import { LabelledInput, MainButton, Refused } from './parts/form.tsx';
import { PageHead } from './parts/head.tsx';
import { explainedLine, wordsOf } from './parts/words.ts';

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
  const refused = fault && { ...fault, why: explainedLine(fault.explanation, { language: code }) };
  const field = (name: SetupField) => (
    <LabelledInput
      label={word(`setup-${name}`)}
      name={name}
      class="long"
      type={name === 'api_key' ? 'password' : 'text'}
      {...(name === 'time_zone' && { value: timeZone, list: 'zones' })}
    />
  );
  return (
    <html lang={language.code} dir={language.isRightToLeft ? 'rtl' : 'ltr'}>
      <PageHead title={word('set-up')} />
      <body>
        <main class="setup">
          <p class="brand">remit</p>
          <h1>{word('set-up')}</h1>
          <p class="hint">{word('setup-hint')}</p>
          {refused && (
            <p class="notice" role="alert">
              {refused.why}
            </p>
          )}
          <form method="post" action="/setup" aria-label={word('set-up')}>
            <Refused.Provider value={refused}>
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
                {field('time_zone')}
                <datalist id="zones">
                  {Intl.supportedValuesOf('timeZone').map((zone) => (
                    <option value={zone} />
                  ))}
                </datalist>
                {field('base_currency')}
                {field('payers')}
              </fieldset>
            </Refused.Provider>
            <MainButton>{word('set-up')}</MainButton>
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

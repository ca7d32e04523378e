import type { VNode } from 'preact';
import type { MatchReport } from '../../../app/match/report.ts';
import type { DeskContext } from '../../context.ts';
import { Form } from './form.tsx';
import { wordsOf } from './words.ts';

interface PayersProps {
  readonly suggested: MatchReport['suggested_payers'];
  readonly desk: DeskContext;
  /** What the form sends besides the payer. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Senders of money whose lines match invoices, but who are not in the settings; a button adds each of them there. */
export function Payers({ suggested, desk, values = {} }: PayersProps): VNode | null {
  const { language, word } = wordsOf(desk);
  if (suggested.length === 0) return null;
  return (
    <section>
      <h2>{word('who-pays')}</h2>
      <p class="hint">{word('who-pays-hint')}</p>
      <ul>
        {suggested.map(({ name, lines, courier = '' }) => {
          const whose = desk.couriers.length > 1 ? courier : '';
          return (
            <li>
              <bdi>{name}</bdi>
              {': '}
              {language.say({ id: 'payer-lines', lines })}{' '}
              <Form desk={desk} action="/payers" class="inline" values={{ ...values, payer: name, pays_for: whose }}>
                <button type="submit">{language.say({ id: 'payer-is', payer: name, courier: whose })}</button>
              </Form>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

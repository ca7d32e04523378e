import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import type { MismatchesModel } from '../../models.ts';
import { Choice, CourierChoice, Field } from '../parts/form.tsx';
import { wordsOf } from '../parts/words.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const STATUSES = ['open', 'acknowledged', 'resolved'] as const;

/** The filters, which are in the address: what is shown can be kept as a view or sent to somebody. */
export function Filters({ model, desk }: { readonly model: MismatchesModel; readonly desk: DeskContext }): VNode {
  const { language, word } = wordsOf(desk);
  const value = (name: string) => desk.query.get(name) ?? '';
  const all: readonly [string, string] = ['', word('all')];
  return (
    <form class="filters" action="/mismatches" aria-label={word('filters')}>
      <Field label={word('text')} name="text" value={value('text')} />
      <Choice
        label={word('check')}
        name="code"
        value={value('code')}
        options={[all, ...model.codes.map((code) => [code, code] as const)]}
      />
      <Choice
        label={word('severity')}
        name="severity"
        value={value('severity')}
        options={[all, ...SEVERITIES.map((each) => [each, word(each)] as const)]}
      />
      <Choice
        label={word('status')}
        name="status"
        value={value('status')}
        options={[all, ...STATUSES.map((each) => [each, language.statuses[each]] as const)]}
      />
      <CourierChoice desk={desk} any={word('all')} />
      <Field label={word('month')} name="month" value={value('month')} />
      <Field label={word('invoice')} name="invoice" value={value('invoice')} />
      <Field label={word('order')} name="order" value={value('order')} />
      <Field label={word('currency')} name="currency" value={value('currency')} />
      <button type="submit">{word('filter')}</button>
      <a href="/mismatches">{word('no-filter')}</a>
      {model.views.length > 0 && (
        <span>
          {`${word('views')}: `}
          {model.views.map(({ name, address }) => (
            <>
              <a href={address} dir="auto">
                {name}
              </a>{' '}
            </>
          ))}
        </span>
      )}
    </form>
  );
}

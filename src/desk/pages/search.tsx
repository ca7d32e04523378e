import type { VNode } from 'preact';
import { HtmlTable } from '../../render/html/table.tsx';
import type { Models } from '../models.ts';
import { FieldName } from './parts/fields.tsx';
import { Shell, searchTargetsOf } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { usePage } from './parts/words.ts';

type Found = Models['search']['found'][number];

const PAGES: Readonly<Record<Found['kind'], string>> = {
  invoice: '/invoices/',
  order: '/orders/',
  receipt: '/receipts/',
  mismatch: '/mismatches/',
  run: '/runs/',
  close: '/closes/',
  month: '/months/',
};

/** What was found: the desk's pages and actions by their names, and what has the number, id, reference or amount. */
export function SearchPage({ query, found }: Models['search']): VNode {
  const page = usePage();
  const { desk, language, word } = page;
  const typed = query.trim().toLowerCase();
  const targets = typed === '' ? [] : searchTargetsOf(page).filter(({ name }) => name.toLowerCase().includes(typed));
  const showsCourier = (courier: string | null) => courier !== null && desk.couriers.length > 1;
  const addressOf = (kind: Found['kind'], id: string, courier: string | null) =>
    `${PAGES[kind]}${encodeURIComponent(id)}${showsCourier(courier) ? `?courier=${courier}` : ''}`;
  const heads = [{ title: word('what') }, { title: word('name') }, { title: word('found-by') }];
  return (
    <Shell title={word('search')}>
      <p>
        {`${word('searched-for')}: `}
        <bdi>{query}</bdi>
      </p>
      {found.length + targets.length === 0 && <p>{word('nothing-found')}</p>}
      {targets.length > 0 && (
        <ul class="links">
          {targets.map(({ name, address }) => (
            <li>
              <a href={address}>{name}</a>
            </li>
          ))}
        </ul>
      )}
      {found.length > 0 && (
        <Scrolls label={word('search')}>
          <HtmlTable heads={heads}>
            {found.map(({ courier, kind, id, by, field, currency }) => (
              <tr>
                <td>{word(kind)}</td>
                <th scope="row" dir="auto">
                  <a href={addressOf(kind, id, courier)}>{kind === 'month' ? language.month(id) : id}</a>
                  {showsCourier(courier) && ` · ${courier}`}
                </th>
                <td>
                  {word(`by-${by}`)} {field !== null && <FieldName name={field} />} {currency}
                </td>
              </tr>
            ))}
          </HtmlTable>
        </Scrolls>
      )}
    </Shell>
  );
}

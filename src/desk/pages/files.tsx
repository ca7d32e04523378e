import type { VNode } from 'preact';
import { amountText } from '../../render/figures.ts';
import { HtmlTable } from '../../render/html/table.tsx';
import type { DeskWord } from '../../words/sentences.ts';
import type { FilesModel } from '../models.ts';
import { Payers } from './parts/deciding-forms.tsx';
import { Form, MainButton } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { dated, usePage } from './parts/words.ts';

/** Parameters for the page on which a person names a file's columns: how the files were to be imported. */
function mapParameters({ kind, account, map, courier }: FilesModel['body']): Record<string, string> {
  return { ...(kind && { kind }), ...(account && { account }), ...(map && { map }), ...(courier && { courier }) };
}

type FileCounts = Pick<FilesModel['files'][number], 'lines' | 'new' | 'changed' | 'held' | 'skipped' | 'matches'>;

/** The counts of a file, by the word in their column's head. `new` counts the changed lines too. */
const COUNTS: readonly (readonly [word: DeskWord, countOf: (file: FileCounts) => number])[] = [
  ['lines', (file) => file.lines],
  ['new-lines', (file) => file.new - file.changed],
  ['changed-lines', (file) => file.changed],
  ['held-lines', (file) => file.held],
  ['left-out-lines', (file) => file.skipped],
  ['matched-lines', (file) => file.matches],
];
const ALWAYS_SHOWN: readonly DeskWord[] = ['lines', 'new-lines', 'held-lines'];

/** What would be imported from each file, and the button that imports them. */
export function FilesPage({ files, lines, seen, staged, unread, body }: FilesModel): VNode {
  const { desk, language, word } = usePage();
  const label = lines === 0 ? word('import-as-shown') : language.say({ id: 'decide', decision: 'importFiles', lines });
  // A new file is imported even if no line of it is new: it says that days had no lines, such as a quiet fortnight.
  const isAnyNew = files.some(({ refusals, is_known }) => refusals.length === 0 && !is_known);
  const hasBalances = files.some(({ balanced }) => balanced !== null);
  const hasMoney = files.some(({ sums }) => sums.length > 0);
  const counts = COUNTS.filter(
    ([name, countOf]) => ALWAYS_SHOWN.includes(name) || files.some((file) => countOf(file) !== 0),
  );
  const heads = [
    { title: word('file') },
    { title: word('what-it-holds') },
    { title: language.label({ column: 'account' }) },
    { title: word('days') },
    ...counts.map(([name]) => ({ title: word(name), class: 'figure' })),
    ...(hasBalances ? [{ title: word('adds-up') }] : []),
    ...(hasMoney ? [{ title: word('new-amount'), class: 'figure' }] : []),
  ];
  const values = Object.fromEntries(
    Object.entries({ ...body, staged }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return (
    <Shell title={word('imports')}>
      <p class="hint">{word('preview-hint')}</p>
      <Payers suggested={suggestedOf(files)} values={values} />
      <Scrolls label={word('imports')}>
        <HtmlTable class="dense" heads={heads}>
          {files.map(({ name, kind, account, days, balanced, sums, refusals, ...file }, index) => (
            <tr>
              <th scope="row" dir="auto">
                {name}
              </th>
              {refusals.length > 0 ? (
                <td class="bad" colSpan={heads.length - 1} dir="auto">
                  {refusals.map(({ why }) => why).join(' ')}
                  {unread[index] && (
                    <>
                      {' '}
                      <a href={`/maps/new?${new URLSearchParams({ import: unread[index], ...mapParameters(body) })}`}>
                        {word('map-columns')}
                      </a>
                    </>
                  )}
                </td>
              ) : (
                <>
                  <td>{kind === null ? null : word(`import-${kind}` as 'import-orders')}</td>
                  <td class="long" dir="auto">
                    {account}
                  </td>
                  <td dir="auto">{days?.map((day) => dated(day, desk)).join(' – ')}</td>
                  {counts.map(([, countOf]) => (
                    <td class="figure">{countOf(file)}</td>
                  ))}
                  {hasBalances && <td>{balanced === null ? '–' : word(balanced ? 'yes' : 'no')}</td>}
                  {hasMoney && (
                    <td class="figure">
                      {sums.map((sum) => (
                        <div>{`${amountText(sum.amount)} ${sum.currency}`}</div>
                      ))}
                    </td>
                  )}
                </>
              )}
            </tr>
          ))}
        </HtmlTable>
      </Scrolls>
      <Form seen={seen ?? desk.seen} action="/imports" class="actions" values={values}>
        {isAnyNew && <MainButton>{label}</MainButton>}
        {files.every(({ is_known }) => is_known) && <span role="status">{language.say({ id: 'import-known' })}</span>}
        <a href="/imports">{word('go-back')}</a>
      </Form>
    </Shell>
  );
}

/** The suggested payers of all files, each once: with the count of the file in which most of its lines match. */
function suggestedOf(files: FilesModel['files']) {
  const payers = files.flatMap((file) => file.suggested_payers).sort((a, b) => b.lines - a.lines);
  return payers.filter((payer, index) => {
    const first = payers.findIndex(({ name, courier }) => name === payer.name && courier === payer.courier);
    return first === index;
  });
}

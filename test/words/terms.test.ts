import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { MAP_FIELDS } from '../../src/imports/maps/column-map.ts';
import { booksError } from '../../src/words/errors/books.ts';
import { CELLS, COLUMNS, DECIDED, DESK, LABELS, STATES, type Term, TITLES } from '../../src/words/terms.ts';

/**
 * Said alike in English, and not in Arabic: a sheet about the statement, and whom a mismatch is about; a courier and a
 * person that refused; a step of the month, which is a noun, and what is done.
 */
const APART: ReadonlySet<string> = new Set(['About', 'refused', 'Matched', 'Claimed', 'Closed']);

it('one English term has one Arabic translation, wherever it stands', () => {
  // What was done is a verb in Arabic, so that DONE stands apart.
  const kinds = { STATES, COLUMNS, LABELS, DESK, DECIDED, ...CELLS };
  const translations = new Map<string, Map<string, string[]>>();
  for (const [kind, terms] of Object.entries(kinds)) {
    for (const [id, term] of Object.entries<Term | string>(terms)) {
      if (typeof term === 'string') continue;
      const said = translations.get(term[0]) ?? new Map<string, string[]>();
      const arabic = term[1].replace(/[\u2067\u2069]/g, '');
      translations.set(term[0], said.set(arabic, [...(said.get(arabic) ?? []), `${kind}.${id}`]));
    }
  }
  const several = [...translations].filter(([english, said]) => said.size > 1 && !APART.has(english));
  expect(several.map(([english, said]) => [english, Object.fromEntries(said)])).toEqual([]);
});

it('every column of every report has its heading, and every report its title', () => {
  const files = ['reports', 'src/app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'));
  const columns = texts.flatMap((text) => [
    ...[...text.matchAll(/\{ (?:of: '\w+', )?name: '(\w+)', type: '/g)].map(([, name]) => name!),
    // `columnsOf('order_id* paid:days', 'net')`
    ...[...text.matchAll(/columnsOf\([^)]*\)/g)]
      .flatMap(([call]) => call.match(/'[^']*'/g) ?? [])
      .flatMap((list) => list.match(/(?<=[' ])\w+/g) ?? []),
  ]);
  expect(columns.length).toBeGreaterThan(150);
  expect([...new Set(columns)].filter((name) => !Object.hasOwn(COLUMNS, name))).toEqual([]);
  expect(REPORTS.map(({ name }) => name).filter((name) => !Object.hasOwn(TITLES, name))).toEqual([]);
});

it('every field of a column map has its word', () => {
  const fields = Object.values(MAP_FIELDS).flatMap(({ all }) => all);
  expect([...new Set(fields)].filter((field) => !Object.hasOwn(COLUMNS, field))).toEqual([]);
});

it('what several couriers have is named by its kind', () => {
  const said = (name: string) =>
    booksError({ id: 'several-couriers-have', what: { kind: 'mismatches', name }, couriers: ['cedar', 'swift'] })
      .message;
  expect(['', 'c3606b', 'c3606b, 77aa10'].map(said)).toEqual([
    'several couriers have mismatches to choose from: cedar, swift',
    'several couriers have mismatch c3606b: cedar, swift',
    'several couriers have mismatches c3606b, 77aa10: cedar, swift',
  ]);
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';

it('docs/settings.md lists every setting with its default, and no other', () => {
  const page = readFileSync('docs/settings.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|\n]*\|[^|\n]*\| ([^|\n]+) \|/gm)].map(([, name, fallback]) => [
    name,
    fallback,
  ]);
  const settings = Object.entries(SETTINGS).map(([name, setting]) => {
    const said = { ledger: '`ledger.db`', time_zone: "the one on record, at first the machine's" }[name];
    return [name, said ?? ('default' in setting ? String(setting.default) : 'none')];
  });
  expect(rows).toEqual(settings);
});

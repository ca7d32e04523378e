import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';

it('docs/settings.md lists every setting with its default, and no other', () => {
  const page = readFileSync('docs/settings.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\|[^|]*\| ([^|]+) \|/gm)].map(([, name, fallback]) => [
    name,
    fallback,
  ]);
  const settings = Object.entries(SETTINGS).map(([name, setting]) => {
    const fallback = name === 'ledger' ? '`ledger.db`' : 'default' in setting ? String(setting.default) : 'none';
    return [name, fallback];
  });
  expect(rows).toEqual(settings);
});

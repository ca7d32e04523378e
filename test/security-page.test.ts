import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const rows = [
  ...readFileSync('docs/security.md', 'utf8').matchAll(/^\| ([^|]+) \| [^|]+ \| `([^`|]+)`: ([^|]+) \|$/gm),
];

it('docs/security.md names a test for each threat, and each is there under its name', () => {
  expect(rows.length).toBeGreaterThan(40);
  const wrong = rows.filter(([, , file, name]) => !existsSync(file!) || !readFileSync(file!, 'utf8').includes(name!));
  expect(wrong.map(([, threat, file, name]) => [threat, file, name])).toEqual([]);
  const lines = readFileSync('docs/security.md', 'utf8').split('\n');
  const table = lines.slice(lines.indexOf('|---|---|---|') + 1);
  expect(table.findIndex((line) => !line.startsWith('| '))).toBe(rows.length);
});

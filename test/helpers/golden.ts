import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

const FOLDER = path.join(import.meta.dirname, '..', 'goldens');

/** Compares a value with the one on record; `UPDATE_GOLDENS=1` records it anew, for a person to read the change. */
export function expectGolden(name: string, value: unknown): void {
  const file = path.join(FOLDER, `${name}.json`);
  if (process.env.UPDATE_GOLDENS) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  }
  expect(value).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

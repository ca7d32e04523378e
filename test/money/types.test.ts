import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIXTURE = path.join(import.meta.dirname, 'types/currencies.ts');
const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const scratch = mkdtempSync(path.join(tmpdir(), 'remit-types-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The errors that the compiler finds in a text which stands in for the fixture. */
function compile(name: string, text: string): string {
  const file = path.join(scratch, name);
  const sources = path.relative(scratch, path.join(ROOT, 'src')).split(path.sep).join('/');
  writeFileSync(file, text.replaceAll('../../../src/', `${sources}/`));
  const project = path.join(scratch, `${name}.json`);
  writeFileSync(
    project,
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [path.join(ROOT, 'node_modules/@types')] },
      include: [file],
    }),
  );
  try {
    execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('the types of money', () => {
  const fixture = readFileSync(FIXTURE, 'utf8');
  const markers = fixture.match(/\/\/ @ts-expect-error.*\n/g) ?? [];

  it('refuse what must not compile, and nothing else', () => {
    expect(markers.length).toBe(4);
    expect(compile('expected.mts', fixture)).toBe('');
  });

  it('are what refuses it: without its marker each line is an error', () => {
    const errors = compile('bare.mts', fixture.replace(/\/\/ @ts-expect-error.*\n/g, '\n'));
    expect(errors.match(/error TS/g)?.length).toBe(markers.length);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/folder.ts';

interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly map: object;
}
type Load = (chunk: string) => Record<string, unknown>;

// Plain JavaScript without types: the build runs it uncompiled.
const urlOf = (file: string) => pathToFileURL(path.resolve('src/bundle', file)).href;
let loaderOf: (folder: string, observer: { onChunk(name: string): void }) => Load;
let writePack: (folder: string, pack: string, chunks: Chunk[], elsewhere?: Map<string, string>) => void;
beforeAll(async () => {
  ({ loaderOf } = await import(urlOf('load.mjs')));
  ({ writePack } = await import(urlOf('pack.mjs')));
});

const chunk = (fileName: string, code: string): Chunk => ({
  fileName,
  code,
  map: { version: 3, sources: [], mappings: '' },
});

const SAID = 'Größe → ×/لبنان 😀';

function packed(): string {
  const folder = scratchFolder();
  const first = chunk(
    'first',
    `const path = require('node:path');
const second = require('./second');
exports.said = path.posix.join(second.words, 'لبنان 😀');
exports.isEmoji = /^[😀-😂]$/u.test('😁');
exports.again = () => require('./second') === second;`,
  );
  writePack(folder, 'remit', [first], new Map([['second', 'other']]));
  writePack(folder, 'other', [chunk('second', "exports.words = 'Größe → ×';")]);
  return folder;
}

it('a chunk is loaded once, from the pack that holds it, and its text in all scripts is as it was written', () => {
  const chunks: string[] = [];
  const load = loaderOf(packed(), { onChunk: (name) => chunks.push(name) });
  const { said, isEmoji, again } = load('first') as { said: string; isEmoji: boolean; again: () => boolean };
  expect({ said, isEmoji, again: again() }).toEqual({ said: SAID, isEmoji: true, again: true });
  load('second');
  expect(chunks).toEqual(['first', 'second']);
});

/** Loads `first` in a process of its own: within one, V8 remembers what it has compiled without any cache. */
function loadedApart(folder: string, withScript: string): unknown {
  const script = `import { writeCache } from ${JSON.stringify(urlOf('cache.mjs'))};
    import { loaderOf } from ${JSON.stringify(urlOf('load.mjs'))};
    const folder = ${JSON.stringify(folder)};
    const told = [];
    const onScript = (pack, script, source) => ${withScript};
    const { said } = loaderOf(folder, { onScript })('first');
    console.log(JSON.stringify({ said, told }));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}
const MAKE = 'writeCache(folder, pack, source, script.createCachedData())';
const TELL = 'told.push(script.cachedDataRejected)';
/** As V8 says it of a script that was given no cache. */
const WITHOUT = [null, null];

it('a code cache of this Node is taken', () => {
  const folder = packed();
  loadedApart(folder, MAKE);
  expect(loadedApart(folder, TELL)).toEqual({ said: SAID, told: [false, false] });
});

it('one that is damaged, cut off or empty is as good as none', () => {
  const folder = packed();
  expect(loadedApart(folder, TELL)).toEqual({ said: SAID, told: WITHOUT });
  loadedApart(folder, MAKE);
  const caches = readdirSync(folder).filter((name) => name.endsWith('.cache'));
  expect(caches).toHaveLength(2);
  const whole = new Map(caches.map((name) => [path.join(folder, name), readFileSync(path.join(folder, name))]));
  const spoilt: ((bytes: Buffer) => Uint8Array)[] = [
    (bytes) => bytes.fill(0, 0, 16),
    // V8 itself would run it, and crash or compute something else.
    (bytes) => bytes.fill(255, bytes.length / 2, bytes.length / 2 + 1),
    (bytes) => bytes.subarray(0, bytes.length - 1),
    (bytes) => bytes.subarray(0, 6),
    (bytes) => bytes.subarray(0, 0),
  ];
  for (const spoil of spoilt) {
    for (const [file, bytes] of whole) writeFileSync(file, spoil(Buffer.from(bytes)));
    expect(loadedApart(folder, TELL)).toEqual({ said: SAID, told: WITHOUT });
  }
});

it('one that was made of another text as long is not taken for it', () => {
  const folder = packed();
  loadedApart(folder, MAKE);
  writePack(folder, 'other', [chunk('second', "exports.words = 'Größe ← ×';")]);
  expect(loadedApart(folder, TELL)).toEqual({ said: SAID.replace('→', '←'), told: [false, null] });
});

it('a chunk that fails is begun anew when it is asked for again', () => {
  const folder = scratchFolder();
  writePack(folder, 'remit', [chunk('first', "exports.isBegun = true;\nexports.words = require('outside');")]);
  const load = loaderOf(folder, { onChunk: () => {} });
  for (const _ of [1, 2]) expect(() => load('first')).toThrow("Cannot find module 'outside'");
  const outside = path.join(folder, 'node_modules', 'outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(path.join(outside, 'index.js'), "module.exports = 'here';");
  expect(load('first')).toEqual({ isBegun: true, words: 'here' });
});

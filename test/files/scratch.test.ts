import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Scratch } from '../../src/files/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'remit-scratch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives back what it keeps, in pieces, and leaves nothing behind', async () => {
  const scratch = new Scratch(folder);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const first = await scratch.append(Buffer.from('before'));
  const second = await scratch.append(bytes);
  // A process that is killed now leaves no file, where an open file needs no name.
  if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([]);
  const pieces: Uint8Array[] = [];
  for await (const piece of scratch.read(second)) pieces.push(Uint8Array.from(piece));
  expect(pieces.length).toBeGreaterThan(1);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(first).toEqual({ from: 0, to: 6 });
  await scratch.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('makes no file as long as nothing is kept, and fails as the disk does', async () => {
  const unused = new Scratch(path.join(folder, 'missing'));
  await unused.close();
  const failing = new Scratch(path.join(folder, 'missing'));
  await expect(failing.append(Buffer.from('x'))).rejects.toMatchObject({ code: 'ENOENT' });
  await failing.close();
});

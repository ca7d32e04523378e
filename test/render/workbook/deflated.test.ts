import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Scratch } from '../../../src/files/index.ts';
import { type Deflated, Deflater, deflated, joined } from '../../../src/render/workbook/deflated.ts';

async function bytesOf(chunks: Deflated['chunks']): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for (const some of chunks) for await (const chunk of some) all.push(Uint8Array.from(chunk));
  return Buffer.concat(all);
}

it('joins pieces to what one piece would be, whichever was made first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.array(fc.string({ maxLength: 300 })), fc.string(), async (head, rows, foot) => {
      const deflater = new Deflater();
      for (const row of rows) {
        deflater.xml.add(row);
        if (row.length > 100) await deflater.flush();
      }
      const whole = Buffer.from(head + rows.join('') + foot);
      const { chunks, size, crc } = joined([deflated(head, false), deflater.end(), deflated(foot)]);
      expect(inflateRawSync(await bytesOf(chunks)).equals(whole)).toBe(true);
      expect([size, crc]).toEqual([whole.length, crc32(whole)]);
    }),
    { numRuns: 200 },
  );
});

it('gives the same whether what is long is held or kept in a file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-deflated-'));
  const scratch = new Scratch(folder);
  try {
    const [held, kept] = [new Deflater(), new Deflater(scratch)];
    for (let row = 0; row < 400_000; row += 1) {
      for (const deflater of [held, kept]) {
        deflater.xml.add(`${(row * 2_654_435_761) % 4_294_967_296}`);
        if (deflater.isFull) await deflater.flush();
      }
    }
    const [one, other] = [held.end(), kept.end()];
    expect(other.chunks.length).toBeGreaterThan(one.chunks.length);
    expect([other.size, other.crc]).toEqual([one.size, one.crc]);
    expect((await bytesOf(other.chunks)).equals(await bytesOf(one.chunks))).toBe(true);
  } finally {
    await scratch.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

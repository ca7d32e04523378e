import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Deflater, deflated, joined } from '../../../src/render/workbook/deflated.ts';

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
      expect(inflateRawSync(Buffer.concat(chunks)).equals(whole)).toBe(true);
      expect([size, crc]).toEqual([whole.length, crc32(whole)]);
    }),
    { numRuns: 200 },
  );
});

import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { withFixedDates } from '../../../src/render/workbook/zip-dates.ts';

const HEADERS =
  'PK\x03\x04\x14\x00\x08\x00\x08\x00 PK\x07\x08\x00\x00\x00\x00\x03\x00\x00\x00\x03\x00\x00\x00 PK\x01\x02 PK\x05\x06';
const CONTENTS = {
  'first.xml': '<a/>',
  'طلب.xml': HEADERS.repeat(40),
  'empty.xml': '',
  'last.xml': 'x'.repeat(70_000),
};

/** A zip whose entries end with descriptors, as exceljs' do. */
async function zipAt(date: Date, compression: 'STORE' | 'DEFLATE'): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(CONTENTS)) zip.file(name, Buffer.from(content, 'latin1'), { date });
  return zip.generateAsync({ type: 'nodebuffer', streamFiles: true, compression });
}

async function dated(zip: Buffer, size: number): Promise<Buffer> {
  const pieces = (async function* () {
    for (let at = 0; at < zip.length; at += size) yield Buffer.from(zip.subarray(at, at + size));
  })();
  const passed: Uint8Array[] = [];
  for await (const piece of withFixedDates(pieces)) passed.push(piece);
  return Buffer.concat(passed);
}

it.each([1, 13, 1_000, 1_000_000])(
  'has one date however it comes, here %d bytes at a time, and all it had',
  async (size) => {
    for (const compression of ['STORE', 'DEFLATE'] as const) {
      const [one, other] = await Promise.all(
        [new Date(2026, 9, 31, 23, 59), new Date(2031, 1, 2, 3, 4)].map(async (date) =>
          dated(await zipAt(date, compression), size),
        ),
      );
      expect(one!.equals(other!)).toBe(true);
      const read = await JSZip.loadAsync(one!, { checkCRC32: true });
      for (const [name, content] of Object.entries(CONTENTS)) {
        expect(read.file(name)!.date.toISOString()).toBe('1980-01-01T00:00:00.000Z');
        expect((await read.file(name)!.async('nodebuffer')).toString('latin1')).toBe(content);
      }
    }
  },
);

it('is refused where an entry is too large for sizes of four bytes', async () => {
  const zip = await zipAt(new Date(), 'DEFLATE');
  const descriptor = zip.indexOf('PK\x07\x08', 0, 'latin1');
  const larger = Buffer.concat([zip.subarray(0, descriptor + 12), Buffer.alloc(8), zip.subarray(descriptor + 12)]);
  await expect(dated(larger, 1_000)).rejects.toMatchObject({ code: 'file' });
});

import { FileError } from '../../base/errors.ts';
import { because } from '../../words/errors/rendering.ts';

/** Where a header has its time and date, how long it is, and where it has the lengths of what follows it. */
const HEADERS = new Map([
  ['PK\x03\x04', { date: 10, size: 30, lengths: [26, 28] }],
  ['PK\x01\x02', { date: 12, size: 46, lengths: [28, 30, 32] }],
]);
const ENTRY = 'PK\x03\x04';
const END = 'PK\x05\x06';
const SIGNATURE_SIZE = 4;
const DESCRIPTOR = Buffer.from('PK\x07\x08', 'latin1');
const DESCRIPTOR_SIZE = 16;
/** Midnight of 1980-01-01. */
const FIXED = 0x0021_0000;

/**
 * A zip as it comes, with one date in all of its headers: exceljs takes the clock's, and the same workbook is to have the same bytes. The
 * data of an entry ends where a descriptor says that as many bytes have passed.
 *
 * @throws FileError where an entry is larger than 4 GB, which not every spreadsheet program reads
 */
export async function* withFixedDates(zip: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  let next: 'header' | 'data' | 'end' = 'header';
  let passed = 0;
  for await (const piece of zip) {
    held = Buffer.concat([held, piece]);
    let at = 0;
    for (let before = -1; at > before; ) {
      before = at;
      const ahead = held.subarray(at);
      if (next === 'header') {
        const signature = ahead.toString('latin1', 0, SIGNATURE_SIZE);
        if (signature === END) next = 'end';
        at += signature === END ? ahead.length : datedHeader(signature, ahead);
        if (signature === ENTRY && at > before) [next, passed] = ['data', 0];
      } else if (next === 'data') {
        const data = dataBefore(ahead, passed);
        if (data !== null) next = 'header';
        at += data === null ? Math.max(0, ahead.length - DESCRIPTOR_SIZE + 1) : data + DESCRIPTOR_SIZE;
        passed += at - before;
      } else at = held.length;
    }
    yield held.subarray(0, at);
    held = held.subarray(at);
  }
}

/** Sets the date of a header. @returns how many bytes it has, with its names; 0 where it is not here whole */
function datedHeader(signature: string, ahead: Buffer): number {
  if (signature.length < SIGNATURE_SIZE) return 0;
  const header = HEADERS.get(signature);
  if (!header) throw new FileError(because({ id: 'workbook-too-large' }));
  if (ahead.length < header.size) return 0;
  const size = header.lengths.reduce((sum, at) => sum + ahead.readUInt16LE(at), header.size);
  if (ahead.length < size) return 0;
  ahead.writeUInt32LE(FIXED, header.date);
  return size;
}

/** How many of these bytes are data before their descriptor; null where it is not here whole. @param passed the data before them */
function dataBefore(ahead: Buffer, passed: number): number | null {
  for (let at = ahead.indexOf(DESCRIPTOR); at >= 0; at = ahead.indexOf(DESCRIPTOR, at + 1)) {
    if (at + DESCRIPTOR_SIZE > ahead.length) return null;
    if (ahead.readUInt32LE(at + 8) === (passed + at) % 2 ** 32) return at;
  }
  return null;
}

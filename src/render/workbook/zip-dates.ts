import { FileError } from '../../base/errors.ts';
import { renderingError } from '../../words/errors/rendering.ts';

/** A zip's two kinds of header by signature: the place of the date, the size in bytes, and the places of lengths. */
const HEADERS = new Map([
  ['PK\x03\x04', { date: 10, size: 30, lengths: [26, 28] }],
  ['PK\x01\x02', { date: 12, size: 46, lengths: [28, 30, 32] }],
]);
/** Begins the header of an entry, which its data follow. */
const ENTRY = 'PK\x03\x04';
/** Begins the last record of the file, which has no date. */
const END = 'PK\x05\x06';
const SIGNATURE_SIZE = 4;
const DESCRIPTOR = Buffer.from('PK\x07\x08', 'latin1');
const DESCRIPTOR_SIZE = 16;
/** Midnight of 1980-01-01, the first day of a zip, as time and date. */
const FIRST_DAY = 0x0021_0000;

/**
 * A streamed zip with one fixed date in all its headers, because exceljs writes the clock's and the same workbook must
 * have the same bytes. The file is a row of entries, each a header, data and a descriptor, then headers of the second
 * kind, then the end. No header states where its data ends: that is at the descriptor that states as many bytes as came
 * since the header.
 *
 * @throws FileError if a sheet or the file is larger than 4 GB, which no spreadsheet program reads
 */
export async function* withFixedDates(zip: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let unsent: Buffer = Buffer.alloc(0);
  let expected: 'header' | 'data' | 'end' = 'header';
  /** Bytes of the entry's data so far. */
  let passed = 0;
  for await (const piece of zip) {
    unsent = Buffer.concat([unsent, piece]);
    let offset = 0;
    // Goes on until the next header or descriptor is not whole yet: its other bytes come with a later piece.
    let size: number;
    do {
      const ahead = unsent.subarray(offset);
      size = 0;
      if (expected === 'header') {
        const signature = ahead.toString('latin1', 0, SIGNATURE_SIZE);
        if (signature === END) expected = 'end';
        else size = datedHeader(signature, ahead);
        if (signature === ENTRY && size > 0) {
          expected = 'data';
          passed = 0;
        }
      } else if (expected === 'data') {
        const data = dataBefore(ahead, passed);
        if (data !== null) expected = 'header';
        // Without a whole descriptor, the last bytes are kept: they may be the beginning of one.
        size = data === null ? Math.max(0, ahead.length - DESCRIPTOR_SIZE + 1) : data + DESCRIPTOR_SIZE;
        passed += size;
      }
      offset += size;
    } while (size > 0);
    if (expected === 'end') offset = unsent.length;
    yield unsent.subarray(0, offset);
    unsent = unsent.subarray(offset);
  }
}

/** Sets the date of a header. @returns its size in bytes, with its names; 0 if it is not complete yet */
function datedHeader(signature: string, ahead: Buffer): number {
  if (signature.length < SIGNATURE_SIZE) return 0;
  const header = HEADERS.get(signature);
  // A zip beyond 4 GB has records and longer descriptors of the form zip64.
  if (!header) throw new FileError(renderingError({ id: 'workbook-too-large' }));
  if (ahead.length < header.size) return 0;
  const size = header.lengths.reduce((sum, at) => sum + ahead.readUInt16LE(at), header.size);
  if (ahead.length < size) return 0;
  ahead.writeUInt32LE(FIRST_DAY, header.date);
  return size;
}

/** How many bytes of data come before a descriptor; null if it is not complete. @param passed the data before them */
function dataBefore(ahead: Buffer, passed: number): number | null {
  for (let at = ahead.indexOf(DESCRIPTOR); at >= 0; at = ahead.indexOf(DESCRIPTOR, at + 1)) {
    if (at + DESCRIPTOR_SIZE > ahead.length) return null;
    if (ahead.readUInt32LE(at + 8) === (passed + at) % 2 ** 32) return at;
  }
  return null;
}

import { Inflate } from 'fflate';
import { workbooksError } from '../../words/errors/workbooks.ts';
import { FileFault } from './fault.ts';

/** One file of a ZIP archive, as the archive's directory describes it. */
export interface ZipEntry {
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  /** In bytes, packed. */
  readonly packedSize: number;
  readonly method: number;
  readonly offset: number;
}

const MOST_ENTRIES = 2_000;
const MOST_BYTES = 256 * 1024 * 1024;
/** Sheets of similar rows shrink a hundredfold, ZIP bombs a thousandfold. */
const MOST_RATIO = 250;
const MEGABYTE = 1024 * 1024;
const CHUNK_BYTES = 16 * 1024;

// The signatures, methods, flags and limits of the ZIP format. Numbers that are added to a place below are the
// offsets of fields in the record there.
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const ZIP64 = 0xffffffff;

/**
 * Reads the directory of a ZIP archive, and checks it before anything is unpacked: how many files, how large, how far
 * packed.
 *
 * @throws FileFault when the archive is damaged, encrypted, or unpacks to more than a table of a bank or shop would
 */
export function zipDirectory(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > MOST_ENTRIES) throw new FileFault(workbooksError({ id: 'archive-of-many', count }));
  const entries = new Map<string, ZipEntry>();
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) {
      throw new FileFault(workbooksError({ id: 'directory-damaged' }));
    }
    const nameLength = view.getUint16(at + 28, true);
    const name = Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength))
      .toString('utf8')
      .replaceAll('\\', '/');
    const entry: ZipEntry = {
      name,
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw new FileFault(workbooksError({ id: 'archive-locked' }));
    if (entry.size === ZIP64 || entries.has(name)) throw new FileFault(workbooksError({ id: 'directory-damaged' }));
    if (entry.size > MEGABYTE && entry.size > entry.packedSize * MOST_RATIO) {
      throw new FileFault(workbooksError({ id: 'unpacks-too-far', times: Math.round(entry.size / entry.packedSize) }));
    }
    total += entry.size;
    if (total > MOST_BYTES)
      throw new FileFault(workbooksError({ id: 'unpacks-too-large', megabytes: MOST_BYTES / MEGABYTE }));
    entries.set(name, entry);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The place of the directory's last record, which has 22 bytes; a comment of up to 65,535 may follow it. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new FileFault(workbooksError({ id: 'directory-missing' }));
}

/**
 * Unpacks one file in pieces, and never more of it than the directory stated.
 *
 * @throws FileFault when it is damaged
 */
export function unpackEntry(bytes: Uint8Array, entry: ZipEntry, onChunk: (chunk: Uint8Array) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== LOCAL) {
    throw new FileFault(workbooksError({ id: 'part-damaged', part: entry.name }));
  }
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedSize);
  let size = 0;
  const take = (chunk: Uint8Array): void => {
    size += chunk.length;
    if (size > entry.size) throw new FileFault(workbooksError({ id: 'part-larger', part: entry.name }));
    onChunk(chunk);
  };
  if (entry.method === STORED) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) take(packed.subarray(at, at + CHUNK_BYTES));
  } else if (entry.method === DEFLATED) inflate(packed, entry, take);
  else throw new FileFault(workbooksError({ id: 'part-packing', part: entry.name }));
  if (size !== entry.size) throw new FileFault(workbooksError({ id: 'part-cut', part: entry.name }));
}

function inflate(packed: Uint8Array, entry: ZipEntry, take: (chunk: Uint8Array) => void): void {
  /** What `take` threw: it is the error to report, whatever the inflater makes of it. */
  let failed: unknown = null;
  const stream = new Inflate((chunk) => {
    try {
      take(chunk);
    } catch (error) {
      failed = error;
      throw error;
    }
  });
  try {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) {
      stream.push(packed.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= packed.length);
    }
  } catch {
    throw failed ?? new FileFault(workbooksError({ id: 'part-damaged', part: entry.name }));
  }
}

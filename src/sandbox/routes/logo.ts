import { crc32, deflateSync } from 'node:zlib';

const SIZE = 128;
const WHITE = [255, 255, 255];

/**
 * A merchant's logo as PNG: a tile in the brand colour with a white parcel on it.
 *
 * @param color a hex colour such as `#0F766E`
 */
export function logoPng(color: string): Buffer {
  const brand = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  for (let y = 0, at = 0; y < SIZE; y++) {
    rows[at++] = 0; // a row's filter: none
    for (let x = 0; x < SIZE; x++) {
      for (const channel of isParcel(x, y) ? WHITE : brand) rows[at++] = channel;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, RGB, default methods, not interlaced
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A box with a seam under its lid and a strip of tape across it. */
function isParcel(x: number, y: number): boolean {
  const inBox = x >= 32 && x < 96 && y >= 36 && y < 96;
  const seam = y >= 54 && y < 58;
  const tape = x >= 60 && x < 68 && y < 54;
  return inBox && !seam && !tape;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

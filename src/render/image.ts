/** A picture that a page can show. */
interface Image {
  readonly kind: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_BYTES = 2_000_000;

/** Reads a PNG's or JPEG's kind and size; null for any other file, which never gets onto a page. */
export function readImage(bytes: Uint8Array): Image | null {
  if (bytes.length > MAX_BYTES) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = pngSize(buffer) ?? jpegSize(buffer);
  return size && size.width > 0 && size.height > 0 ? { ...size, bytes } : null;
}

type Size = Pick<Image, 'kind' | 'width' | 'height'>;

function pngSize(buffer: Buffer): Size | null {
  if (buffer.length < 24 || !buffer.subarray(0, 8).equals(PNG) || buffer.toString('latin1', 12, 16) !== 'IHDR')
    return null;
  return { kind: 'png', width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
}

function jpegSize(buffer: Buffer): Size | null {
  if (buffer.length < 4 || buffer.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < buffer.length; ) {
    const marker = buffer.readUInt16BE(at);
    // Frame headers. The three markers left out lie in the same range and are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return { kind: 'jpeg', height: buffer.readUInt16BE(at + 5), width: buffer.readUInt16BE(at + 7) };
    }
    if (marker < 0xff01) return null;
    at += 2 + buffer.readUInt16BE(at + 2);
  }
  return null;
}

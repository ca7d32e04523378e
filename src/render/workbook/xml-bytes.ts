const FIRST = 1 << 16;
/** What a UTF-16 unit takes as UTF-8. */
const MOST_BYTES = 3;

/**
 * XML in the making, as bytes in one buffer that is used again and again: many short strings that wait to be joined would cost the garbage
 * collector more than their making. Whoever writes bytes asks for room first, and moves `length` on.
 */
export class XmlBytes {
  bytes = Buffer.allocUnsafeSlow(FIRST);
  /** The same bytes, for what is written several at a time. */
  view = viewOf(this.bytes);
  length = 0;

  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for so many bytes more; `bytes` and `view` may be of another buffer afterwards. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  add(text: string): void {
    this.reserve(text.length * MOST_BYTES);
    this.length += this.bytes.write(text, this.length);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** JSON that is ready to be sent. */
export class Ready {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Plain data as JSON, as `JSON.stringify` writes it; in lists and objects, parts may be ready. */
export function jsonOf(value: unknown): Buffer {
  const parts: Buffer[] = [];
  let text = '';
  const write = (part: unknown): void => {
    if (part instanceof Ready) {
      parts.push(Buffer.from(text), part.bytes);
      text = '';
    } else if (Array.isArray(part)) {
      text += '[';
      part.forEach((item, index) => {
        if (index > 0) text += ',';
        write(item);
      });
      text += ']';
    } else if (typeof part === 'object' && part !== null) {
      text += '{';
      let comma = '';
      for (const [name, item] of Object.entries(part)) {
        if (item === undefined) continue;
        text += `${comma}${JSON.stringify(name)}:`;
        comma = ',';
        write(item);
      }
      text += '}';
    } else {
      text += JSON.stringify(part ?? null);
    }
  };
  write(value);
  return parts.length === 0 ? Buffer.from(text) : Buffer.concat([...parts, Buffer.from(text)]);
}

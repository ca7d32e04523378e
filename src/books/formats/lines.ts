/** A text's lines, whichever ends they have: CRLF, LF and CR may be mixed, as they are where files were joined. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

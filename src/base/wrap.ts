/** Breaks a text between words so that each line, with its indent, fits a width; without a width it stays one line. */
export function wrapText(text: string, indent: string, width: number | undefined): string[] {
  if (width === undefined) return [indent + text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

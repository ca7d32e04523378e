/** The shell blocks of a Markdown text, in order. */
export interface ShellBlock {
  readonly line: number;
  readonly text: string;
  /**
   * Why a test cannot run it: what follows `<!-- test:` on the line before the block; null for a block that must run.
   */
  readonly skip: string | null;
}

/** Finds the ```sh blocks of a Markdown text. */
export function shellBlocks(markdown: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.trim() !== '```sh') continue;
    const end = lines.indexOf('```', at);
    const skip = /^<!--\s*test:\s*(.+?)\s*-->$/.exec(lines[at - 1] ?? '')?.[1] ?? null;
    blocks.push({ line: at + 1, text: lines.slice(at + 1, end).join('\n'), skip });
    at = end;
  }
  return blocks;
}

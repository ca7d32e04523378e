import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { freePort, standIns, waitsFor } from '../helpers/pages.ts';

const PAGE = 'docs/month-end.md';
const MARK = '==== block';

/** A block of commands, with the exits that the page announces and the lines that it shows. */
interface Step {
  readonly commands: string;
  readonly exits: readonly string[];
  readonly shown: readonly string[];
}

/** The page's shell blocks, each with the `text` block that follows it before the next. */
function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(sh|text)\n(.*?)\n```$/gms)].map(([, kind, text = '']) => ({ kind, text }));
  return blocks.flatMap(({ kind, text }, i) => {
    if (kind !== 'sh') return [];
    const next = blocks[i + 1];
    return {
      commands: text,
      exits: [...text.matchAll(/# exit (\d+)$/gm)].map(([, code = '']) => code),
      shown: next?.kind === 'text' ? next.text.split('\n') : [],
    };
  });
}

const plain = (text: string): string =>
  text
    .replace(/[\u200e\u200f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether a line is shown among others; `…` stands for anything within it. */
function isAmong(line: string, printed: string): boolean {
  const parts = plain(line)
    .split(' … ')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(parts.join('.*'));
  return printed.split('\n').some((one) => pattern.test(plain(one)));
}

it.skipIf(process.platform === 'win32')(
  'the month end goes as its page says: every command, every exit, every line that is shown',
  { timeout: 240_000 },
  async () => {
    const steps = stepsOf(readFileSync(PAGE, 'utf8'));
    expect(steps.length).toBeGreaterThan(10);
    const port = /--port (\d+)/.exec(steps.map(({ commands }) => commands).join('\n'))![1]!;
    const script = [
      `trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT`,
      `trap 'echo "==== exit $?"' ERR`,
      ...steps.flatMap(({ commands }) => [`echo "${MARK}"`, commands, ...waitsFor(commands)]),
    ].join('\n');
    const folder = scratchFolder();
    const { PATH, HOME, LANG } = process.env;
    const { stdout } = spawnSync(
      'bash',
      ['--norc', '-c', `exec 2>&1\n${script.replaceAll(port, String(await freePort()))}`],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${standIns(folder)}${path.delimiter}${PATH}`, HOME, LANG, NO_COLOR: '1' },
        timeout: 220_000,
      },
    );
    const printed = stdout.split(`${MARK}\n`).slice(1);
    expect(printed).toHaveLength(steps.length);
    for (const [i, { commands, exits, shown }] of steps.entries()) {
      const output = printed[i]!;
      const failed = [...output.matchAll(/^==== exit (\d+)$/gm)].map(([, code]) => code);
      expect({ commands, failed, output: failed.length > exits.length ? output : '' }).toEqual({
        commands,
        failed: exits,
        output: '',
      });
      expect({ output, missing: shown.filter((line) => !isAmong(line, output)) }).toEqual({ output, missing: [] });
    }
    // Beside what is missing in one currency stands no line of the bank in another: each invoice here was paid in two.
    const books = path.join(folder, 'books');
    const json = async (...argv: string[]) => JSON.parse((await remit([...argv, '--json'], { cwd: books })).stdout);
    const { mismatches } = await json('mismatch', 'list', '2026-01', '--status', 'all', '--code', 'remittance-short');
    const { sides } = await json('show', 'mismatch', mismatches[0].id);
    const amounts = sides.flatMap(({ fields }: { fields: object }) =>
      Object.keys(fields).filter((name) => /^amount /.test(name)),
    );
    expect([mismatches[0].currency, amounts]).toEqual(['USD', ['amount USD']]);
  },
);

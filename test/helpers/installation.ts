import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { scratchFolder } from './folder.ts';
import { runProgram } from './remit.ts';

/** A copy of the built command line, of which a test may damage the files. */
export interface Installation {
  readonly main: string;
  /** All its files but main.js, which Node itself reads. */
  readonly files: readonly string[];
}

export function copyInstallation(): Installation {
  const folder = scratchFolder();
  const bin = path.join(folder, 'dist', 'bin');
  cpSync('dist/bin', bin, { recursive: true, filter: (file) => !file.endsWith('.map') });
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction');
  const main = path.join(bin, 'main.js');
  const files = readdirSync(bin).map((name) => path.join(bin, name));
  return { main, files: files.filter((file) => file.endsWith('.js') && file !== main) };
}

/** Adds code behind other code in the file that has it. */
export function plant({ main, files }: Installation, own: string, more: string): void {
  const file = files.find((each) => readFileSync(each, 'utf8').includes(own))!;
  writeFileSync(file, readFileSync(file, 'utf8').replace(own, own + more));
  // By these sizes a program that was cut off is known.
  const sizes = path.join(path.dirname(main), 'files.json');
  const known = JSON.parse(readFileSync(sizes, 'utf8')) as Record<string, number>;
  writeFileSync(sizes, JSON.stringify({ ...known, [path.basename(file)]: statSync(file).size }));
}

const DAMAGES: Record<string, (file: string) => void> = {
  missing: rmSync,
  empty: (file) => truncateSync(file),
  'cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
};

/** Damages a file in each way, and expects a command to say so and do nothing. */
export async function expectDamageTold(
  { main }: Installation,
  file: string,
  args: readonly string[],
  cwd: string,
): Promise<void> {
  const whole = readFileSync(file);
  for (const [damage, make] of Object.entries(DAMAGES)) {
    make(file);
    const outcome = await runProgram(main, args, {}, cwd);
    expect([path.basename(file), damage, outcome]).toEqual([
      path.basename(file),
      damage,
      { code: 1, stdout: '', stderr: `remit: its own files are damaged: ${file}\n  → Install remit again.\n` },
    ]);
    writeFileSync(file, whole);
  }
}

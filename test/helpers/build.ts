import { spawnSync } from 'node:child_process';

/** Makes the command line where a source is newer than it: some tests run it as a process of its own. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, ['build.mjs', 'cli'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the command line could not be built');
}

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { scratchFolder } from '../helpers/folder.ts';

it('where remit lies file by file, for programs that import it, the process that reads files is that of the command line, which holds all that it needs', async () => {
  const dist = path.join(scratchFolder(), 'dist');
  const [src, bin] = [path.join(dist, 'src'), path.join(dist, 'bin')];
  for (const folder of [src, bin]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(src, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(path.join(bin, 'read-child.js'), "process.send('here', () => process.disconnect());\n");
  const built = path.join(src, 'base', 'program.js');
  const source = await rolldown({ input: 'src/base/program.ts', platform: 'node' });
  await source.write({ file: built });
  const { startChild }: typeof import('../../src/base/program.ts') = await import(pathToFileURL(built).href);
  const answer = await new Promise((resolve) => {
    const child = startChild('read-child', [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('message', resolve);
    child.once('close', (code) => resolve(`ended with ${code}`));
  });
  expect(answer).toBe('here');
});

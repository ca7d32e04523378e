import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { expectSameRecalculated, hasLibreOffice } from '../helpers/office.ts';
import { startCouriers } from '../helpers/three-couriers.ts';

describe.skipIf(!hasLibreOffice)('a statement that LibreOffice recalculates', () => {
  it('is the demo’s, to the last digit', async () => {
    const cwd = scratchFolder();
    const { stdout } = await remit(['demo', '--json'], { cwd, now: new Date('2026-11-20T10:00:00Z') });
    const { statement } = JSON.parse(stdout) as { statement: string };
    expect(await expectSameRecalculated(readFileSync(path.resolve(cwd, statement)))).toBeGreaterThan(100);
  });

  it('is that of each of two couriers, of months that were closed and moved since', async () => {
    const world = await startCouriers();
    onTestFinished(() => world.close());
    const books = world.books();
    books.setCouriers('cedar', 'olive');
    for (const name of ['cedar', 'olive'] as const) await books.bringFirst(name);
    for (const month of ['2026-09', '2026-10']) {
      const first = month === '2026-09' ? ['--first'] : [];
      const close = ['close', month, '--by', 'Rana', '--with-open', 'so it is', ...first];
      expect(await books.run(close)).toMatchObject({ code: 0 });
    }
    for (const name of ['cedar', 'olive'] as const) await books.bringRest(name);
    for (const month of ['2026-09', '2026-10'])
      for (const name of ['cedar', 'olive']) {
        const { file } = await books.json<{ file: string }>(['statement', month, '--courier', name]);
        expect(await expectSameRecalculated(readFileSync(path.resolve(books.folder, file)))).toBeGreaterThan(60);
      }
  });
});

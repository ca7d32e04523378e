import { expect, it } from 'vitest';
import { printedFaults } from '../helpers/adds-up.ts';
import { makeDemo } from '../helpers/demo-desk.ts';
import { printMonth } from '../helpers/print-month.ts';

it('what shows a total adds up in the demo, on every surface', async () => {
  const demo = await makeDemo();
  try {
    for (const month of ['2026-09', '2026-10', '2026-11']) {
      expect(await printedFaults(await printMonth(demo.folder, month, new Date('2026-11-20T10:00:00Z')))).toEqual([]);
    }
  } finally {
    demo.end();
  }
});

/**
 * Counts the cells of a workbook that hold something; a process of its own, for a child's peak of memory is never below
 * its parent's.
 */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';

const [file = ''] = process.argv.slice(2);
const sheets = unzipSync(readFileSync(file), { filter: ({ name }) => name.startsWith('xl/worksheets/sheet') });
let cells = 0;
for (const xml of Object.values(sheets)) {
  const bytes = Buffer.from(xml);
  for (let at = bytes.indexOf('</c>'); at !== -1; at = bytes.indexOf('</c>', at + 1)) cells += 1;
}
process.stdout.write(String(cells));

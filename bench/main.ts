import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchLedger } from './ledger.ts';
import { benchNights } from './nights.ts';
import { benchQuick } from './quick.ts';
import { benchService } from './service.ts';
import { benchSharing } from './sharing.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { orders: { type: 'string', default: '100000' }, rows: { type: 'string', default: '100000' } },
});
const CASES: Record<string, () => Promise<void>> = {
  quick: benchQuick,
  ledger: benchLedger,
  sharing: () => benchSharing(Number(values.rows)),
  nights: () => benchNights(Number(values.orders)),
  service: benchService,
};
const unknown = positionals.filter((name) => !(name in CASES));
if (unknown.length > 0)
  throw new Error(`no such case: ${unknown.join(', ')}; there are ${Object.keys(CASES).join(', ')}`);

const cpu = cpus()[0]?.model ?? 'unknown processor';
process.stdout.write(
  `Node ${process.version}, ${cpus().length} × ${cpu}, ${(totalmem() / 2 ** 30).toFixed(0)} GB\n` +
    'Whole processes, start-up included; medians of 5, peaks of all.\n',
);
for (const [name, bench] of Object.entries(CASES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stdout.write('\n');
  await bench();
}

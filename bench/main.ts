import { cpus, totalmem } from 'node:os';
import { benchLedger } from './ledger.ts';
import { benchQuick } from './quick.ts';
import { benchService } from './service.ts';

const cpu = cpus()[0]?.model ?? 'unknown processor';
process.stdout.write(
  `Node ${process.version}, ${cpus().length} × ${cpu}, ${(totalmem() / 2 ** 30).toFixed(0)} GB\n` +
    'Whole processes, start-up included; medians of 5, peaks of all.\n\n',
);
await benchQuick();
process.stdout.write('\n');
await benchLedger();
process.stdout.write('\n');
await benchService();

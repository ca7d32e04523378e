/** Preloaded into a measured process: leaves its peak memory, in MB, in the file that REMIT_BENCH_PEAK names. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.REMIT_BENCH_PEAK;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS / 1_024));
});

/** Preloaded into a measured process: leaves what it used in the file that REMIT_BENCH_USED names. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.REMIT_BENCH_USED;
  if (!file) return;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1_024 }));
});

/**
 * Preloaded into a measured process: leaves what it used in the file that REMIT_BENCH_USED names. No ES module: Node would load what reads
 * those, 5 ms beside Node doing nothing.
 */
const { writeFileSync } = require('node:fs') as typeof import('node:fs');

process.on('exit', () => {
  const file = process.env.REMIT_BENCH_USED;
  if (!file) return;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1_024 }));
});

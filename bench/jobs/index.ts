import { benchCheck } from './check.ts';
import { benchCouriers } from './couriers.ts';
import { benchDesk } from './desk.ts';
import type { Job } from './job.ts';
import { benchLatency } from './latency.ts';
import { benchOrderBook } from './order-book.ts';
import { benchOwnFiles } from './own-files.ts';
import { benchReading } from './reading.ts';
import { benchService } from './service.ts';
import { benchSharing } from './sharing.ts';
import { benchStart } from './start.ts';
import { benchStatement } from './statement.ts';
import { benchSync } from './sync.ts';
import { benchTotals } from './totals.ts';
import { benchWhole } from './whole.ts';

/** The jobs by name, in the order of the table. */
export const JOBS: Readonly<Record<string, Job>> = {
  start: benchStart,
  reading: benchReading,
  sync: benchSync,
  latency: benchLatency,
  'order-book': benchOrderBook,
  statement: benchStatement,
  totals: benchTotals,
  'own-files': benchOwnFiles,
  check: benchCheck,
  couriers: benchCouriers,
  service: benchService,
  sharing: benchSharing,
  desk: benchDesk,
  whole: benchWhole,
};

import { Logger, runMigrations } from 'graphile-worker';
import { describe, expect, it } from 'vitest';
import { MACHINE } from '../../../src/base/files/temporary.ts';
import { Nights } from '../../../src/ledger/fleet/nights.ts';
import { type NightJob, workQueue } from '../../../src/ledger/fleet/queue.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

describe.skipIf(!hasPostgres)('a run of the fleet', () => {
  it('has its nights though a worker of an earlier run died with a job of the same merchant', {
    timeout: 60_000,
  }, async () => {
    const { place } = await newDatabase({ create: 'template template0' });
    await Nights.using(place, async (nights) => {
      const pool = nights.pool!;
      const dead = `remit-${MACHINE}-999999-x`;
      await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
      await pool.query(
        `select graphile_worker.add_job('remit-night', payload := '{"merchant":"m001","run":1}', queue_name := 'night:m001',
           max_attempts := 4, job_key := 'night:m001')`,
      );
      await pool.query('update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = $1', [
        `${dead}/0`,
      ]);
      await pool.query('update graphile_worker._private_job_queues set locked_at = now(), locked_by = $1', [
        `${dead}/0`,
      ]);
      await nights.beat({ id: dead, machine: MACHINE, pid: 999_999, beat: 1 });

      const worked: NightJob[] = [];
      const lost: NightJob[] = [];
      await workQueue(nights, {
        ...{ run: 2, merchants: ['m001'], jobs: 1, attempts: 4, note: () => {} },
        signal: AbortSignal.timeout(45_000),
        work: async (job) => void worked.push(job),
        lost: async (job) => void lost.push(job),
      });
      expect(worked).toEqual([{ run: 2, merchant: 'm001', attempt: 1 }]);
      expect(lost).toEqual([]);
    });
  });
});

/** The thread that makes a new file and inserts rows, while the thread that sends them waits for their server. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type Explanation, LedgerError } from '../base/errors.ts';
import { fillTables } from './dialect/index.ts';
import { insertWritten } from './dialect/written-rows.ts';
import type { WrittenPart } from './dump.ts';
import { usingLedger } from './open.ts';

/** Rows to insert; null after the last. */
export type FillRequest = WrittenPart | null;

/** The answer to a request that is done: null, or why the file cannot be filled. */
export type FillAnswer = Explanation | null;

function answer(answer: FillAnswer): void {
  parentPort!.postMessage(answer);
}

async function insertReceived(file: string): Promise<void> {
  const requests = on(parentPort!, 'message') as AsyncIterable<[FillRequest]>;
  await usingLedger(file, { create: true }, ({ db }) =>
    fillTables(db, async (transaction) => {
      for await (const [part] of requests) {
        if (part === null) return;
        await transaction.executeQuery(insertWritten(part.table, part.rows));
        answer(null);
      }
    }),
  );
}

insertReceived(workerData)
  .then(
    () => answer(null),
    (error: unknown) => {
      if (!(error instanceof LedgerError)) throw error;
      answer(error.explanation);
    },
  )
  .finally(() => parentPort!.close());

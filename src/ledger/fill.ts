import { on } from 'node:events';
import { LedgerError } from '../base/errors.ts';
import { startThread } from '../base/program.ts';
import type { WrittenPart } from './dump.ts';
import type { FillAnswer, FillRequest } from './fill-thread.ts';

/** How many parts may wait for the thread, so that memory stays bounded. */
const MOST_WAITING = 16;

/**
 * Makes a ledger in a new file, and fills its tables in a thread: to insert rows takes as long as a server takes to
 * send them.
 *
 * @param parts of all tables, in the order in which they are inserted
 * @throws LedgerError when the file cannot be written
 */
export async function fillFile(file: string, parts: AsyncIterable<WrittenPart>): Promise<void> {
  const thread = startThread('fill-thread', { workerData: file, execArgv: [] });
  const answers = on(thread, 'message', { close: ['exit'] }) as AsyncIterableIterator<[FillAnswer]>;
  let waiting = 0;
  const send = async (request: FillRequest, most: number) => {
    thread.postMessage(request);
    for (waiting += 1; waiting > most; waiting -= 1) {
      const { value } = await answers.next();
      if (value === undefined) throw new Error('the thread that fills a file ended');
      const [failure] = value;
      if (failure !== null) throw new LedgerError(failure);
    }
  };
  try {
    for await (const { table, rows } of parts) {
      // One text reaches a thread sooner than many.
      if (rows.length > 0) await send({ table, rows: [rows.join(',')] }, MOST_WAITING);
    }
    await send(null, 0);
  } finally {
    await thread.terminate();
  }
}

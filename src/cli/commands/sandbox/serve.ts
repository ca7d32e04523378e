import path from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { RequestEntry } from '../../../sandbox/app.ts';
import type { ResultShape } from '../../../sandbox/index.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import { stopped } from '../../io.ts';
import type { Session } from '../../session.ts';
import { dataOption } from './data.ts';

export const declare = (start: Start) =>
  new Command('serve')
    .summary('serve the API until stopped')
    .description('Serves the API; when it is ready, prints its base URL. Stop it with Ctrl-C.')
    .addOption(dataOption())
    .option('--port <n>', 'the port; 0 chooses a free one', wholeNumber(0), 0)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(
      new Option('--results <shape>', 'how lists are wrapped')
        .choices(['flat', 'array', 'wrapper', 'object'] as const)
        .default('flat' as const),
    )
    .option('--operator-port <n>', "serve the operator's API too, on this machine only", wholeNumber(0))
    .option('--faults <spec>', 'fail on demand, such as 500=0.1,latency=20..80,seed=7')
    .addHelpText(...example('remit sandbox serve --data courier.db --port 8080'))
    .action((options) => start('sandbox serve', options, serve));

interface ServeInput {
  readonly data: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly host: string;
  readonly results: ResultShape;
  readonly operatorPort?: number | undefined;
  /** Faults on demand, such as `500=0.1,latency=20..80,seed=7`; see `parseFaults`. */
  readonly faults?: string | undefined;
}

async function serve(session: Session, { data, faults, ...options }: ServeInput): Promise<number> {
  const { parseFaults } = await import('../../../sandbox/faults/faults.ts');
  const { startSandbox } = await import('../../../sandbox/index.ts');
  const { io } = session;
  const log = requestLog(session);
  const sandbox = await startSandbox({
    ...options,
    file: path.resolve(io.cwd, data),
    now: io.now,
    ...(faults === undefined ? {} : { faults: parseFaults(faults) }),
    ...(session.quiet ? {} : { log: log.add }),
  });
  try {
    if (session.json) {
      session.resultJson({ url: sandbox.url, docs_url: sandbox.docsUrl, operator_url: sandbox.operatorUrl });
    } else {
      session.result(sandbox.url);
      session.note(`The API is described at ${sandbox.docsUrl}; stop the service with Ctrl-C.`);
      if (sandbox.operatorUrl) session.note(`The operator's API is at ${sandbox.operatorUrl}`);
    }
    await stopped(io.signal);
  } finally {
    await sandbox.close();
    log.flush();
  }
  return 0;
}

/** Lines of the log are collected for this long, and then written together. */
const FLUSH_AFTER_MS = 100;

function requestLog(session: Session) {
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) session.note(lines.join('\n'));
    lines = [];
  };
  const add = (entry: RequestEntry) => {
    if (lines.length === 0) setTimeout(flush, FLUSH_AFTER_MS).unref();
    lines.push(lineOf(entry));
  };
  return { add, flush };
}

function lineOf(entry: RequestEntry): string {
  const { id, merchant, method, path: at, status, milliseconds, error } = entry;
  const line = `${id} merchant ${merchant ?? '-'} ${method} ${at} ${status} ${milliseconds} ms`;
  return error === undefined ? line : `${line}: ${error instanceof Error ? error.message : String(error)}`;
}

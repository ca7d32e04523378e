import {
  type Answer,
  type CallInput,
  type Client,
  type Operation,
  type Page,
  previewRequest,
} from '../../courier/index.ts';
import { escapeMarks } from '../../text.ts';
import { fillInput } from './fill.ts';
import { findOperation } from './find-operation.ts';
import { operationLines, operationRows } from './list-operations.ts';

export interface ApiOptions {
  /** Without one, all operations are listed. */
  operation?: string | undefined;
  /** `key=value`, by the names on the wire. */
  pairs: readonly string[];
  /** JSON, or `@FILE` with a file that holds it. */
  body?: string | undefined;
  /** Print the request, with stars for the key, and send nothing. */
  dryRun: boolean;
  json: boolean;
}

export interface ApiContext {
  /** Called only when something is sent. */
  client: () => Promise<Client>;
  /** Called only for a preview. */
  baseUrl: () => Promise<string>;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  readFile: (path: string) => Promise<string> | string;
}

/**
 * `remit api`: runs any of the 18 operations and prints the answer; with `json` the body exactly as received.
 *
 * @returns 0; 1 when the answer holds items that cannot be read, each named on standard error
 * @throws UsageError for an operation, key or value that does not fit; what the client throws
 */
export async function runApi(options: ApiOptions, context: ApiContext): Promise<number> {
  const print = (text: string) => context.stdout.write(`${text}\n`);
  if (options.operation === undefined) {
    print(options.json ? JSON.stringify(operationRows()) : operationLines().join('\n'));
    return 0;
  }
  const operation = findOperation(options.operation);
  const { body } = options;
  const bodyText = body?.startsWith('@') ? await context.readFile(body.slice(1)) : body;
  const input = fillInput(operation, options.pairs, bodyText);
  if (options.dryRun) {
    print(preview(operation, input, await context.baseUrl(), options.json));
    return 0;
  }
  const client = await context.client();
  const answer = await client.call(operation, input);
  print(answerText(answer, options.json));
  const faults = 'items' in answer ? answer.items.flatMap((item) => (item.ok ? [] : [item.fault.message])) : [];
  for (const fault of faults) context.stderr.write(`remit: ${fault}\n`);
  return faults.length > 0 ? 1 : 0;
}

function preview(operation: Operation, input: CallInput, baseUrl: string, json: boolean): string {
  const { method, url, headers } = previewRequest(baseUrl, operation, input);
  if (json) return JSON.stringify({ method, url, headers, body: input.body ?? null });
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [...lines, ...(input.body === undefined ? [] : ['', readable(input.body)])].join('\n');
}

function answerText({ body, status }: Answer<unknown> | Page<unknown>, json: boolean): string {
  if (body.length === 0) return json ? 'null' : `Done (${status}); the answer has no body.`;
  const text = body.toString('utf8');
  return json ? text : readable(JSON.parse(text.replace(/^\ufeff/, '')));
}

function readable(value: unknown): string {
  return escapeMarks(JSON.stringify(value, null, 2));
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { OperationRow, previewCall } from '../../app/api/call.ts';
import { escapeMarks, wrapText } from '../../base/text.ts';
import { apiUrlOption, example, printAnswer, type Start } from '../command.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

export const declare = (start: Start) =>
  new Command('api')
    .summary('call any operation of the API; without a name, list them')
    .description('Calls an operation of the API and prints the answer. Without a name: lists the operations.')
    .argument('[operation]', 'the operation')
    .argument('[key=value...]', 'values of its path, its query and its body')
    .option('--body <json>', 'the body as JSON, or @FILE')
    .option('--dry-run', 'print the request, with the key masked, and send nothing')
    .addOption(apiUrlOption())
    .addHelpText(
      ...example('remit api invoices year=2026 month=10', 'remit api create-order --body @order.json --dry-run'),
    )
    .action((operation, pairs, options) => start('api', { operation, pairs, ...options }, api));

export const completes = async () => ({
  operation: (await import('../../app/api/call.ts')).listOperations().map((row) => row.operation),
});

type ApiInput = SettingInput & Texts<'operation' | 'body'> & Flags<'dryRun'> & { readonly pairs: readonly string[] };

/**
 * Calls an operation; `--json` prints the body exactly as received. Listing the operations needs no settings, a dry run
 * no key, and nothing a ledger. A mistake in what was typed is reported before a missing setting.
 *
 * @returns 0; 1 if the answer has items that cannot be read, each named on standard error
 */
async function api(session: Session, { operation, pairs, body, dryRun, ...settings }: ApiInput): Promise<number> {
  const { listOperations, makeCall, previewCall, readCall } = await import('../../app/api/call.ts');
  if (operation === undefined) return printAnswer(session, listOperations(), () => operationLines(listOperations()));
  const file = body?.startsWith('@') ? path.resolve(session.io.cwd, body.slice(1)) : null;
  const call = readCall(operation, pairs, file === null ? body : await readFile(file, 'utf8'));
  const books = await session.books(settings, { needsLedger: false });
  if (dryRun) {
    const preview = previewCall(books, call);
    return printAnswer(session, preview, () => previewText(preview, call.input.body !== undefined));
  }
  const { status, body: received, faults } = await makeCall(books, call);
  const text = received.toString('utf8');
  if (received.length === 0) session.result(session.json ? 'null' : `Done (${status}); the answer has no body.`);
  else session.result(session.json ? text : prettyJson(JSON.parse(text.replace(/^\ufeff/, ''))));
  for (const fault of faults) session.io.stderr.write(`remit: ${fault}\n`);
  return faults.length > 0 ? 1 : 0;
}

function previewText({ method, url, headers, body }: ReturnType<typeof previewCall>, hasBody: boolean): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [...lines, ...(hasBody ? ['', prettyJson(body)] : [])].join('\n');
}

function prettyJson(value: unknown): string {
  return escapeMarks(JSON.stringify(value, null, 2));
}

const WIDTH = 100;

/** The operations, for people: a line for each, with its summary and its parameters below. */
function operationLines(rows: readonly OperationRow[]): string[] {
  return rows.flatMap(({ operation, method, path, summary, parameters }) => {
    const head = `${operation.padEnd(23)} ${method.padEnd(5)} ${path}`;
    const keys = parameters.map(({ key, type, required }) => `${key}${required ? '' : '?'}=${type}`);
    return [head, `    ${summary}`, ...(keys.length === 0 ? [] : wrapText(keys.join(' '), '    ', WIDTH))];
  });
}

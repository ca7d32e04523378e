import { editDistance } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import {
  type Answer,
  type CallInput,
  type Operation,
  type OperationName,
  operations,
  type Page,
  previewRequest,
} from '../../courier/index.ts';
import type { Books } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { asTyped, describeType, fillInput, keysOf } from './input.ts';

export interface OperationRow {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly { readonly key: string; readonly type: string; readonly required: boolean }[];
}

export function listOperations(): OperationRow[] {
  return NAMES.map((name) => {
    const { method, path, summary } = operations[name];
    const parameters = keysOf(operations[name]).map(({ key, schema, required }) => {
      return { key, type: describeType(schema), required };
    });
    return { operation: name, method, path: `/${path}`, summary, parameters };
  });
}

/** A call that was read from its arguments and not yet made. */
export interface ApiCall {
  readonly operation: Operation;
  readonly input: CallInput;
}

/**
 * Reads a call from its arguments. Nothing is sent, and no setting is needed.
 *
 * @param pairs `key=value`, by the names on the wire
 * @param body a JSON object, over which the pairs are laid
 * @throws UsageError for an operation, key or value that does not fit
 */
export function readCall(operation: string, pairs: readonly string[], body: string | undefined): ApiCall {
  const found = findOperation(operation);
  return { operation: found, input: fillInput(found, pairs, body) };
}

/** The request that a call would send, with stars for the key. @throws ConfigError when the API's address is not set */
export function previewCall({ config }: Books, { operation, input }: ApiCall) {
  return { ...previewRequest(requireApiUrl(config), operation, input), body: input.body ?? null };
}

/**
 * Makes a call.
 *
 * @returns its `body` exactly as received, empty where there is none; `faults`: the items that cannot be read
 * @throws what the client throws
 */
export async function makeCall(books: Books, { operation, input }: ApiCall) {
  const answer: Answer<unknown> | Page<unknown> = await usingClient(books, (client) => client.call(operation, input));
  const faults = 'items' in answer ? answer.items.flatMap((item) => (item.ok ? [] : [item.fault.message])) : [];
  return { status: answer.status, body: answer.body, faults };
}

const NAMES = Object.keys(operations) as OperationName[];

/**
 * The operation of a name, which may be written `createOrder` or `create-order`.
 *
 * @throws UsageError naming the operations that come close
 */
export function findOperation(text: string): Operation {
  const wanted = lettersOnly(text);
  const name = NAMES.find((candidate) => lettersOnly(candidate) === wanted);
  if (name !== undefined) return operations[name];
  const close = NAMES.map((candidate) => ({ candidate, distance: editDistance(lettersOnly(candidate), wanted) }))
    .filter(({ candidate, distance }) => distance <= 3 || lettersOnly(candidate).includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  const guess = close.length > 0 ? `Did you mean ${close.map(({ candidate }) => candidate).join(' or ')}? ` : '';
  const hint = `${guess}\`remit api\` lists all ${NAMES.length}.`;
  throw new UsageError(`the API has no operation ${asTyped(text)}`, hint);
}

function lettersOnly(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

import { contractError, tooDeep } from '../api/decode.ts';
import { MAX_LEVELS, type ParsedJson, parseJson } from '../api/json.ts';
import { ContractError } from '../base/errors.ts';

/** Parses a body as JSON within the client's bounds. @throws ContractError when it is not JSON, or has too many values */
export function readJson(body: Buffer): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = 'The answer is kept; send the delivery company this message.';
    throw new ContractError('it is not JSON that can be parsed', hint, { body, cause: error });
  }
}

/** Parses a document, or one item of a list. @throws ContractError when it is not JSON, or nested too deep */
export function readDocument(body: Buffer, place = ''): unknown {
  const { value, levels } = readJson(body);
  if (levels > MAX_LEVELS) throw contractError(tooDeep(place));
  return value;
}

/** What a document says, or why it cannot be read. */
export type Readable<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ContractError };

/** @throws ContractError for a document that was refused when it was received, so that a replay refuses it too */
export function refuseFaulty({ fault }: { readonly fault: string | null }): void {
  if (fault !== null) throw new ContractError(fault, 'The answer is kept; send the delivery company this message.');
}

/** Turns a ContractError into a fault; any other error is thrown on. */
export async function ifReadable<T>(read: () => T | Promise<T>): Promise<Readable<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { ok: false, fault };
  }
}

/** Names the place of a row, such as `results[3]`, in a fault that `read` throws. */
export function withPath<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError(`${place}.${error.message}`, error.hint, { path: `${place}.${error.path}`, cause: error });
  }
}

import { contractError, tooDeep } from '../api/decode.ts';
import { MAX_LEVELS, type ParsedJson, parseJson } from '../api/json.ts';
import { ContractError } from '../base/errors.ts';

/** Parses a body as JSON. @throws ContractError if it is not JSON, or has too many values */
export function readJson(body: Buffer): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = 'The answer is kept; send the delivery company this message.';
    throw new ContractError('it is not JSON that can be parsed', hint, { body, cause: error });
  }
}

/** Parses a document, or one item of a list. @throws ContractError if it is not JSON, or nested too deep */
export function readDocument(body: Buffer, place = ''): unknown {
  const { value, levels } = readJson(body);
  if (levels > MAX_LEVELS) throw contractError(tooDeep(place));
  return value;
}

/** What was read from a document, or the fault for which it cannot be read. */
export type Readable<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ContractError };

/** @throws ContractError for a document that was refused when it was received: a replay refuses it too */
export function refuseFaulty({ fault }: { readonly fault: string | null }): void {
  if (fault !== null) throw new ContractError(fault, 'The answer is kept; send the delivery company this message.');
}

/** Calls `read`, and returns a ContractError as a fault. Any other error is thrown. */
export async function ifReadable<T>(read: () => T | Promise<T>): Promise<Readable<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { ok: false, fault };
  }
}

/** Calls `read`, and puts the place of a row, such as `results[3]`, before the message of a ContractError. */
export function withPath<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError(`${place}.${error.message}`, error.hint, { path: `${place}.${error.path}`, cause: error });
  }
}

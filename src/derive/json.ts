import { contractError, tooDeep } from '../api/decode.ts';
import { MAX_LEVELS, type ParsedJson, parseJson } from '../api/json.ts';
import { ContractError } from '../errors.ts';

/** A body as JSON, within the bounds in which the client reads one. @throws ContractError when it is none */
export function readJson(body: Buffer): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = 'The answer is kept; send the delivery company this message.';
    throw new ContractError('it is not JSON that can be parsed', hint, { body, cause: error });
  }
}

/** A document, or one item of a list, as JSON. @throws ContractError when it is none, or nested too deep to be read */
export function readDocument(body: Buffer, place = ''): unknown {
  const { value, levels } = readJson(body);
  if (levels > MAX_LEVELS) throw contractError(tooDeep(place));
  return value;
}

/** The texts by which documents are compared: equal texts are equal content, however a server writes it. */
import { ContractError } from '../base/errors.ts';

/** Far deeper than any document that `parseJson` reads; `JSON.parse` has no limit. */
const DEEPEST = 500;

/**
 * JSON with sorted keys and no white space, so that the order in which a server writes its fields makes no difference.
 *
 * @param value as `JSON.parse` returned it
 * @throws ContractError when it is nested more than 500 levels deep
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, level: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (level >= DEEPEST) {
    const hint = 'Send the delivery company this message and ask for a correction.';
    throw new ContractError(`a value is nested more than ${DEEPEST} levels deep`, hint);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, level + 1)).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${write(inner, level + 1)}`;
  }
  return `{${members}}`;
}

/** Links to the order on the company's own pages; they contain the host and port under which its server was reached. */
const HOST_LINKS: ReadonlySet<string> = new Set(['tracking_link', 'order_url']);

/**
 * {@link canonicalJson} of an order's record (spec, 'Orders') without its links, which change with the server's host.
 *
 * @param raw the order as it came
 */
export function canonicalOrder(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return canonicalJson(raw);
  return canonicalJson(Object.fromEntries(Object.entries(raw).filter(([name]) => !HOST_LINKS.has(name))));
}

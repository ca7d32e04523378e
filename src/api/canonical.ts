import { ContractError } from '../errors.ts';

/** Far deeper than any document that is read: `JSON.parse` alone has no such bound. */
const MOST_LEVELS = 500;

/**
 * JSON with sorted keys and no white space: two documents that say the same make the same text, whatever order a server
 * writes its fields in.
 *
 * @param value as `JSON.parse` returned it
 * @throws ContractError when it is nested more than 500 levels deep
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, level: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (level >= MOST_LEVELS) {
    throw new ContractError(
      `a value is nested more than ${MOST_LEVELS} levels deep`,
      'Send the delivery company this message and ask for a correction.',
    );
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, level + 1)).join(',')}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner !== undefined) members.push(`${JSON.stringify(name)}:${write(inner, level + 1)}`);
  }
  return `{${members.join(',')}}`;
}

/** Links to the order on the company's own pages: they hold the host and port under which its server was reached. */
const HOST_LINKS: ReadonlySet<string> = new Set(['tracking_link', 'order_url']);

/**
 * What of an order's record decides whether it has changed (spec, 'Orders'): all of it but its links, which change with
 * the server's host though nobody touched the order.
 *
 * @param raw the order as it came
 * @returns a text to hash or compare
 */
export function orderFingerprintInput(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return canonicalJson(raw);
  return canonicalJson(Object.fromEntries(Object.entries(raw).filter(([name]) => !HOST_LINKS.has(name))));
}

/** How two documents differ, as `remit evidence --diff` shows it. */

/** One place in which two documents differ, and the value in each, as JSON; null where it is missing. */
export interface Difference {
  /** `orders[A2].cod`: an item of a list by its identity, or else by its place. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Fields that identify an item of a list, so that an item that moved is compared with itself. */
const IDENTITIES = ['order_id', 'number', 'id'] as const;

/**
 * The differences of a later document from an earlier one, in the order of the documents. Numbers are compared as text.
 */
export function diffDocuments(before: unknown, after: unknown, path = ''): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [a, b] = [byIdentity(before), byIdentity(after)];
    if (a && b) {
      const keys = [...new Set([...a.keys(), ...b.keys()])];
      return keys.flatMap((key) => diffDocuments(a.get(key), b.get(key), `${path}[${key}]`));
    }
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => diffDocuments(before[index], after[index], `${path}[${index}]`)).flat();
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diffDocuments(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  const [was, is] = [textOf(before), textOf(after)];
  return was === is ? [] : [{ path, before: was, after: is }];
}

/** A list's items by their identity; null where they have none, or two have the same. */
function byIdentity(items: readonly unknown[]): Map<string, unknown> | null {
  const name = IDENTITIES.find(
    (candidate) => items.length > 0 && items.every((item) => isObject(item) && candidate in item),
  );
  if (name === undefined) return items.length === 0 ? new Map() : null;
  const found = new Map(items.map((item) => [String((item as Record<string, unknown>)[name]), item]));
  return found.size === items.length ? found : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** One place in which two documents differ: where, and what each says there (as JSON; null where it says nothing). */
export interface Difference {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What names an item of a list, so that one that moved is compared with itself. */
const NAMES = ['order_id', 'number', 'id'] as const;

/** What a later document says otherwise than an earlier one, in the order of the documents. Numbers are compared as they are written. */
export function diffDocuments(before: unknown, after: unknown, path = ''): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [a, b] = [named(before), named(after)];
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

/** A list's items by what names them; null where they have no names, or two have one. */
function named(items: readonly unknown[]): Map<string, unknown> | null {
  const name = NAMES.find(
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

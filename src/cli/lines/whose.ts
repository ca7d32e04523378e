/** Something of one courier; null for what is of the whole books. */
interface Owned {
  readonly courier?: string | null | undefined;
}

/** Makes a function that says whose a line is, before it, where some lines are of several couriers: `swift  `. */
export function whoseLabels(...all: readonly (readonly Owned[])[]): (line: Owned) => string {
  const names = new Set(all.flat().flatMap(({ courier }) => courier ?? []));
  if (names.size < 2) return () => '';
  const width = Math.max(...[...names].map(({ length }) => length));
  return ({ courier }) => `${(courier ?? '').padEnd(width)}  `;
}

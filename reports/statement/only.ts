/** A statement of one currency (`--split currency`): what it keeps of what the month holds. */

/** The currency that a statement is limited to; null for all of them. */
export type Only = string | null;

/** Whether a part belongs to the statement: of its currency, or of none, which stands in each, so that nothing falls between them. */
export function keeps(only: Only, currency: string | null): boolean {
  return only === null || currency === null || currency === only;
}

export function kept<T extends { readonly currency: string | null }>(only: Only, parts: readonly T[]): readonly T[] {
  return only === null ? parts : parts.filter(({ currency }) => keeps(only, currency));
}

/** The currency to which a statement is limited (`--split currency`); null for all. */
export type OnlyCurrency = string | null;

/** Whether a statement shows a part: what has no currency is in the statement of each, so that nothing gets lost. */
export function isShown(onlyCurrency: OnlyCurrency, currency: string | null): boolean {
  return onlyCurrency === null || currency === null || currency === onlyCurrency;
}

export function keepCurrency<T extends { readonly currency: string | null }>(
  onlyCurrency: OnlyCurrency,
  parts: readonly T[],
): readonly T[] {
  return onlyCurrency === null ? parts : parts.filter(({ currency }) => isShown(onlyCurrency, currency));
}

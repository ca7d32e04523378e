/** Hundredths of a currency's unit, by currency. Adding is all that a world needs. */
export class Purse {
  readonly #cents = new Map<string, bigint>();

  static of(entries: Iterable<readonly [string, bigint]>): Purse {
    const purse = new Purse();
    for (const [currency, cents] of entries) purse.add(currency, cents);
    return purse;
  }

  add(currency: string, cents: bigint): this {
    this.#cents.set(currency, this.of(currency) + cents);
    return this;
  }

  addAll(other: Purse, sign: 1n | -1n = 1n): this {
    for (const [currency, cents] of other.entries()) this.add(currency, sign * cents);
    return this;
  }

  of(currency: string): bigint {
    return this.#cents.get(currency) ?? 0n;
  }

  copy(): Purse {
    return Purse.of(this.entries());
  }

  entries(): [string, bigint][] {
    return [...this.#cents].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** As the API writes money. */
  pairs(): [string, string][] {
    return this.entries().map(([currency, cents]) => [currency, plain(cents)]);
  }
}

/** `-12.50` */
export function plain(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

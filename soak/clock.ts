const RealDate = Date;

/**
 * Sets this process's clock, which then stands still until it is set again, so that what a command writes depends on
 * nothing but what it was given. Timers run as ever.
 */
export function setClock(now: Date): void {
  const at = now.getTime();
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [at] : given) as [number]));
    }
    static override now(): number {
      return at;
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }
  } as DateConstructor;
}

/** Gives this process its own clock back. */
export function releaseClock(): void {
  globalThis.Date = RealDate;
}

/**
 * Makes the waits between attempts short, and the same each time. Before the program is loaded: it keeps the function.
 */
export function stopChance(): void {
  Math.random = () => 0.01;
}

/** How often each thing was done, over all worlds. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** `12 kills, 3 full disks`, by name. */
  text(): string {
    const sorted = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([name, count]) => `${count} ${name}`).join(', ');
  }
}

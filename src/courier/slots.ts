/** Lets at most `size` tasks run at once; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Lends a slot to a task, which may give it back before it ends, and take one again. */
  async run<T>(task: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = new Slot(
      () => this.#take(),
      () => this.#giveBack(),
    );
    await slot.take();
    try {
      return await task(slot);
    } finally {
      slot.giveBack();
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    // The slot goes straight to the next in line, so that nobody can take it in between.
    if (next === undefined) this.#free++;
    else next();
  }
}

/** One task's place among those that may run at once. */
export class Slot {
  readonly #take: () => Promise<void>;
  readonly #giveBack: () => void;
  #isHeld = false;

  constructor(take: () => Promise<void>, giveBack: () => void) {
    this.#take = take;
    this.#giveBack = giveBack;
  }

  /** Waits in line for a slot, unless the task has one. */
  async take(): Promise<void> {
    if (this.#isHeld) return;
    await this.#take();
    this.#isHeld = true;
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#giveBack();
  }
}

import { setImmediate as turn } from 'node:timers/promises';

/** So many turns of the event loop pass until a request that was handed over is on its line: undici looks at a used connection first. */
const TURNS = 3;
/** However many requests go out meanwhile, nobody waits longer. */
const MOST_TURNS = 12;

/**
 * Keeps long work apart from the network, which waits while the main thread is busy: each piece begins once what was asked for is on its
 * way and what has come is taken in, and no two begin in one turn of the event loop.
 */
export class Quiet {
  #requests = 0;
  #last: Promise<void> = Promise.resolve();

  /** A request is about to go out. */
  requestBegins(): void {
    this.#requests += 1;
  }

  /** Resolves when a piece of work may begin, for one caller after another. */
  wait(): Promise<void> {
    this.#last = this.#last.then(() => this.#settle());
    return this.#last;
  }

  async #settle(): Promise<void> {
    let known = -1;
    for (let turns = 0, calm = 0; turns < MOST_TURNS && calm < TURNS; turns += 1) {
      calm = known === this.#requests ? calm + 1 : 0;
      known = this.#requests;
      await turn();
    }
  }
}

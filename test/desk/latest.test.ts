import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Seen } from '../../src/app/desk/books-state.ts';
import { LatestReadings } from '../../src/desk/reading/latest.ts';

const seenAt = (last: number) => ({ last }) as Seen;

/** Readings of one page that end when the test says so. */
function page(latest: LatestReadings, isFinished: (model: string) => boolean = () => true) {
  const begun: ((model: string) => void)[] = [];
  const start = () => new Promise<string>((resolve) => begun.push(resolve));
  return {
    begun,
    async look(last: number): Promise<string | null> {
      const read = latest.read('/', seenAt(last), { start, isFinished });
      await vi.advanceTimersByTimeAsync(100);
      const found = await read;
      return found && `${found.model} of ${found.seen.last}`;
    },
    async end(place: number, model: string): Promise<void> {
      begun[place]!(model);
      await vi.advanceTimersByTimeAsync(1);
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a page that is being read is not read twice, however the books grow meanwhile', async () => {
  const { look, end, begun } = page(new LatestReadings());
  expect([await look(1), await look(2), await look(3)]).toEqual([null, null, null]);
  expect(begun).toHaveLength(1);
  await end(0, 'home');
  // What was read is shown while the page of today is read.
  expect([await look(3), begun.length]).toEqual(['home of 1', 2]);
  await end(1, 'home again');
  expect([await look(3), begun.length]).toEqual(['home again of 3', 2]);
});

it('nothing that was read before a decision is shown after it', async () => {
  const latest = new LatestReadings();
  const { look, end, begun } = page(latest);
  await look(1);
  await end(0, 'open');
  latest.decided();
  expect([await look(2), begun.length]).toEqual([null, 2]);
  await end(1, 'acknowledged');
  expect(await look(2)).toBe('acknowledged of 2');
  // A reading that began before the decision and ends after it is old too.
  await look(3);
  latest.decided();
  await end(2, 'acknowledged');
  expect(await look(4)).toBeNull();
});

it('nothing old is shown, and nothing unfinished again', async () => {
  const { look, end } = page(new LatestReadings(), (model) => model !== 'half');
  await look(1);
  await end(0, 'home');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await look(2)).toBeNull();
  await end(1, 'half');
  expect(await look(2)).toBeNull();
  await end(2, 'home');
  expect(await look(2)).toBe('home of 2');
});

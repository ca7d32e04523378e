import { expect, it } from 'vitest';
import { InterruptedError, LedgerAwayError } from '../../../src/base/errors.ts';
import { untilThere } from '../../../src/ledger/fleet/queue.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const never = () => Promise.reject(refused);

it('a worker waits for the database of its fleet, but not for ever', async () => {
  const { signal } = new AbortController();
  const notes: string[] = [];
  let asked = 0;
  const back = () => (++asked < 3 ? never() : Promise.resolve('there'));
  expect(await untilThere(back, { signal, note: (sentence) => notes.push(sentence) })).toBe('there');
  expect(notes).toEqual([
    "the fleet's database is away (connect ECONNREFUSED 127.0.0.1:5432): the nights go on when it is back",
  ]);
  const failure = await untilThere(never, { signal, mostMs: 400 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LedgerAwayError);
  expect((failure as LedgerAwayError).hint).toContain('remit fleet night');
});

it('a night that ended is stored though the worker was told to stop, and one that cannot be is left', async () => {
  const signal = AbortSignal.abort();
  expect(await untilThere(() => Promise.resolve('stored'), { signal })).toBe('stored');
  await expect(untilThere(never, { signal })).rejects.toBeInstanceOf(InterruptedError);
  await expect(untilThere(() => Promise.reject(new Error('no such table')), { signal })).rejects.toThrow(
    'no such table',
  );
});

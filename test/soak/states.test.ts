import { expect, it } from 'vitest';
import type { Op } from '../../soak/power/record.ts';
import { Disk } from '../../soak/power/states.ts';
import { Dice } from '../oracle/world/dice.ts';

const write = (at: number, text: string): Op => ({ kind: 'write', file: 'ledger.db', at, bytes: Buffer.from(text) });

it('what was synced is in every state, and what was not is in some, in part', () => {
  const disk = new Disk(new Map([['ledger.db', Buffer.alloc(0)]]));
  for (const op of [write(0, 'kept'), { kind: 'sync', file: 'ledger.db' } as const, write(510, 'torn')]) disk.do(op);
  const dice = new Dice(1);
  const drawn = Array.from({ length: 200 }, () => disk.draw(dice).get('ledger.db')!);
  expect(drawn.filter((bytes) => bytes.subarray(0, 4).toString() !== 'kept')).toEqual([]);
  const tails = new Set(drawn.map((bytes) => bytes.subarray(510).toString()));
  expect([...tails].sort()).toEqual(['', '\0\0rn', 'to', 'torn']);
  expect(disk.whole().get('ledger.db')?.subarray(510).toString()).toBe('torn');
});

it('a file whose folder was not synced may not be there', () => {
  const disk = new Disk(new Map());
  disk.do({ kind: 'create', file: 'ledger.db' });
  const dice = new Dice(1);
  const isThere = () => disk.draw(dice).has('ledger.db');
  expect(new Set(Array.from({ length: 50 }, isThere))).toEqual(new Set([true, false]));
  disk.do({ kind: 'sync-folder' });
  expect(new Set(Array.from({ length: 50 }, isThere))).toEqual(new Set([true]));
});

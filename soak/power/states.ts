import type { Dice } from '../../test/oracle/world/dice.ts';
import type { Op } from './record.ts';

/** What a disk writes whole or not at all. */
const SECTOR = 512;

/** A file as it is on the disk, and what was written since it was last synced. */
interface Held {
  durable: Buffer;
  pending: Op[];
  /** Whether the folder's name of it is on the disk. */
  isNamed: boolean;
  /** Removed, and the folder was not synced since. */
  isUnlinked: boolean;
}

/** The files of a folder as a disk may hold them when the power goes: by name, with their bytes. */
export type DiskState = ReadonlyMap<string, Buffer>;

/** Goes through what a process did, and draws what a disk may hold at any moment. */
export class Disk {
  readonly #files = new Map<string, Held>();

  constructor(before: DiskState) {
    for (const [name, bytes] of before)
      this.#files.set(name, { durable: bytes, pending: [], isNamed: true, isUnlinked: false });
  }

  do(op: Op): void {
    if (op.kind === 'sync-folder') {
      for (const [name, file] of this.#files) {
        file.isNamed = true;
        if (file.isUnlinked) this.#files.delete(name);
      }
      return;
    }
    const held = this.#files.get(op.file);
    if (op.kind === 'create') {
      if (!held || held.isUnlinked)
        this.#files.set(op.file, { durable: Buffer.alloc(0), pending: [], isNamed: false, isUnlinked: false });
      return;
    }
    if (!held) throw new Error(`${op.file} was used, and never made`);
    if (op.kind === 'unlink') held.isUnlinked = true;
    else if (op.kind === 'sync') {
      held.durable = held.pending.reduce(applied, held.durable);
      held.pending = [];
    } else held.pending.push(op);
  }

  /** All that was ever written: what a disk holds that lost nothing. */
  whole(): DiskState {
    const all = [...this.#files].filter(([, { isUnlinked }]) => !isUnlinked);
    return new Map(all.map(([name, { durable, pending }]) => [name, pending.reduce(applied, durable)]));
  }

  /**
   * One state that the disk may be in: of what was not synced, any part may be there, in any order, and a write may be
   * torn between two sectors; a name that was made or removed may be as before.
   */
  draw(dice: Dice): DiskState {
    const state = new Map<string, Buffer>();
    /** Nothing, everything, or each sector by a coin of its own. */
    const kept = dice.pick([0, 1, 0.5, 0.9, 0.1]);
    for (const [name, { durable, pending, isNamed, isUnlinked }] of this.#files) {
      if (!isNamed && dice.chance(0.5)) continue;
      if (isUnlinked && dice.chance(0.5)) continue;
      let bytes = durable;
      for (const op of pending) {
        if (op.kind === 'truncate') bytes = dice.chance(kept) ? applied(bytes, op) : bytes;
        else for (const sector of sectorsOf(op)) if (dice.chance(kept)) bytes = applied(bytes, sector);
      }
      state.set(name, bytes);
    }
    return state;
  }
}

function applied(bytes: Buffer, op: Op): Buffer {
  if (op.kind === 'truncate') return resized(bytes, op.size);
  if (op.kind !== 'write') return bytes;
  const after = resized(bytes, Math.max(bytes.length, op.at + op.bytes.length));
  op.bytes.copy(after, op.at);
  return after;
}

function resized(bytes: Buffer, size: number): Buffer {
  const after = Buffer.alloc(size);
  bytes.copy(after);
  return after;
}

/** A write cut at the borders of the disk's sectors. */
function* sectorsOf(op: Op): Generator<Op> {
  if (op.kind !== 'write') return;
  const { file, at, bytes } = op;
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR));
    yield { kind: 'write', file, at: at + from, bytes: bytes.subarray(from, to) };
    from = to;
  }
}

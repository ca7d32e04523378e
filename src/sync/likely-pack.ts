import { sealPack } from '../ledger/index.ts';

/** A part of a pack: an order as it was shown. */
export interface Part {
  readonly sha256: Buffer;
  readonly bytes: Buffer;
}

/** A pack that was made before it was certain what belongs into it. */
export interface LikelyPack {
  readonly parts: number;
  readonly packed: Buffer | null;
}

/** Compresses what will likely be fresh. */
export async function packLikely(parts: readonly Part[]): Promise<LikelyPack> {
  return { parts: parts.length, packed: await pack(parts) };
}

/** The pack of the parts that are fresh: the likely one, unless some of its parts turned out to be held by now. There are never others. */
export function packOf(fresh: readonly Part[], { parts, packed }: LikelyPack): Promise<Buffer | null> | Buffer | null {
  return fresh.length === parts ? packed : pack(fresh);
}

async function pack(parts: readonly Part[]): Promise<Buffer | null> {
  return parts.length > 0 ? sealPack(parts.map(({ bytes }) => bytes)) : null;
}

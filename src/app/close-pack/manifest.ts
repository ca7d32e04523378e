/** The file that lists what is in a close pack. */
export const MANIFEST = 'manifest.json';

export interface PackedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly kind: 'remit close pack';
  readonly month: string;
  readonly made_at: string;
  readonly made_by: string;
  /** Whether the month was closed when the pack was made. */
  readonly status: 'draft' | 'closed';
  /** The head of the chain of evidence: it is in the ledger that the pack was made from. */
  readonly chain_head: string | null;
  readonly files: readonly PackedFile[];
}

/** Reads a manifest; null for any other text. */
export function parseManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const manifest = value as Manifest | null;
  if (typeof manifest !== 'object' || manifest?.kind !== 'remit close pack' || !Array.isArray(manifest.files))
    return null;
  if (typeof manifest.month !== 'string') return null;
  const isFile = (file: unknown): file is PackedFile => {
    const { name, sha256, size } = (file ?? {}) as Partial<PackedFile>;
    // A name with a path in it is refused: nothing outside the pack is read.
    return (
      typeof name === 'string' &&
      /^[^/\\]+$/.test(name) &&
      name !== '..' &&
      typeof sha256 === 'string' &&
      typeof size === 'number'
    );
  };
  return manifest.files.every(isFile) ? manifest : null;
}

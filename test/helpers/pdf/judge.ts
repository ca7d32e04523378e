import { ImportFileError } from '../../../src/base/errors.ts';
import { readSafely } from '../../../src/imports/formats/read-safely.ts';
import { parseColumnMap } from '../../../src/imports/maps/parse-map.ts';
import type { Drawn, Truth } from './sheet.ts';

export interface Verdict {
  readonly name: string;
  readonly verdict: 'read' | 'refused' | 'wrong';
  /** Why it is refused, or what is wrong. */
  readonly why: string;
}

/** Reads a PDF as an import does, and compares it with what was drawn. */
export async function judged({ name, map, truth }: Drawn, bytes: Buffer): Promise<Verdict> {
  const parsed = parseColumnMap('drawn', map);
  if (!('map' in parsed)) throw new Error(parsed.faults.join('; '));
  try {
    const got = await readAs(truth, { bytes, name: `${name}.pdf` }, parsed.map);
    const due = JSON.stringify(truth);
    return JSON.stringify(got) === due
      ? { name, verdict: 'read', why: '' }
      : { name, verdict: 'wrong', why: difference(got, truth) };
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    return { name, verdict: 'refused', why: error.message };
  }
}

async function readAs(
  truth: Truth,
  source: { bytes: Buffer; name: string },
  map: Parameters<typeof readSafely>[2] extends { map?: infer M } | undefined ? M : never,
): Promise<Truth> {
  if (truth.kind === 'receipts') {
    const { statements } = await readSafely('receipts', source, { map: map ?? null });
    return {
      kind: 'receipts',
      lines: statements.flatMap(({ lines }) =>
        lines.map(({ date, amount, reference }) => [date, amount, reference ?? ''] as const),
      ),
    };
  }
  const { settlements } = await readSafely('settlement', source, { map: map ?? null });
  return {
    kind: 'settlement',
    rows: settlements.flatMap(({ rows }) =>
      rows.flatMap(({ order, amounts }) =>
        amounts.map(({ cod, charges, net }) => {
          const cents = Object.values(charges).reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
          return [order ?? '', cod, (cents / 100).toFixed(2), net ?? ''] as const;
        }),
      ),
    ),
  };
}

function difference(got: Truth, due: Truth): string {
  const [a, b] = [got, due].map((one) => (one.kind === 'receipts' ? one.lines : one.rows).map((row) => row.join(' ')));
  const at = b!.findIndex((row, i) => row !== a![i]);
  return `${a!.length} of ${b!.length} rows; row ${at}: ${a![at]} for ${b![at]}`;
}

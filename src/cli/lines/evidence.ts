import type { EvidenceResult } from '../../app/evidence/index.ts';
import { sizeText } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { timestampText } from './timestamp.ts';

/** The documents behind an invoice or order, for a person. */
export function evidenceLines({ subject, documents }: EvidenceResult): string[] {
  const lines = [`${cleanText(subject)}: ${documents.length === 1 ? 'one document' : `${documents.length} documents`}`];
  for (const { at, run_id, kind, source, sha256, size, fault, differences } of documents) {
    const bytes = size === null ? '' : `, ${sizeText(size)}`;
    lines.push('', `${timestampText(at)}  ${kind}, run ${run_id ?? 'none'}${bytes}`);
    if (source !== null) lines.push(`  from    ${cleanText(source)}`);
    if (sha256 !== null) lines.push(`  sha256  ${sha256}`);
    if (fault !== null) lines.push(`  fault   ${cleanText(fault, 400)}`);
    if (differences?.length === 0) lines.push('  says the same as the one before it');
    for (const { path, before, after } of differences ?? []) {
      lines.push(`  ${cleanText(path)}: ${shown(before)} → ${shown(after)}`);
    }
  }
  const last = documents.findLast(({ sha256 }) => sha256 !== null)?.sha256;
  if (last)
    lines.push(
      '',
      `Next: \`remit evidence ${last} --body\` prints ${documents.length === 1 ? 'it' : 'the last of them'}.`,
    );
  return lines;
}

function shown(value: string | null): string {
  return value === null ? 'nothing' : cleanText(value, 120);
}

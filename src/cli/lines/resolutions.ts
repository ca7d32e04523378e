import type { ImportedResolutions } from '../../app/import/resolutions.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { waitingLine } from './approvals.ts';

export function resolutionsJson(imported: ImportedResolutions, dryRun = false) {
  const { id, file, sha256, rows, taken, unchanged, skipped, conflicts, waiting } = imported;
  return {
    import: id,
    kind: 'resolutions',
    format: 'xlsx',
    file,
    sha256,
    rows,
    new: 0,
    changed: taken.length,
    unchanged,
    skipped: [...conflicts, ...skipped].map(({ line, why }) => ({ line, why })),
    totals: [],
    statements: [],
    conflicts,
    waiting: waiting.map(({ line, decision }) => ({ line, ...decision })),
    ...(dryRun ? { dry_run: true } : {}),
  };
}

export function resolutionsLines(imported: ImportedResolutions, dryRun = false): string[] {
  const { file, taken, unchanged, isKnown, waiting } = imported;
  if (isKnown) return [`${cleanText(file)}: already imported, nothing changed`];
  const rows = taken.map(({ line, id, status, note }) => `  line ${line}  ${id}  ${status}${noteText(note)}`);
  const proposed = waiting.map(({ line, mismatch, decision }) => {
    return `  line ${line}  ${mismatch}  ${waitingLine(decision)}`;
  });
  const verb = dryRun ? 'would be taken back' : 'taken back';
  const total = `${counted(taken.length, 'decision')} ${verb}, ${unchanged} as they were`;
  return [...rows, ...proposed, `${cleanText(file)}: ${total}`];
}

/** @param note null leaves the note as it is; an empty one removes it */
function noteText(note: string | null): string {
  if (note === null) return '';
  return note === '' ? ', its note taken away' : `: ${cleanText(note, 400)}`;
}

/** What was changed in the workbook, but is left as it is in the ledger. */
export function notTakenLines({ conflicts, skipped }: Pick<ImportedResolutions, 'conflicts' | 'skipped'>): string[] {
  return [
    ...conflicts.map(({ line, id, why }) => `line ${line}, mismatch ${id} is left: ${why}`),
    ...skipped.map(({ line, id, why }) => `line ${line}, mismatch ${id} is passed over: ${why}`),
  ];
}

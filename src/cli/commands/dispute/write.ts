import type { Books } from '../../../app/books.ts';
import type { DisputePlan } from '../../../app/disputes/plan.ts';
import type { Session } from '../../session.ts';
import type { ClaimFormat } from './index.ts';

interface Where {
  readonly format: ClaimFormat;
  /** Absolute; null for standard output. */
  readonly file: string | null;
  /** Claim nothing. */
  readonly isDry: boolean;
}

/**
 * Writes a claim and puts it on record: a file appears when it is on record and not before, and what is printed was kept first.
 * With `--json` the result is printed for machines, and the claim itself is written to the file alone.
 */
export async function writeClaim(
  session: Session,
  books: Books,
  plan: DisputePlan,
  { format, file, isDry }: Where,
): Promise<void> {
  const [{ claim }, { refuseOwnFiles }, { claimReport, claimTotals }, { renderReport, renderReportToFile }] =
    await Promise.all([
      import('../../../app/disputes/claim.ts'),
      import('../../../app/books.ts'),
      import('../../../app/disputes/sheet.ts'),
      import('../../../render/index.ts'),
    ]);
  const { merchant, period, on, lines, left, by } = plan;
  let evidence: number | null = null;
  const keep = async () => {
    if (!isDry && lines.length > 0) evidence = await claim(books, plan);
  };
  const report = claimReport(lines, { period, by: merchant, on });
  const options = { generatedAt: new Date(`${on}T00:00:00Z`) };
  const text = async () => `${(await import('../../lines/claim-text.ts')).claimText(plan)}\n`;
  const isEmpty = lines.length === 0;
  if (file !== null && !isEmpty) {
    refuseOwnFiles(books, file);
    if (format === 'text') {
      const { writeDocument } = await import('../../../render/file.ts');
      await writeDocument(file, async () => pieces(await text()), keep);
    } else await renderReportToFile(report, format, file, options, keep);
    session.note(`wrote ${file}`);
  } else await keep();
  if (session.json) {
    const parts = left.map(({ mismatch: { id, status }, claim: was, why }) => ({
      id,
      why,
      status,
      claimed_at: was?.at ?? null,
    }));
    session.resultJson({
      claim: evidence,
      dry_run: isDry,
      by,
      on,
      period,
      file: isEmpty ? null : file,
      lines,
      totals: claimTotals(lines),
      left: parts,
    });
  } else if (isEmpty) session.note('there is nothing to claim');
  else if (file === null && format === 'text') session.io.stdout.write(session.mask(await text()));
  else if (file === null && format !== 'text') await renderReport(report, format, session.io.stdout, options);
  if (isEmpty) return;
  const { countOf } = await import('../../lines/mismatches.ts');
  session.note(`${countOf(lines.length)} ${isDry ? 'would be ' : ''}claimed`);
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}

import type { Books } from '../../../app/books.ts';
import type { DisputePlan } from '../../../app/disputes/plan.ts';
import type { LanguageCode } from '../../../words/index.ts';
import type { Session } from '../../session.ts';

export const CLAIM_FORMATS = ['text', 'html', 'xlsx', 'csv', 'json'] as const;
export type ClaimFormat = (typeof CLAIM_FORMATS)[number];

interface Where {
  readonly format: ClaimFormat;
  /** The language of the letter and the sheet. */
  readonly language: LanguageCode;
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
  { format, language, file, isDry }: Where,
): Promise<void> {
  const [{ claim }, { refuseOwnFiles }, { claimData, claimReport, claimTotals }, { renderReport, renderReportToFile }] =
    await Promise.all([
      import('../../../app/disputes/claim.ts'),
      import('../../../app/books.ts'),
      import('../../../app/disputes/claim-report.ts'),
      import('../../../render/report.ts'),
    ]);
  const { names, period, on, lines, left, by, returns } = plan;
  let evidence: number | null = null;
  const keep = async () => {
    if (!isDry && lines.length > 0) evidence = await claim(books, plan);
  };
  const head = { period, names, on, returns };
  const options = { generatedAt: new Date(`${on}T00:00:00Z`), language };
  const report = format === 'xlsx' ? claimReport(lines, head) : claimData(lines, head);
  const letter = () => letterText(plan, format, language);
  const isEmpty = lines.length === 0;
  if (file !== null && !isEmpty) {
    refuseOwnFiles(books, file);
    if (format === 'text' || format === 'html') {
      const { writeDocument } = await import('../../../render/file.ts');
      await writeDocument(file, async () => pieces(await letter()), keep);
    } else await renderReportToFile(report, format, file, options, keep);
    session.note(`wrote ${file}`);
  } else await keep();
  if (session.json) {
    const { languageOf } = await import('../../../words/index.ts');
    const { say } = await languageOf(language);
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
      lines: lines.map((line) => ({ ...line, what: say(line.what) })),
      totals: claimTotals(lines),
      left: parts,
    });
  } else if (isEmpty) session.note('there is nothing to claim');
  else if (file === null && (format === 'text' || format === 'html')) {
    session.io.stdout.write(session.mask(await letter()));
  } else if (file === null && format !== 'text' && format !== 'html')
    await renderReport(report, format, session.io.stdout, options);
  if (isEmpty) return;
  const { countOf } = await import('../../lines/mismatches.ts');
  session.note(`${countOf(lines.length)} ${isDry ? 'would be ' : ''}claimed`);
}

/** The letter, as the text of a mail or as a page to print. */
async function letterText(plan: DisputePlan, format: ClaimFormat, code: LanguageCode): Promise<string> {
  const { languageOf } = await import('../../../words/index.ts');
  const language = await languageOf(code);
  if (format !== 'html') return `${(await import('../../lines/claim-text.ts')).claimText(plan, language)}\n`;
  return (await import('../../../render/claim/html.tsx')).claimPage(plan, language);
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}

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
 * Writes a claim and puts it on record with its letter: a file appears when it is on record and not before, and what is printed was kept
 * first. With `--json` the result is printed for machines, and the claim itself is written to the file alone.
 */
export async function writeClaim(
  session: Session,
  books: Books,
  plan: DisputePlan,
  { format, language, file, isDry }: Where,
): Promise<void> {
  const [{ claim }, { refuseOwnFiles }, { claimTotals }] = await Promise.all([
    import('../../../app/disputes/claim.ts'),
    import('../../../app/books.ts'),
    import('../../../app/disputes/claim-report.ts'),
  ]);
  const { period, on, lines, count, left, by } = plan;
  const isEmpty = lines.length === 0;
  let evidence: number | null = null;
  if (!isEmpty) {
    if (file !== null) refuseOwnFiles(books, file);
    const bytes = await letterBytes(session, plan, format, language);
    const keep = async () => {
      if (!isDry) evidence = await claim(books, plan, { format, language, bytes });
    };
    if (file === null) await keep();
    else {
      const { writeDocument } = await import('../../../render/file.ts');
      await writeDocument(file, async () => pieces(bytes), keep);
      session.note(`wrote ${file}`);
    }
    if (file === null && !session.json) session.io.stdout.write(bytes);
  }
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
  if (isEmpty) return;
  const { countOf } = await import('../../lines/mismatches.ts');
  session.note(`${countOf(count)} ${isDry ? 'would be ' : ''}claimed`);
}

/** The claim as it goes to the courier, byte for byte. */
async function letterBytes(
  session: Session,
  plan: DisputePlan,
  format: ClaimFormat,
  code: LanguageCode,
): Promise<Buffer> {
  if (format === 'text' || format === 'html') return Buffer.from(session.mask(await letterText(plan, format, code)));
  const [{ claimData, claimReport }, { reportBytes }] = await Promise.all([
    import('../../../app/disputes/claim-report.ts'),
    import('../../../render/report.ts'),
  ]);
  const { lines, period, names, on, returns } = plan;
  const report =
    format === 'xlsx' ? claimReport(lines, { period, names, on, returns }) : claimData(lines, { period }, format);
  return reportBytes(report, format, { generatedAt: new Date(`${on}T00:00:00Z`), language: code });
}

/** The letter, as the text of a mail or as a page to print. */
async function letterText(plan: DisputePlan, format: ClaimFormat, code: LanguageCode): Promise<string> {
  const { languageOf } = await import('../../../words/index.ts');
  const language = await languageOf(code);
  if (format !== 'html') return `${(await import('../../lines/claim-text.ts')).claimText(plan, language)}\n`;
  return (await import('../../../render/claim/html.tsx')).claimPage(plan, language);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

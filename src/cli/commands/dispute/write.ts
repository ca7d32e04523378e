import type { Books } from '../../../app/books.ts';
import type { Preview } from '../../../app/decisions/preview.ts';
import type { DisputePlan } from '../../../app/disputes/plan.ts';
import type { LanguageCode } from '../../../words/index.ts';
import { deciding } from '../../deciding.ts';
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
  readonly seen: string | undefined;
}

/**
 * Writes a claim and puts it on record with its letter: a file appears when it is on record and not before, and what is printed was kept
 * first. With `--json` the result is printed for machines, and the claim itself is written to the file alone.
 */
export async function writeClaim(
  session: Session,
  books: Books,
  plan: DisputePlan,
  { format, language, file, isDry, seen }: Where,
): Promise<void> {
  const [{ claim }, { refuseOwnFiles }] = await Promise.all([
    import('../../../app/disputes/claim.ts'),
    import('../../../app/books.ts'),
  ]);
  const { lines, count } = plan;
  const isEmpty = lines.length === 0;
  let evidence: number | null = null;
  let bytes: Buffer | null = null;
  const claimed = (own: Books) => claim(own, plan, { format, language, bytes: bytes! });
  if (!isEmpty) {
    if (file !== null) refuseOwnFiles(books, file);
    bytes = await letterBytes(session, plan, format, language);
    const letter = bytes;
    const keep = async () => {
      if (!isDry) evidence = await deciding(session, books, { seen }, claimed);
    };
    if (file === null) await keep();
    else {
      const { writeDocument } = await import('../../../render/output.ts');
      await writeDocument(file, async () => [letter], keep);
      session.note(`wrote ${file}`);
    }
    if (file === null && !session.json) session.io.stdout.write(letter);
  }
  const preview = isDry ? await previewOfClaim(session, books, plan, { language, claimed }) : null;
  if (session.json) {
    const said = { claim: evidence, dry_run: isDry, file: isEmpty ? null : file };
    session.resultJson({ ...preview, ...said, ...(await claimJson(plan, language, preview !== null)) });
  } else if (isEmpty) session.note('there is nothing to claim');
  if (isEmpty) return;
  const { countOf } = await import('../../lines/mismatches.ts');
  session.note(`${countOf(count)} ${isDry ? 'would be ' : ''}claimed`);
  if (preview === null || session.json) return;
  const { heldLines } = await import('../../lines/approvals.ts');
  // The letter alone is printed.
  for (const line of heldLines(preview)) session.note(line);
}

/** A claim as it is printed for machines, but for what became of it. @param isShown each line as that of any decision too */
async function claimJson({ period, on, lines, left, by }: DisputePlan, language: LanguageCode, isShown: boolean) {
  const [{ languageOf }, { claimTotals }] = await Promise.all([
    import('../../../words/index.ts'),
    import('../../../app/disputes/claim-report.ts'),
  ]);
  const { say } = await languageOf(language);
  return {
    by,
    on,
    period,
    lines: lines.map((line) => ({ ...line, what: say(line.what), ...(isShown && shownOf(line)) })),
    totals: claimTotals(lines),
    left: left.map(({ mismatch: { id, status }, claim: was, why }) => ({
      id,
      why,
      status,
      claimed_at: was?.at ?? null,
    })),
  };
}

/** What `--json` prints. */
export interface ClaimJson extends Awaited<ReturnType<typeof claimJson>> {
  /** The evidence that keeps it; null in a dry run and where there is nothing to claim. */
  readonly claim: number | null;
  readonly dry_run: boolean;
  readonly file: string | null;
}

/** What the claim would do, as of any decision; its letter is a text, whatever it is written as. */
async function previewOfClaim(
  session: Session,
  books: Books,
  plan: DisputePlan,
  { language, claimed }: { readonly language: LanguageCode; readonly claimed: (own: Books) => Promise<number> },
): Promise<Preview> {
  const { previewOf } = await import('../../../app/decisions/preview.ts');
  const letter = session.mask(await letterText(plan, 'text', language));
  return previewOf(books, async (own) => ({ answer: await claimed(own), letter }));
}

/** A line of a claim as that of any decision. */
function shownOf({ id, section, day, currency, claimed }: DisputePlan['lines'][number]) {
  const direction = section === 'owed-by-us' ? 'by-us' : section === 'owed-to-us' ? 'to-us' : 'none';
  const subject = id === null ? (day ?? '') : `mismatch ${id}`;
  return { subject, amount: currency === null ? null : claimed, direction };
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
  if (format !== 'html') return `${(await import('../../../render/claim/text.ts')).claimText(plan, language)}\n`;
  return (await import('../../../render/claim/html.tsx')).claimPage(plan, language);
}

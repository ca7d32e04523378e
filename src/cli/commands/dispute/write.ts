import type { Books } from '../../../app/books.ts';
import type { Preview } from '../../../app/decisions/preview.ts';
import type { DisputePlan } from '../../../app/disputes/plan.ts';
import type { LanguageCode } from '../../../words/index.ts';
import { decideOrPreview } from '../../decisions.ts';
import type { Session } from '../../session.ts';

export const CLAIM_FORMATS = ['text', 'html', 'xlsx', 'csv', 'json'] as const;
export type ClaimFormat = (typeof CLAIM_FORMATS)[number];

interface WriteOptions {
  readonly format: ClaimFormat;
  /** The language of the letter and the sheet. */
  readonly language: LanguageCode;
  /** Absolute; null for standard output. */
  readonly file: string | null;
  /** Makes the claim without putting it on record. */
  readonly isDry: boolean;
  /** The digest that a dry run printed (`stale_after`): the claim must be just what that showed. */
  readonly seen: string | undefined;
}

/**
 * Puts a claim on record with its letter, then prints the letter or gives the file its name: nobody can send a letter
 * that is not on record. With `--json` the result is printed for machines, and the letter goes to the file alone.
 */
export async function writeClaim(session: Session, books: Books, plan: DisputePlan, options: WriteOptions) {
  const { format, language, file, isDry, seen } = options;
  const { claim } = await import('../../../app/disputes/claims.ts');
  const { refuseOwnFiles } = await import('../../../app/books.ts');
  const { lines, count } = plan;
  const isEmpty = lines.length === 0;
  if (file !== null && !isEmpty) refuseOwnFiles(books, file);
  const letter = isEmpty ? null : await letterBytes(session, plan, format, language);
  const claimIn = (claimBooks: Books) => claim(claimBooks, plan, { format, language, bytes: letter! });
  let evidence: number | null = null;
  const keep = async () => {
    // Without `dryRun` among its flags, `decideOrPreview` decides.
    if (!isDry) evidence = await decideOrPreview(session, books, { seen }, claimIn);
  };
  if (letter !== null) await writeLetter(session, file, letter, keep);
  const preview = isDry ? await previewOfClaim(session, books, plan, { language, seen }, claimIn) : null;
  if (session.json) {
    // The claim's `lines` take the place of the preview's.
    const outcome = { claim: evidence, dry_run: isDry, file: isEmpty ? null : file };
    session.resultJson({ ...preview, ...outcome, ...(await claimJson(plan, language, preview !== null)) });
  } else if (isEmpty) session.note('there is nothing to claim');
  if (isEmpty) return;
  const { countOf } = await import('../../lines/mismatches.ts');
  session.note(`${countOf(count)} ${isDry ? 'would be ' : ''}claimed`);
  if (preview === null || session.json) return;
  const { seenLines } = await import('../../lines/decided.ts');
  // As notes, because standard output has the letter alone.
  for (const line of seenLines(preview)) session.note(line);
}

/** Writes the letter where it can be read only after `keep` has put the claim on record. */
async function writeLetter(session: Session, file: string | null, letter: Buffer, keep: () => Promise<void>) {
  if (file === null) {
    await keep();
    if (!session.json) session.io.stdout.write(letter);
    return;
  }
  const { writeDocument } = await import('../../../render/output.ts');
  await writeDocument(file, async () => [letter], keep);
  session.note(`wrote ${file}`);
}

/** The claim for machines. @param isPreview gives each line the fields that every decision's preview has, too */
async function claimJson({ period, on, lines, left, by }: DisputePlan, language: LanguageCode, isPreview: boolean) {
  const { languageOf } = await import('../../../words/index.ts');
  const { claimTotals } = await import('../../../app/disputes/claim-report.ts');
  const { say } = await languageOf(language);
  return {
    by,
    on,
    period,
    lines: lines.map((line) => ({ ...line, what: say(line.what), ...(isPreview && previewFields(line)) })),
    totals: claimTotals(lines),
    left: left.map(({ mismatch: { id, status }, claim: earlierClaim, why }) => {
      return { id, why, status, claimed_at: earlierClaim?.at ?? null };
    }),
  };
}

/** What `--json` prints; in a dry run with the fields of a {@link Preview} besides. */
export interface ClaimJson extends Awaited<ReturnType<typeof claimJson>> {
  /** The evidence that keeps it; null in a dry run, and if there is nothing to claim. */
  readonly claim: number | null;
  readonly dry_run: boolean;
  readonly file: string | null;
}

/** The preview of the claim as of any decision, with the letter as text in whatever format it is written. */
async function previewOfClaim(
  session: Session,
  books: Books,
  plan: DisputePlan,
  { language, seen }: Pick<WriteOptions, 'language' | 'seen'>,
  claimIn: (claimBooks: Books) => Promise<number>,
): Promise<Preview> {
  const { previewOf } = await import('../../../app/decisions/preview.ts');
  const letter = session.mask(await letterText(plan, 'text', language));
  return previewOf(books, async (copy) => ({ answer: await claimIn(copy), letter }), { seen });
}

const DIRECTIONS = { 'owed-to-us': 'to-us', 'owed-by-us': 'by-us', confirm: 'none' } as const;

/** The fields that a line of every decision's preview has. */
function previewFields({ id, section, day, currency, claimed }: DisputePlan['lines'][number]) {
  const subject = id === null ? (day ?? '') : `mismatch ${id}`;
  return { subject, amount: currency === null ? null : claimed, direction: DIRECTIONS[section] };
}

/** The letter or sheet that goes to the courier, byte for byte. */
async function letterBytes(session: Session, plan: DisputePlan, format: ClaimFormat, code: LanguageCode) {
  if (format === 'text' || format === 'html') return Buffer.from(session.mask(await letterText(plan, format, code)));
  const { claimData, claimReport } = await import('../../../app/disputes/claim-report.ts');
  const { reportBytes } = await import('../../../render/report.ts');
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

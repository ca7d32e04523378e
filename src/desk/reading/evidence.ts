import { createHash } from 'node:crypto';
import { readBooksDocument, readBooksEvidence } from '../../app/evidence/index.ts';
import { UsageError } from '../../base/errors.ts';
import { fileText } from '../../base/text.ts';
import { because } from '../../words/errors/desk.ts';
import type { Look } from '../desk.ts';
import type { EvidenceModel } from '../models.ts';

/** What of a document is shown as text. */
const MOST_CHARACTERS = 200_000;

/** A document as it was received, as text and never as what it says it is, and its SHA-256 computed again. */
export async function readEvidence({ desk: { books }, parameters, query }: Look): Promise<EvidenceModel> {
  const sha256 = shaOf(parameters.sha256);
  const bytes = await readBooksDocument(books, sha256);
  const { documents } = await readBooksEvidence(books, sha256, false);
  const text = textOf(bytes);
  return {
    sha256,
    computed: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    text: text === null ? null : fileText(text.slice(0, MOST_CHARACTERS)),
    is_cut: text !== null && text.length > MOST_CHARACTERS,
    field: query.get('field') || null,
    documents,
  };
}

/** @throws UsageError for what is no SHA-256 */
export function shaOf(text: string | undefined): string {
  if (text !== undefined && /^[0-9a-f]{64}$/.test(text)) return text;
  throw new UsageError(because({ id: 'no-document', sha256: text ?? '' }));
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

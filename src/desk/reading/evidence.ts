import { createHash } from 'node:crypto';
import { readBooksDocument, readBooksEvidence } from '../../app/evidence/index.ts';
import { fileText } from '../../base/text.ts';
import type { PageRequest } from '../desk.ts';
import type { EvidenceModel } from '../models.ts';
import { requireSha256 } from './address.ts';

/** The most characters of a document that are shown. */
const MOST_CHARACTERS = 200_000;

/** A document as received, with its SHA-256 computed again. It is from outside, so it is always shown as text. */
export async function readEvidencePage({ desk: { books }, parameters, query }: PageRequest): Promise<EvidenceModel> {
  const sha256 = requireSha256(parameters.sha256);
  const bytes = await readBooksDocument(books, sha256);
  const { documents } = await readBooksEvidence(books, sha256);
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

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

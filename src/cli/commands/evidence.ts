import { isUtf8 } from 'node:buffer';
import { Command } from '@commander-js/extra-typings';
import type { EvidenceResult } from '../../app/evidence/index.ts';
import { sizeText } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText, fileText } from '../../base/text.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import { timestampText } from '../lines/labels.ts';
import type { Flags, Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('evidence')
    .summary('the documents behind an invoice, order or receipt, or one document')
    .description(
      'Lists every document that was received about an invoice or order, or the files that hold a receipt: when, from where, its SHA-256, and what could not be read. With a document’s SHA-256: when it was received, and with --body what it says.',
    )
    .argument(
      '<id...>',
      'the number of an invoice, the id of an order, `receipt` and its number, or the SHA-256 of a document',
    )
    .option('--diff', 'how each differs from the one before it')
    .option('--body', 'the document itself, as received; needs its SHA-256')
    .addOption(ledgerOption())
    .addHelpText(...example('remit evidence 10009 --diff', 'remit evidence receipt 41'))
    .action((id, options) => start('evidence', { id, ...options }, evidence));

export type EvidenceInput = SettingInput & Flags<'diff' | 'body'> & { readonly id: readonly string[] };

export async function evidence(session: Session, input: EvidenceInput): Promise<number> {
  const { readBooksDocument, readBooksEvidence } = await import('../../app/evidence/index.ts');
  const books = await session.books(input);
  const id = input.id.join(' ');
  if (input.body) {
    const bytes = await readBooksDocument(books, id);
    if (session.json && !isUtf8(bytes)) {
      throw new UsageError(
        'the document is not text: JSON cannot hold it',
        'Leave --json out: its bytes go to standard output.',
      );
    }
    if (session.json) session.resultJson({ sha256: id.toLowerCase(), body: bytes.toString('utf8') });
    // A terminal gets no characters that it would obey; a file gets every byte.
    else if (session.io.isTTY.stdout) session.result(fileText(bytes.toString('utf8')));
    else session.io.stdout.write(bytes);
    return 0;
  }
  const result = await readBooksEvidence(books, id, input.diff === true);
  return printAnswer(session, result, () => evidenceLines(result));
}

function evidenceLines({ subject, documents }: EvidenceResult): string[] {
  const lines = [`${cleanText(subject)}: ${documents.length === 1 ? 'one document' : `${documents.length} documents`}`];
  for (const { at, run_id, kind, source, sha256, size, fault, differences } of documents) {
    const bytes = size === null ? '' : `, ${sizeText(size)}`;
    lines.push('', `${timestampText(at)}  ${kind}, run ${run_id ?? 'none'}${bytes}`);
    if (source !== null) lines.push(`  from    ${cleanText(source)}`);
    if (sha256 !== null) lines.push(`  sha256  ${sha256}`);
    if (fault !== null) lines.push(`  fault   ${cleanText(fault, 400)}`);
    if (differences?.length === 0) lines.push('  says the same as the one before it');
    for (const { path, before, after } of differences ?? []) {
      lines.push(`  ${cleanText(path)}: ${valueText(before)} → ${valueText(after)}`);
    }
  }
  const last = documents.findLast(({ sha256 }) => sha256 !== null)?.sha256;
  const printed = documents.length === 1 ? 'it' : 'the last of them';
  if (last) lines.push('', `Next: \`remit evidence ${last} --body\` prints ${printed}.`);
  return lines;
}

function valueText(value: string | null): string {
  return value === null ? 'nothing' : cleanText(value, 120);
}

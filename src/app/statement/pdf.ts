import { createReadStream, rmSync } from 'node:fs';
import path from 'node:path';
import type { Statement } from '../../../reports/statement/index.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { makeFolderBeside } from '../../base/files/temporary-folder.ts';
import { writeStatementPage } from '../../render/statement/index.ts';
import type { LanguageCode } from '../../words/index.ts';
import { printPage } from './print.ts';

interface PdfRequest {
  /** The PDF to write, absolute. */
  readonly file: string;
  readonly language: LanguageCode;
  /** The browser that prints it, absolute. */
  readonly browser: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a month's statement as a PDF: its HTML page, printed by a browser. The file appears whole or not at all.
 *
 * @throws FileError when it cannot be written or printed; InterruptedError when the signal aborts
 */
export async function writeStatementPdf(statement: Statement, request: PdfRequest): Promise<void> {
  const { file, language, browser, signal } = request;
  await replaceFile(file, async (handle, target) => {
    // Beside the target, since some browsers may read no other folder than those of their user.
    const folder = makeFolderBeside(path.join(target, 'statement'));
    try {
      const [page, pdf] = [path.join(folder, 'statement.html'), path.join(folder, 'statement.pdf')];
      await writeStatementPage(statement, page, language);
      await printPage({ program: browser, page, pdf, signal });
      for await (const piece of createReadStream(pdf)) await handle.writeFile(piece as Buffer);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });
}

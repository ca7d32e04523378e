import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Statement } from '../../../reports/statement/model.ts';
import { FileError, InterruptedError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { makeFolderBeside, makeTemporaryFolder } from '../../base/files/temporary.ts';
import { cleanText } from '../../base/text.ts';
import { writeStatementPage } from '../../render/statement/index.ts';
import { because } from '../../words/errors/stating.ts';
import type { LanguageCode } from '../../words/index.ts';

/** How long the browser may take. A statement of many thousand orders has hundreds of pages. */
const LIMIT_SECONDS = 300;
/** The most characters of the browser's messages that are kept, to say why it failed. */
const MOST_OUTPUT = 64 * 1024;

const FLAGS = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A container has little shared memory.
  '--disable-dev-shm-usage',
  // The page asks for nothing, and the browser itself shall not either.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-pdf-header-footer',
  // Tags would make it ten times as large.
  '--disable-pdf-tagging',
];

export interface Printing {
  /** The browser, absolute. */
  readonly program: string;
  /** The page, and the PDF to make of it; absolute. */
  readonly page: string;
  readonly pdf: string;
  readonly signal: AbortSignal;
  readonly limitSeconds?: number;
}

/**
 * Prints a page to a PDF with a browser that shows no window, in a new profile that is thrown away afterwards.
 *
 * @throws FileError when it makes no PDF, or not in time; InterruptedError when the signal aborts
 */
export async function printPage(printing: Printing): Promise<void> {
  const { program, pdf } = printing;
  const isRoot = process.getuid?.() === 0;
  // Chromium's sandbox fails as root and in some containers. The page is remit's and has no scripts: it may do without.
  let failure = await run(printing, { hasSandbox: !isRoot });
  if (!isRoot && /sandbox/i.test(failure ?? '')) failure = await run(printing, { hasSandbox: false });
  if (failure === null && existsSync(pdf)) return;
  const why = failure ? `: ${cleanText(failure, 200)}` : '';
  throw new FileError(because({ id: 'printed-nothing', program, why }));
}

/** @returns null if the browser ended well, else why not */
async function run(
  { program, page, pdf, signal, limitSeconds = LIMIT_SECONDS }: Printing,
  { hasSandbox }: { readonly hasSandbox: boolean },
): Promise<string | null> {
  if (signal.aborted) throw new InterruptedError();
  const profile = makeTemporaryFolder();
  try {
    const args = [...FLAGS, ...(hasSandbox ? [] : ['--no-sandbox']), `--user-data-dir=${profile}`];
    const child = spawn(program, [...args, `--print-to-pdf=${pdf}`, pathToFileURL(page).href], {
      // In a process group, so that whatever it starts ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return await untilEnded(child, signal, limitSeconds);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function untilEnded(child: ChildProcess, signal: AbortSignal, limitSeconds: number): Promise<string | null> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    output = (output + piece).slice(-MOST_OUTPUT);
  });
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = () => kill(child);
    const limit = setTimeout(() => {
      isLate = true;
      stop();
    }, limitSeconds * 1_000);
    signal.addEventListener('abort', stop);
    const finish = (done: () => void) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      done();
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish(() => resolve(`it could not be started (${error.code})`)),
    );
    child.on('close', (code) =>
      finish(() => {
        if (signal.aborted) reject(new InterruptedError());
        else if (isLate) resolve(`it did not end within ${limitSeconds} seconds`);
        else resolve(code === 0 ? null : faultLine(output) || `it ended with code ${code}`);
      }),
    );
  });
}

/** Ends the browser and all that it started. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill('SIGKILL'),
    );
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}

/** The line that says what went wrong: the one about the sandbox where there is one, else the last. */
function faultLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => /sandbox/i.test(line)) ?? lines.findLast((line) => line !== '') ?? '';
}

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
  await replaceFile(file, async (handle, folder) => {
    // In the PDF's folder, since some browsers may read only the folders of their user.
    const workFolder = makeFolderBeside(path.join(folder, 'statement'));
    try {
      const [page, pdf] = [path.join(workFolder, 'statement.html'), path.join(workFolder, 'statement.pdf')];
      await writeStatementPage(statement, page, language);
      await printPage({ program: browser, page, pdf, signal });
      for await (const piece of createReadStream(pdf)) await handle.writeFile(piece as Buffer);
    } finally {
      rmSync(workFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });
}

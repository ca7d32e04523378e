import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Statement } from '../../../reports/statement/model.ts';
import { ConfigError, FileError, InstallationError, InterruptedError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { makeFolderBeside, makeTemporaryFolder } from '../../base/files/temporary.ts';
import { cleanText } from '../../base/text.ts';
import { writeStatementPage } from '../../render/statement/index.ts';
import { statingError } from '../../words/errors/stating.ts';
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

interface Printing {
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
  throw new FileError(statingError({ id: 'printed-nothing', program, why }));
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

/**
 * Writes a month's statement as a PDF: its HTML page, printed by a browser. The file appears whole or not at all.
 *
 * @param request the PDF to write and the browser that prints it, both absolute
 * @throws FileError when it cannot be written or printed; InterruptedError when the signal aborts
 */
export async function writeStatementPdf(
  statement: Statement,
  { file, language, browser, signal }: { file: string; language: LanguageCode; browser: string; signal: AbortSignal },
): Promise<void> {
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

/** Names under which Chromium, Chrome and Edge are found on a PATH. */
const PROGRAM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chrome',
  'msedge',
];

/** Where such browsers are installed outside a PATH. */
export function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((each) => each !== undefined);
    const programs = [
      'Google/Chrome/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
      'Chromium/Application/chrome.exe',
    ];
    return programs.flatMap((program) => folders.map((folder) => path.win32.join(folder, program)));
  }
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    const folders = ['/Applications', path.join(homedir(), 'Applications')];
    return names.flatMap((name) => folders.map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`));
  }
  return [
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/usr/lib/chromium/chromium',
  ];
}

interface BrowserSearch {
  /** `browser` of remit.toml: a name on the PATH, or an absolute path; null when not set. */
  readonly chosen: string | null;
  /** The PATH, as the environment has it. */
  readonly path: string;
  readonly places: readonly string[];
}

/**
 * Finds a browser that prints a page: the one in the settings, else the first that is installed.
 *
 * @returns its absolute path
 * @throws ConfigError when the one in the settings is not there, InstallationError when none is installed
 */
export function findBrowser({ chosen, path: folders, places }: BrowserSearch): string {
  if (chosen !== null) {
    const found = (path.isAbsolute(chosen) ? [chosen] : placesOnPath(chosen, folders)).find(isRunnable);
    if (found !== undefined) return found;
    throw new ConfigError(statingError({ id: 'no-such-browser', program: chosen }));
  }
  const found = [...PROGRAM_NAMES.flatMap((name) => placesOnPath(name, folders)), ...places].find(isRunnable);
  if (found !== undefined) return found;
  throw new InstallationError(statingError({ id: 'no-browser' }));
}

function placesOnPath(name: string, folders: string): string[] {
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  const named = folders.split(path.delimiter).filter((each) => each !== '');
  return named.flatMap((folder) => endings.map((ending) => path.resolve(folder, `${name}${ending}`)));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

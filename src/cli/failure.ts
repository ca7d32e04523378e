import { InterruptedError, RemitError, UsageError } from '../base/errors.ts';
import { cleanLines, escapeMarks } from '../base/text.ts';
import type { Session } from './session.ts';

/** A failure as it is reported: one sentence, what to do, and the exit code. */
type Failure = Readonly<Record<'code' | 'message' | 'hint', string>> & { readonly exitCode: number };

const ERRNO: Record<string, [what: string, hint: string]> = {
  ENOSPC: ['the disk is full', 'Free some space and run the command again.'],
  EDQUOT: ['your disk quota is used up', 'Free some space and run the command again.'],
  EFBIG: ['the file grew beyond the size that is allowed', 'Raise the limit (ulimit -f), or choose another disk.'],
  EACCES: ['permission denied', 'Check the permissions of the file and its folder.'],
  EPERM: ['the operation is not permitted', 'Check the permissions of the file and its folder.'],
  EROFS: ['the disk is read-only', 'Choose another folder.'],
  EBUSY: ['the file is open in another program', 'Close it there and run the command again.'],
  ENOENT: ['no such file or folder', 'Check the path.'],
  ENOTDIR: ['a part of the path is not a folder', 'Check the path.'],
  EISDIR: ['it is a folder', 'Name a file.'],
  EMFILE: ['too many files are open', 'Close other programs, or raise the limit (ulimit -n).'],
};

const INTERRUPTED: Failure = {
  code: 'interrupted',
  message: 'interrupted; what was done is kept',
  hint: 'Run the same command again to go on from there.',
  exitCode: 130,
};

/** Says what went wrong, in the terms of the person who typed the command. */
export function explainFailure(error: unknown, signal: AbortSignal): Failure {
  // After Ctrl-C an error of the API only says that a request was cut off: it is the interruption below.
  if (error instanceof RemitError && !(signal.aborted && error.code === 'api')) {
    const { code, message, hint, exitCode } = error;
    return { code, message, hint, exitCode };
  }
  if (error instanceof InterruptedError || signal.aborted) return INTERRUPTED;
  const { code = '', path, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const errno = ERRNO[code];
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') {
    // It is a package that remit needs: `installation.ts` looked at remit's own files before it started.
    const damaged = `its own files are damaged: ${message.split('\n')[0]}`;
    return { code: 'installation', message: damaged, hint: 'Install remit again.', exitCode: 1 };
  }
  // Without a path it is the output that failed: every write to a file has one.
  if (errno) return { code: 'file', message: `${path ?? 'the output'}: ${errno[0]}`, hint: errno[1], exitCode: 1 };
  return {
    code: 'unexpected',
    message: `this should not have happened: ${message.split('\n')[0]}`,
    hint: 'Run the command again with --verbose and report what it prints, with the command and `remit --version`.',
    exitCode: 1,
  };
}

/**
 * commander's `error: unknown option '--x'\n(Did you mean --y?)` as a sentence and a hint. A remark that commander adds
 * follows after a colon: `... is invalid. It must be ...` becomes `... is invalid: it must be ...`.
 *
 * @param command what was typed wrongly, such as `remit sandbox seed`
 */
export function wrongUse({ message }: { readonly message: string }, command: string): UsageError {
  const [sentence = '', suggestion] = message.replace(/^error: /, '').split('\n');
  return new UsageError(
    sentence.replace(/\. (Expected|Allowed|It)\b/, (_, word) => `: ${word.toLowerCase()}`).replace(/\.$/, ''),
    suggestion?.replace(/^\(|\)$/g, '') ?? `See: ${command} --help`,
  );
}

/** Messages and hints may quote text from outside, of any length and with characters that a terminal would obey. */
const LONGEST_LINE = 4_000;

/**
 * Prints a failure on standard error: a sentence and a hint, or one JSON line with --json or in a JSON log; its causes
 * and the stack only with --verbose.
 */
export function printFailure(session: Session, failure: Failure, error?: unknown): void {
  const { code, exitCode } = failure;
  const message = session.mask(failure.message);
  const hint = session.mask(failure.hint);
  if (session.logFormat === 'json') session.log('error', 'failed', { code, message, hint, exit_code: exitCode });
  else if (session.json) {
    const text = JSON.stringify({ error: { code, message, hint, exit_code: exitCode } });
    session.io.stderr.write(`${escapeMarks(text)}\n`);
  } else
    session.io.stderr.write(`remit: ${cleanLines(message, LONGEST_LINE)}\n  → ${cleanLines(hint, LONGEST_LINE)}\n`);
  for (const text of causesOf(error)) session.detail(cleanLines(text, LONGEST_LINE));
}

function causesOf(error: unknown): string[] {
  const stacks: string[] = [];
  for (let cause = error; cause instanceof Error && stacks.length < 10; cause = cause.cause) {
    stacks.push(`${stacks.length === 0 ? '' : 'caused by: '}${cause.stack ?? cause.message}`);
  }
  return stacks;
}

import { InterruptedError, RemitError, UsageError } from '../errors.ts';
import type { Session } from './session.ts';

/** A failure as it is told: one sentence, what to do, and the exit code. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

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

/** Tells what went wrong, in the terms of the person who typed the command. */
export function explainFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof RemitError && !(signal.aborted && error.code === 'api')) {
    const { code, message, hint, exitCode } = error;
    return { code, message, hint, exitCode };
  }
  if (error instanceof InterruptedError || signal.aborted) {
    return {
      code: 'interrupted',
      message: 'interrupted; what was done is kept',
      hint: 'Run the same command again to go on from there.',
      exitCode: 130,
    };
  }
  const { code = '', path, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const errno = ERRNO[code];
  // Only for what is printed is there no path: every write to a file names it.
  if (errno) return { code: 'file', message: `${path ?? 'the output'}: ${errno[0]}`, hint: errno[1], exitCode: 1 };
  return {
    code: 'unexpected',
    message: `this should not have happened: ${message.split('\n')[0]}`,
    hint: 'Run the command again with --verbose and report what it prints, with the command and `remit --version`.',
    exitCode: 1,
  };
}

/**
 * commander's `error: unknown option '--x'\n(Did you mean --y?)` as a sentence and a hint.
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

/** Prints a failure on standard error: a sentence and a hint, or one JSON line with --json; the stack only with --verbose. */
export function printFailure(session: Session, failure: Failure, error?: unknown): void {
  const { code, exitCode } = failure;
  const message = session.mask(failure.message);
  const hint = session.mask(failure.hint);
  const text = session.json
    ? JSON.stringify({ error: { code, message, hint, exit_code: exitCode } })
    : `remit: ${message}\n  → ${hint}`;
  session.io.stderr.write(`${text}\n`);
  if (!(error instanceof Error)) return;
  const trace = [error.stack, error.cause instanceof Error ? `caused by: ${error.cause.stack}` : ''].join('\n');
  session.detail(trace.trim());
}

import { type Command, CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { explainFailure, printFailure } from './failure.ts';
import type { Io } from './io.ts';
import { buildProgram, commonFlags } from './program.ts';
import { openSession, type Session } from './session.ts';

/**
 * Runs the command line.
 *
 * @param argv what follows `remit`
 * @returns the exit code: 0 done, 1 failed, 2 wrong use or settings, 3 mismatches, 4 another sync at work, 130 interrupted
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  let session: Session | undefined;
  const program = buildProgram(async (_name, input, work) => {
    session = openSession(io, commonFlags(program));
    exitCode = await work(session, input);
  });
  speakThrough(program, io);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (caught) {
    if (caught instanceof CommanderError && caught.exitCode === 0) return 0;
    if (isBrokenPipe(caught)) return 0;
    if (caught instanceof CommanderError && caught.code === 'commander.help') return 2;
    const error = caught instanceof CommanderError ? wrongUse(caught) : caught;
    const failure = explainFailure(error, io.signal);
    printFailure(session ?? openSession(io, { json: argv.includes('--json') }), failure, error);
    return failure.exitCode;
  }
}

/** Sends help to our streams; errors are printed by {@link run}, in the form of every other error. */
function speakThrough(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    outputError: () => {},
    getOutHelpWidth: () => io.columns ?? 100,
    getErrHelpWidth: () => io.columns ?? 100,
  });
  for (const child of command.commands) speakThrough(child, io);
}

/** commander's `error: unknown option '--x'\n(Did you mean --y?)` as a sentence and a hint. */
function wrongUse(error: CommanderError): UsageError {
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  return new UsageError(
    sentence,
    suggestion?.replace(/^\(|\)$/g, '') ?? 'See: remit --help, or --help after a command.',
  );
}

function isBrokenPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE';
}

import path from 'node:path';
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { shellWord } from '../base/text.ts';
import type { Io } from './io.ts';
import { buildProgram, commonFlags, helpByFlag } from './program.ts';
import type { CommonFlags, Session, SettingInput } from './session.ts';

// Only what `--help` needs is imported at once: each extra import slows every start.

/**
 * Runs the command line.
 *
 * @param argv what follows `remit`
 * @returns the exit code: 0 done, 1 failed, 2 wrong use or settings, 3 mismatches, 4 another command at work, 130
 * interrupted
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  let session: Session | undefined;
  const program = await buildProgram(async (name, input, work) => {
    const { openSession } = await import('./session.ts');
    const { courier } = commonFlags(program);
    if (courier !== undefined) (await import('./flags.ts')).refuseCourier(name, courier);
    session = openSession(io, commonFlags(program), input as SettingInput);
    exitCode = await work(session, input);
  }, argv);
  useOurStreams(program, io);
  try {
    await program.parseAsync([...helpByFlag(program, argv)], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A group without its subcommand, such as `remit import`: its help was printed.
    if (error instanceof CommanderError && error.code === 'commander.help') return 2;
    // The reader of the output, such as `head`, has seen enough.
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') return 0;
    const { openSession } = await import('./session.ts');
    const { explainFailure, printFailure, wrongUse } = await import('./failure.ts');
    const cause = error instanceof CommanderError ? wrongUse(error, typedCommand(program, argv)) : error;
    const failure = explainFailure(cause, io.signal);
    printFailure(session ?? openSession(io, flagsOf(argv)), failure, cause);
    return failure.exitCode;
  }
}

/** What a person types for remit here: its name if it is installed, otherwise the path to its file. */
export function programName(file: string, cwd: string): string {
  return path.basename(file) === 'remit' ? 'remit' : `node ${shellWord(path.relative(cwd, file))}`;
}

/** The flags that say how to print a failure, for a line that could not be parsed. */
function flagsOf(argv: readonly string[]): CommonFlags {
  const isLog = /(^| )--log-format[= ]json( |$)/.test(argv.join(' '));
  return { json: argv.includes('--json'), logFormat: isLog ? 'json' : 'text' };
}

/** The command in a line that could not be parsed, as far as it names one. */
function typedCommand(program: CommandUnknownOpts, argv: readonly string[]): string {
  const names = [program.name()];
  let command: CommandUnknownOpts = program;
  for (const word of argv) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (!child) continue;
    command = child;
    names.push(word);
  }
  return names.join(' ');
}

/** Sends help to our streams; errors are printed by {@link run}, in the form of every other error. */
function useOurStreams(command: CommandUnknownOpts, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    outputError: () => {},
    getOutHelpWidth: () => io.columns ?? 100,
    getErrHelpWidth: () => io.columns ?? 100,
  });
  for (const child of command.commands) useOurStreams(child, io);
}

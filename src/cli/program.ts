import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { declareMonth, declareSetup } from './declare/books.ts';
import { declareSandbox } from './declare/sandbox.ts';
import { declareService } from './declare/service.ts';
import { example, type Start } from './declare/start.ts';
import type { CommonFlags } from './session.ts';

/**
 * The whole command line as a tree. Only this declares it: parsing, help and shell completion are made from it. The modules
 * that do the work are imported when their command is chosen, so that `--help` stays quick.
 */
export function buildProgram(start: Start): Command {
  const program = new Command('remit')
    .description('Reconciles what a delivery company collected in cash, charged in fees and owes you.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('-C, --directory <dir>', 'the books folder (default: REMIT_HOME, or the current folder)')
    .option('--json', 'print the result for machines')
    .option('-q, --quiet', 'no progress and no notes: only results and errors')
    .option('-v, --verbose', 'more about what is done, and about what went wrong')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showSuggestionAfterError(true)
    .addHelpText('after', example('remit demo', 'remit sync && remit check && remit statement last-month'));
  declareSetup(program, start);
  declareMonth(program, start);
  declareService(program, start);
  declareSandbox(program, start);
  return program;
}

/** The flags that every command takes, as they were given. */
export function commonFlags(program: Command): CommonFlags {
  return program.opts<CommonFlags>();
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { VERSION } from '../base/version.ts';
import { buildProgram } from './program.ts';

// In roff, a line `.SH` begins a section, `.SS` a subsection, `.TP` an entry whose term is in bold (`.B`), `.PP` a
// paragraph, and `.EX` an example up to `.EE`.

/** The manual page of remit and all its commands, made from their help: build.mjs writes it into the package. */
export async function manPage(): Promise<string> {
  const program = await buildProgram(async () => {});
  return [
    `.TH REMIT 1 "" "remit ${VERSION}" "User commands"`,
    '.SH NAME',
    `remit ${escaped(`- ${program.description().replace(/\.$/, '')}`)}`,
    '.SH SYNOPSIS',
    `.B remit\n.RI [ options ] " command " [ arguments ]`,
    '.SH OPTIONS',
    'Every command takes these.',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => sectionsOf(command, 'remit')),
    ...CLOSING,
    '',
  ].join('\n');
}

/** The sections that no command's help has. */
const CLOSING = [
  '.SH EXIT STATUS',
  ...entry('0', 'done'),
  ...entry('1', 'failed, or incomplete, or a fault was found'),
  ...entry('2', 'wrong use or settings'),
  ...entry('3', 'mismatches at or above --fail-on'),
  ...entry('4', 'another command is at work on the ledger'),
  ...entry('130', 'interrupted'),
  '.SH ENVIRONMENT',
  ...entry('REMIT_HOME', 'the books folder'),
  ...entry('REMIT_API_URL', "where the API's paths begin"),
  ...entry('REMIT_API_KEY', 'the API key'),
  ...entry('REMIT_LEDGER', 'the ledger: a file, or postgresql://...'),
  ...entry('REMIT_SQLITE', 'better-sqlite3 or node: the only SQLite to use'),
  ...entry('NO_COLOR', 'no colours'),
  '.SH FILES',
  ...entry('remit.toml', 'the settings, in the books folder'),
  ...entry('ledger.db', 'the ledger, in the books folder'),
];

function sectionsOf(command: CommandUnknownOpts, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const help = command.createHelp();
  const values = help
    .visibleArguments(command)
    .flatMap((argument) => entry(help.argumentTerm(argument), help.argumentDescription(argument)));
  return [
    `.SS ${escaped(`${parent} ${help.subcommandTerm(command)}`)}`,
    escaped(command.description()),
    ...values,
    ...optionsOf(command),
    ...examplesOf(command),
    ...command.commands.flatMap((child) => sectionsOf(child, name)),
  ];
}

function optionsOf(command: CommandUnknownOpts): string[] {
  const help = command.createHelp();
  // Every command has --help: it is listed once, with the program's options.
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' || command.parent === null)
    .flatMap((option) => entry(help.optionTerm(option), help.optionDescription(option)));
}

/** The examples at the end of a command's help: commander adds them only while it writes the help. */
function examplesOf(command: CommandUnknownOpts): string[] {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (text) => void pieces.push(text) });
  command.outputHelp();
  const [, examples] = pieces.join('').split('\nExample:\n');
  return examples === undefined ? [] : ['.PP', 'Example:', '.PP', '.EX', escaped(examples.trimEnd()), '.EE'];
}

function entry(term: string, text: string): string[] {
  return ['.TP', `.B ${escaped(term)}`, escaped(text)];
}

/** Text that roff prints as it is: no escape, no request at a line's start, no sign that roff prints as another. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=\.)/gm, '\\&');
}

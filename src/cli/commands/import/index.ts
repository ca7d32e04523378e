import { Command } from '@commander-js/extra-typings';
import type { Books } from '../../../app/books.ts';
import { example, ledgerOption, printAnswer, type Start } from '../../command.ts';
import { commandsOfGroup, type DecidingInput, decideOrPreview, dryRunOption, seenOption } from '../../decisions.ts';
import type { PersonInput, Session, SettingInput } from '../../session.ts';
import { FILE_KINDS, fileCommand, importSource } from './files.ts';

export const declare = (start: Start) => {
  const command = new Command('import')
    .summary('import your own order book, bank statements, prices and rates')
    .description('Imports your files. Each is kept as it was, with who imported it and when, and can be taken back.')
    .addHelpText(...example('remit import orders shop.csv', 'remit import receipts october.xml', 'remit import list'));
  // In the order in which help lists them.
  const children = [...FILE_KINDS.map((kind) => fileCommand(kind)), declareResolutions, listCommand];
  for (const declareChild of children) command.addCommand(declareChild(start));
  for (const decision of commandsOfGroup('import', start)) command.addCommand(decision);
  return command;
};

export const listCommand = (start: Start) =>
  new Command('list')
    .summary('every import: when, by whom, how many rows')
    .description('Lists every import in the order in which they came, with those that were taken back.')
    .addOption(ledgerOption())
    .addHelpText(...example('remit import list'))
    .action((options) => start('import list', options, list));

export async function list(session: Session, input: SettingInput): Promise<number> {
  const { listImports } = await import('../../../app/import/undo.ts');
  const books = await session.books(input);
  const imports = await listImports(books);
  if (session.json) session.resultJson({ imports });
  else await session.list('imports', imports, await session.zone(books));
  return 0;
}

export const declareResolutions = (start: Start) =>
  new Command('resolutions')
    .summary('take statuses and notes back from a statement')
    .description(
      'Takes back the statuses and notes that were typed into a statement’s Mismatches sheet: only what was changed there, and nothing that was decided since.',
    )
    .argument('<file>', 'the workbook; - is standard input')
    .option('--by <name>', 'who decides (default: the user of this machine)')
    .addOption(dryRunOption('say what would change, and change nothing'))
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText(...example('remit import resolutions statements/2026-10.xlsx --by Rana'))
    .action((file, options) => start('import resolutions', { file, ...options }, resolutions));

export type ResolutionsInput = PersonInput & DecidingInput & { readonly file: string };

export async function resolutions(session: Session, input: ResolutionsInput): Promise<number> {
  const { importWorkbook, readWorkbook } = await import('../../../app/import/resolutions.ts');
  const lines = await import('../../lines/import.ts');
  const by = await session.person(input.by);
  const dryRun = input.dryRun === true;
  const books = await session.books(input);
  const source = await importSource(session.io, input.file);
  const workbook = await readWorkbook(source, books.signal);
  const take = (takingBooks: Books) => importWorkbook(takingBooks, workbook, { by, dryRun: false });
  // Never null: it previews nothing here, and only single rows wait for a second person.
  const decide = async () => (await decideOrPreview(session, books, { seen: input.seen }, take))!;
  const imported = dryRun ? await importWorkbook(books, workbook, { by, dryRun }) : await decide();
  // `imported` says which rows would be taken, the preview what they would do to the books.
  const { previewOf } = await import('../../../app/decisions/preview.ts');
  const preview = dryRun
    ? await previewOf(books, async (copy) => ({ answer: await take(copy) }), { seen: input.seen })
    : null;
  for (const line of session.json ? [] : lines.notTakenLines(imported)) session.warn(line);
  const json = { ...preview, ...lines.resolutionsJson(imported, dryRun) };
  const { seenLines } = await import('../../lines/decided.ts');
  const previewLines = preview === null ? [] : seenLines(preview);
  const takenLines = lines.resolutionsLines(imported, dryRun);
  return printAnswer(session, json, () => [...takenLines, ...previewLines], !session.quiet);
}

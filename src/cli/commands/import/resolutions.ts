import { Command } from '@commander-js/extra-typings';
import type { Books } from '../../../app/books.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import { type DecidingInput, decideOrPreview, dryRunOption, seenOption } from '../../decide-or-preview.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
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
    .addHelpText('after', example('remit import resolutions statements/2026-10.xlsx --by Rana'))
    .action((file, options) => start('import resolutions', { file, ...options }, resolutions));

export interface ResolutionsInput extends SettingInput, DecidingInput {
  readonly file: string;
  readonly by?: string | undefined;
}

export async function resolutions(session: Session, input: ResolutionsInput): Promise<number> {
  const [{ importWorkbook, readWorkbook }, { importSource }, lines] = await Promise.all([
    import('../../../app/import/resolutions.ts'),
    import('../../import-input.ts'),
    import('../../lines/resolutions.ts'),
  ]);
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
  if (session.json) {
    session.resultJson({ ...preview, ...lines.resolutionsJson(imported, dryRun) });
    return 0;
  }
  for (const line of lines.notTakenLines(imported)) session.warn(line);
  if (session.quiet) return 0;
  const { seenLines } = await import('../../lines/approvals.ts');
  const previewLines = preview === null ? [] : seenLines(preview);
  session.result([...lines.resolutionsLines(imported, dryRun), ...previewLines].join('\n'));
  return 0;
}

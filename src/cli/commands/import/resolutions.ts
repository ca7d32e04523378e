import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { type SettingInput, settingFlags } from '../../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('resolutions')
    .summary('take statuses and notes back from a statement')
    .description(
      'Takes back the statuses and notes that were typed into a statement’s Mismatches sheet: only what was changed there, and nothing that was decided since.',
    )
    .argument('<file>', 'the workbook; - is standard input')
    .option('--by <name>', 'who decides (default: the user of this machine)')
    .option('--dry-run', 'say what would change, and change nothing')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit import resolutions statements/2026-10.xlsx --by Rana'))
    .action((file, options) => start('import resolutions', { file, ...options }, resolutions));

interface ResolutionsInput extends SettingInput {
  readonly file: string;
  readonly by?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

async function resolutions(session: Session, input: ResolutionsInput): Promise<number> {
  const [{ importResolutions }, { personOf }, { importSource }, lines] = await Promise.all([
    import('../../../app/import/resolutions.ts'),
    import('../../person.ts'),
    import('../../import-source.ts'),
    import('../../lines/resolutions.ts'),
  ]);
  const by = personOf(session, input.by);
  const dryRun = input.dryRun === true;
  const books = await session.books(settingFlags(input));
  const source = await importSource(session.io, input.file);
  const imported = await importResolutions(books, { source, by, dryRun });
  if (session.json) {
    session.resultJson(lines.resolutionsJson(imported, dryRun));
    return 0;
  }
  for (const line of lines.notTakenLines(imported)) session.warn(line);
  if (!session.quiet) session.result(lines.resolutionsLines(imported, dryRun).join('\n'));
  return 0;
}

import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { KeptLetter } from '../../../app/disputes/letters.ts';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declareLetter = (start: Start) =>
  new Command('letter')
    .summary('a letter as it was sent')
    .description('Shows the last letter that was sent about a mismatch or a month, byte for byte as it was.')
    .argument('[id]', 'the mismatch’s id, which may be shortened while it is unique')
    .option('--month <month>', 'the letter about this month, such as 2026-10')
    .option('--out <file>', 'write it to a file')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit dispute letter --month 2026-10 --out claim.html'))
    .action((id, options) => start('dispute letter', { id, ...options }, letter));

export interface LetterInput extends SettingInput {
  readonly id: string | undefined;
  readonly month?: string | undefined;
  readonly out?: string | undefined;
}

export function letterJson(
  { claim, at, actor: by, courier, period, months, format, language, bytes }: KeptLetter,
  file: string | null,
) {
  const encoding: 'base64' | 'utf8' = format === 'xlsx' ? 'base64' : 'utf8';
  const about = { claim, at, by, courier, period, months, format, language, file, encoding };
  return { ...about, letter: bytes.toString(encoding) };
}

export async function letter(session: Session, { id, month, out, ...input }: LetterInput): Promise<number> {
  if ((id === undefined) === (month === undefined)) {
    throw new UsageError('name one letter', 'Give the id of a mismatch in it, or --month MONTH.');
  }
  const [{ readLetter }, { refuseOwnFiles }] = await Promise.all([
    import('../../../app/disputes/letters.ts'),
    import('../../../app/books.ts'),
  ]);
  const months = await session.months(month);
  if (months && months.length > 1) throw new UsageError('--month is one month', 'Give one, such as 2026-10.');
  const books = await session.books(input);
  const keptLetter = await readLetter(books, id === undefined ? { month: months![0]! } : { id });
  const { format, bytes, others } = keptLetter;
  const file = out === undefined ? null : path.resolve(session.io.cwd, out);
  if (file === null && format === 'xlsx' && session.io.isTTY.stdout && !session.json) {
    throw new UsageError('a workbook cannot be shown on a terminal', 'Name a file: --out FILE.xlsx');
  }
  if (file !== null) {
    refuseOwnFiles(books, file);
    const { writeDocument } = await import('../../../render/output.ts');
    await writeDocument(file, async () => [bytes]);
    session.note(`wrote ${file}`);
  }
  if (session.json) session.resultJson(letterJson(keptLetter, file));
  else if (file === null) session.io.stdout.write(bytes);
  if (others > 0)
    session.note(
      `the last of ${others + 1} letters: `.concat(
        'an earlier one is shown by the id of a mismatch that it alone holds',
      ),
    );
  return 0;
}

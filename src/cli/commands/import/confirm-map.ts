import type { FileSource } from '../../../app/import/index.ts';
import { ImportFileError } from '../../../errors.ts';
import { cleanText } from '../../../text.ts';
import type { Session } from '../../session.ts';
import { type SettingInput, settingFlags } from '../../settings-flags.ts';

interface Asked {
  readonly kind: 'orders' | 'receipts' | 'tariff' | 'rates';
  readonly files: readonly FileSource[];
  readonly map: string | null;
  readonly input: SettingInput;
}

/**
 * Does the work; on a terminal, where a file cannot be read without a map and one can be proposed, the map is shown with the file's first
 * rows, and once it is confirmed it is saved in remit.toml and the work done by it. Elsewhere the refusal prints the map.
 *
 * @param work reads the files by a map of that name
 */
export async function withConfirmedMap<T>(
  session: Session,
  { kind, files, map, input }: Asked,
  work: (map: string | null) => Promise<T>,
): Promise<T> {
  try {
    return await work(map);
  } catch (error) {
    const canAsk = session.io.isTTY.stdin && !session.json && map === null;
    if (!(error instanceof ImportFileError) || error.map === null || error.map.includes('"..."') || !canAsk)
      throw error;
    const name = await confirm(session, { kind, files, input }, error, error.map);
    if (name === null) throw error;
    return work(name);
  }
}

/** Shows the map and asks. @returns the name under which it was saved; null where it was declined or cannot be saved */
async function confirm(
  session: Session,
  { kind, files, input }: Omit<Asked, 'map'>,
  refusal: ImportFileError,
  map: string,
): Promise<string | null> {
  const [{ sampleRows, saveMap }, { usingAsker }] = await Promise.all([
    import('../../../app/import/maps.ts'),
    import('../../ask.ts'),
  ]);
  const books = await session.books(settingFlags(input));
  if (books.config.file === null) return null;
  const nameOf = (file: FileSource) => (typeof file === 'string' ? file : file.name);
  const file = files.find((each) => nameOf(each) === refusal.file) ?? files[0]!;
  session.warn(`${refusal.message}.`);
  for (const row of await sampleRows(kind, file))
    session.warn(`  ${row.map((cell) => cleanText(cell, 40)).join(' | ')}`);
  session.warn(`\nIt could be read by this map:\n\n${map}\n`);
  return usingAsker(session.io, async ({ ask }) => {
    const answer = await ask('Read it so, and save the map in remit.toml? (yes or no)', 'no');
    if (!/^y(es)?$/i.test(answer)) return null;
    return saveMap(books, await ask('Name of the map', kind), map);
  });
}

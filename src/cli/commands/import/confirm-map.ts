import type { FileSource, ImportRequest } from '../../../app/import/index.ts';
import { ImportFileError } from '../../../base/errors.ts';
import { cleanText } from '../../../base/text.ts';
import type { Session, SettingInput } from '../../session.ts';

type MapRequest = Pick<ImportRequest, 'kind' | 'files' | 'map'> & { readonly input: SettingInput };

/**
 * Does the work. If a file cannot be read without a map and there is a terminal, it shows the first rows, asks what
 * they leave open, shows the map, saves it in remit.toml after a yes, and does the work with it. Without a terminal it
 * throws the refusal, which prints the map.
 *
 * @param work reads the files by a map of that name
 */
export async function withConfirmedMap<T>(
  session: Session,
  { kind, files, map, input }: MapRequest,
  work: (map: string | null) => Promise<T>,
): Promise<T> {
  try {
    return await work(map);
  } catch (error) {
    const canAsk = session.io.isTTY.stdin && !session.json && map === null;
    if (!(error instanceof ImportFileError) || error.map === null || !canAsk) throw error;
    const name = await askForMap(session, { kind, files, input }, error);
    if (name === null) throw error;
    return work(name);
  }
}

/** Asks for the map, shows it and saves it. @returns its name; null if it was declined or cannot be saved */
async function askForMap(session: Session, { kind, files, input }: Omit<MapRequest, 'map'>, refusal: ImportFileError) {
  const maps = await import('../../../app/import/column-map.ts');
  const { completeMap } = await import('../../../app/import/complete-map.ts');
  const { usingAsker } = await import('../../ask.ts');
  const books = await session.books(input);
  if (books.config.file === null) return null;
  const nameOf = (file: FileSource) => (typeof file === 'string' ? file : file.name);
  const file = files.find((candidate) => nameOf(candidate) === refusal.file) ?? files[0]!;
  const say = (text: string) => void session.io.stderr.write(`${session.mask(text)}\n`);
  const rows = await maps.sampleRows(kind, file);
  say(`${refusal.message}.`);
  for (const row of rows) say(`  ${row.map((cell) => cleanText(cell, 40)).join(' | ')}`);
  return usingAsker(session.io, async ({ ask, confirm }) => {
    const tell = (what: string) => say(`That is ${what}; leave it empty to give up.`);
    // Null: the refusal proposes a new map, and does not want one of remit.toml changed.
    const existing = await maps.heldMap(books, refusal.map!);
    const text = await completeMap({ kind, file, refusal, headers: rows[0] ?? [], held: existing, ask, tell });
    if (text === null) return null;
    say(`\nIt can be read by this map:\n\n${text}\n`);
    if (existing !== null) {
      if (!(await confirm(`Read it so, and change the map ${existing.name} in remit.toml`))) return null;
      return maps.saveInPlace(books, text);
    }
    if (!(await confirm('Read it so, and save the map in remit.toml'))) return null;
    for (;;) {
      const name = await ask('Name of the map', kind);
      const fault = maps.mapNameFault(books, name);
      if (fault === null) return maps.saveMap(books, name, text);
      say(fault.message);
    }
  });
}

import { readFile } from 'node:fs/promises';
import { type FileSource, sampleSafely } from '../../books/formats/index.ts';
import { ConfigError, UsageError } from '../../errors.ts';
import { replaceFile } from '../../files/index.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { Books } from '../books.ts';

/** The headers and the first three rows of a file, as texts. None where it is no table. */
export async function sampleRows(kind: ImportedKind, file: FileSource): Promise<readonly (readonly string[])[]> {
  const { headers, rows } = await sampleSafely(kind, file);
  return [headers, ...rows.slice(0, 3)];
}

/** Why a map cannot be kept under a name: it is no name, or is taken; null where it can. */
export function mapNameFault({ config }: Pick<Books, 'config'>, name: string): UsageError | null {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
    return new UsageError('a map’s name is made of letters, digits, - and _', 'Choose another.');
  if (Object.hasOwn(config.maps, name))
    return new UsageError(`there is a map ${name} already`, `Use it with --map ${name}, or choose another name.`);
  return null;
}

/**
 * Adds a map to the books' remit.toml.
 *
 * @param text the map as a refusal proposes it, beginning with its `[maps.NAME]`
 * @returns the map's name
 * @throws UsageError for a name that is none or is taken
 */
export async function saveMap({ config }: Pick<Books, 'config'>, name: string, text: string): Promise<string> {
  if (config.file === null)
    throw new ConfigError('there is no remit.toml to keep the map in', 'Make one with `remit init`.');
  const fault = mapNameFault({ config }, name);
  if (fault !== null) throw fault;
  const before = await readFile(config.file, 'utf8');
  const table = text.replace(/^\[maps\..*\]/, `[maps.${name}]`);
  const after = `${before}${before.endsWith('\n') ? '' : '\n'}\n${table}\n`;
  await replaceFile(config.file, (handle) => handle.writeFile(after), { noun: 'folder', by: '' });
  return name;
}

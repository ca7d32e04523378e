import { ConfigError } from '../base/errors.ts';
import { NotRegularError, readRegularFile } from '../base/files/read.ts';
import { cleanText } from '../base/text.ts';
import { secretsNamedTwice } from './key.ts';
import { isSettingName, nearestSetting, type SettingValues, settingFault } from './settings.ts';
import { isLikeASecret, isSettingsTable, readTable, secretFileFor, type TableValues } from './tables.ts';

const MAX_SETTINGS_BYTES = 1_024 * 1_024;

/** Something wrong in a settings file; `place` is its line, `remit.toml:12`, or the file. */
export interface SettingsFault {
  readonly place: string;
  readonly what: string;
  readonly hint: string;
}

/**
 * Reads remit.toml.
 *
 * @returns undefined when there is no such file
 * @throws ConfigError naming file and line of everything that is wrong: it is no TOML, has unknown or invalid settings,
 * or holds a key
 */
export async function readSettingsFile(file: string): Promise<(SettingValues & TableValues) | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  const values: Record<string, unknown> = {};
  const faults: SettingsFault[] = [];
  for (const [name, value] of Object.entries(await parseToml(file, text))) {
    if (isSettingsTable(name)) {
      const read = readTable(name, value);
      for (const what of read.faults) {
        const hint = 'Correct that table; docs/settings.md has examples.';
        faults.push({ place: `${file}:${lineOf(text, name)}`, what, hint });
      }
      values[name] = read.value;
      continue;
    }
    const fault = faultOfSetting(name, value);
    if (fault) faults.push({ place: `${file}:${lineOf(text, name)}`, ...fault });
    else values[name] = value;
  }
  for (const { setting, short } of secretsNamedTwice(values)) {
    faults.push({
      place: file,
      what: `has both \`${setting}_file\` and \`${setting}_command\``,
      hint: `Keep the one that the ${short} comes from and remove the other.`,
    });
  }
  if (faults.length > 0) throw allFaults(file, faults, 'docs/settings.md');
  return values as SettingValues & TableValues;
}

/** The text of a settings file; undefined when there is no such file. @throws ConfigError when it cannot be read */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readRegularFile(file, { maxBytes: MAX_SETTINGS_BYTES });
  } catch (error) {
    if (error instanceof NotRegularError)
      throw new ConfigError(`${file} is ${error.what}`, 'Name another books folder.');
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`${file} cannot be read (${code})`, 'Check its permissions.', { cause: error });
  }
}

function faultOfSetting(name: string, value: unknown): Omit<SettingsFault, 'place'> | undefined {
  const shown = `\`${cleanText(name, 60)}\``;
  if (!isSettingName(name) && isLikeASecret(name)) {
    const file = secretFileFor(name);
    const orElse = file === 'api_key_file' ? ', or set REMIT_API_KEY' : '';
    return {
      what: `${shown} would keep the key itself in a settings file, which gets copied and shared`,
      hint: `Remove that line; put the key in a file of its own (chmod 600) and name it in \`${file}\`${orElse}.`,
    };
  }
  if (!isSettingName(name)) {
    const nearest = nearestSetting(name);
    return {
      what: `there is no setting ${shown}`,
      hint: nearest ? `Did you mean \`${nearest}\`?` : 'docs/settings.md lists the settings; remove this line.',
    };
  }
  const fault = settingFault(name, value);
  return fault ? { what: `${shown} ${fault}`, hint: 'Correct that line; docs/settings.md has examples.' } : undefined;
}

/** Makes one error of all faults of a file. @param page the page of docs/ that explains its settings */
export function allFaults(file: string, faults: readonly SettingsFault[], page: string): ConfigError {
  // `remit.toml:12: there is ...` of a line, `remit.toml has both ...` of the file.
  const sentenceOf = ({ place, what }: SettingsFault) => `${place}${place === file ? '' : ':'} ${what}`;
  if (faults.length === 1) return new ConfigError(sentenceOf(faults[0]!), faults[0]!.hint);
  const lines = faults.map((fault) => `  ${sentenceOf(fault)}. ${fault.hint}`);
  return new ConfigError(
    [`${file} has ${faults.length} faults`, ...lines].join('\n'),
    `Correct these lines; ${page} lists the settings, with examples.`,
  );
}

/** @throws ConfigError naming the line that is no TOML */
export async function parseToml(file: string, text: string): Promise<Record<string, unknown>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Later lines of the message quote the file, which may hold a key.
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new ConfigError(
      `${file}:${error.line} is not valid TOML: ${reason}`,
      'A setting is a line such as `overdue_days = 30`, with text in quotes.',
    );
  }
}

/** A text as the pattern of a regular expression that matches it alone. */
export function asPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The first line, counted from 1, that has a setting or a table. @param after looks only below this line */
export function lineOf(text: string, name: string, after = 0): number {
  // `name =`, `"name".`, `[name]`, `[[name.`
  const heading = new RegExp(`^\\s*\\[*\\s*["']?${asPattern(name)}["']?\\s*[=.\\]]`);
  const index = text.split('\n').findIndex((line, place) => place >= after && heading.test(line));
  return index < 0 ? Math.max(after, 1) : index + 1;
}

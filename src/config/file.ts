import { readFile } from 'node:fs/promises';
import { ConfigError } from '../errors.ts';
import { faultOf, isSettingName, nearestSetting, type SettingValues } from './settings.ts';

/**
 * Reads remit.toml.
 *
 * @returns undefined when there is no such file
 * @throws ConfigError naming file and line, when it is not TOML, has an unknown or invalid setting, or holds a key
 */
export async function readSettingsFile(file: string): Promise<SettingValues | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`${file} cannot be read (${code})`, 'Check its permissions.', { cause: error });
  }
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(await parseToml(file, text))) {
    const place = `${file}:${lineOf(text, name)}`;
    if (/^(remit_)?api_?key$|secret|token|password/i.test(name.replaceAll('-', '_'))) throw keyInFile(place, name);
    if (!isSettingName(name)) {
      const nearest = nearestSetting(name);
      throw new ConfigError(
        `${place}: there is no setting \`${name}\``,
        nearest ? `Did you mean \`${nearest}\`?` : 'docs/settings.md lists the settings; remove this line.',
      );
    }
    const fault = faultOf(name, value);
    if (fault)
      throw new ConfigError(`${place}: \`${name}\` ${fault}`, 'Correct that line; docs/settings.md has examples.');
    values[name] = value;
  }
  if (values.api_key_file !== undefined && values.api_key_command !== undefined) {
    throw new ConfigError(
      `${file} has both \`api_key_file\` and \`api_key_command\``,
      'Keep the one that the key comes from and remove the other.',
    );
  }
  return values as SettingValues;
}

async function parseToml(file: string, text: string): Promise<Record<string, unknown>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the message quotes the file, which may hold a key.
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new ConfigError(
      `${file}:${error.line} is not valid TOML: ${reason}`,
      'A setting is a line such as `overdue_days = 30`, with text in quotes.',
    );
  }
}

function lineOf(text: string, name: string): number {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = text
    .split('\n')
    .findIndex((line) => new RegExp(`^\\s*\\[*\\s*["']?${escaped}["']?\\s*[=.\\]]`).test(line));
  return found + 1 || 1;
}

function keyInFile(place: string, name: string): ConfigError {
  return new ConfigError(
    `${place}: \`${name}\` would keep the key itself in a settings file, which gets copied and shared`,
    'Remove that line; put the key in a file of its own (chmod 600) and name it in `api_key_file`, or set REMIT_API_KEY.',
  );
}

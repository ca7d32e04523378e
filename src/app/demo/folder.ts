import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { settingsText } from '../../config/template.ts';
import { SETTINGS_FILE } from '../../config.ts';
import { FileError } from '../../errors.ts';
import { makeFolder } from '../../files/index.ts';
import { writeText } from '../init.ts';

/** The files of a demo: a books folder, and the service's own file beside it. */
export interface DemoFolder {
  readonly folder: string;
  readonly service: string;
  readonly settings: string;
  /** Whether an earlier demo made it. */
  readonly isThere: boolean;
}

const KEY_FILE = 'api-key';

/** Makes the demo's folder, or finds an earlier demo in it. @throws FileError when it holds anything else */
export function openDemoFolder(folder: string): DemoFolder {
  const service = path.join(folder, 'courier.db');
  const settings = path.join(folder, SETTINGS_FILE);
  const isThere = existsSync(service) && existsSync(settings);
  if (!isThere) {
    makeFolder(folder);
    if (readdirSync(folder).length > 0) {
      throw new FileError(
        `${folder} is not empty, and no finished demo is in it`,
        'Name another folder, or delete this one if it is left over from a demo that was stopped.',
      );
    }
  }
  return { folder, service, settings, isThere };
}

/** Writes the settings of a new demo: the service's address, and the key in a file of its own. */
export async function writeDemoSettings({ folder, settings }: DemoFolder, apiUrl: string, key: string): Promise<void> {
  makeFolder(path.join(folder, 'statements'));
  await writeText(path.join(folder, KEY_FILE), `${key}\n`);
  await writeText(settings, settingsText({ apiUrl, keyFile: KEY_FILE, keyCommand: null }));
}

import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ConfigError, InstallationError } from '../../base/errors.ts';
import { because } from '../../words/errors/stating.ts';

/** Names under which Chromium, Chrome and Edge are found on a PATH. */
const PROGRAM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chrome',
  'msedge',
];

/** Where such browsers are installed outside a PATH. */
export function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((each) => each !== undefined);
    const programs = [
      'Google/Chrome/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
      'Chromium/Application/chrome.exe',
    ];
    return programs.flatMap((program) => folders.map((folder) => path.win32.join(folder, program)));
  }
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    const folders = ['/Applications', path.join(homedir(), 'Applications')];
    return names.flatMap((name) => folders.map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`));
  }
  return [
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/usr/lib/chromium/chromium',
  ];
}

interface BrowserSearch {
  /** `browser` of remit.toml: a name on the PATH, or an absolute path; null when not set. */
  readonly chosen: string | null;
  /** The PATH, as the environment has it. */
  readonly path: string;
  readonly places: readonly string[];
}

/**
 * Finds a browser that prints a page: the one in the settings, else the first that is installed.
 *
 * @returns its absolute path
 * @throws ConfigError when the one in the settings is not there, InstallationError when none is installed
 */
export function findBrowser({ chosen, path: folders, places }: BrowserSearch): string {
  if (chosen !== null) {
    const found = path.isAbsolute(chosen) ? ifRunnable(chosen) : onPath(chosen, folders);
    if (found !== null) return found;
    throw new ConfigError(because({ id: 'no-such-browser', program: chosen }));
  }
  for (const name of PROGRAM_NAMES) {
    const found = onPath(name, folders);
    if (found !== null) return found;
  }
  for (const place of places) {
    const found = ifRunnable(place);
    if (found !== null) return found;
  }
  throw new InstallationError(because({ id: 'no-browser' }));
}

function onPath(name: string, folders: string): string | null {
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  for (const folder of folders.split(path.delimiter).filter((each) => each !== '')) {
    for (const ending of endings) {
      const found = ifRunnable(path.resolve(folder, `${name}${ending}`));
      if (found !== null) return found;
    }
  }
  return null;
}

function ifRunnable(file: string): string | null {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

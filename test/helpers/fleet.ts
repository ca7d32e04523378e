import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { addMonths } from '../../src/base/period.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Outcome, remit } from './cli.ts';

/** A fleet's folder, and a made-up courier with merchants that are in none yet. */
export interface TestFleet {
  readonly folder: string;
  readonly merchants: readonly { readonly url: string; readonly key: string }[];
  /** Runs `remit -C FOLDER fleet ...`. */
  fleet(...args: string[]): Promise<Outcome>;
  /** The same with --json, for what it prints. */
  json<T>(...args: string[]): Promise<T>;
  /** The rows of a report of a merchant's own. */
  report(merchant: string, name: string): Promise<readonly Record<string, unknown>[]>;
  add(
    merchant: string,
    at: { readonly url: string; readonly key: string },
    options?: { cell?: string; settings?: string },
  ): Promise<void>;
}

/** The last two months: those that a merchant's night reads by itself, in a process with the clock of today. */
export const LAST_MONTH = addMonths(new Date().toISOString().slice(0, 7), -1);
const FIRST_MONTH = addMonths(LAST_MONTH, -1);

/** @param settings what fleet.toml says */
export async function startFleet(folder: string, settings: string): Promise<TestFleet> {
  const file = path.join(folder, 'service.db');
  const args = ['--data', file, '--months', `${FIRST_MONTH}..${LAST_MONTH}`, '--orders', '30', '--seed', '3', '--json'];
  const { stdout } = await remit(['sandbox', 'seed', ...args], { cwd: folder });
  const { merchants } = JSON.parse(stdout) as { merchants: { key: string }[] };
  const sandbox = await startSandbox({ file, port: 0, host: '127.0.0.1', results: 'flat' });
  onTestFinished(() => sandbox.close());
  const at = path.join(folder, 'fleet');
  mkdirSync(at);
  writeFileSync(path.join(at, 'fleet.toml'), settings);
  const env = { ...(process.env as Record<string, string>), TZ: 'UTC' };
  const fleet: TestFleet['fleet'] = (...words) => remit(['-C', at, 'fleet', ...words], { cwd: folder, env });
  return {
    folder: at,
    merchants: merchants.map(({ key }) => ({ url: sandbox.url, key })),
    fleet,
    json: async (...words) => {
      const { stdout: printed, stderr } = await fleet(...words, '--json');
      expect(printed, stderr).not.toBe('');
      return JSON.parse(printed);
    },
    report: async (merchant, name) => {
      const outcome = await remit(['-C', path.join(at, 'books', merchant), 'report', name, '--json'], { cwd: folder });
      return JSON.parse(outcome.stdout).rows;
    },
    add: async (merchant, { url, key }, { cell, settings: more = '' } = {}) => {
      const template = path.join(folder, 'template.toml');
      writeFileSync(template, `api_url = ${JSON.stringify(url)}\napi_key_file = "api-key"\ntime_zone = "UTC"\n${more}`);
      const added = await fleet(
        'add',
        merchant,
        '--settings',
        template,
        ...(cell === undefined ? [] : ['--cell', cell]),
      );
      expect(added.code, added.stderr).toBe(0);
      writeFileSync(path.join(at, 'books', merchant, 'api-key'), key, { mode: 0o600 });
    },
  };
}

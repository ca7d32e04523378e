import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseUnits } from '../../../src/money/units.ts';
import { journalFiles } from '../../../src/render/journal/index.ts';
import { journalSettings } from '../../../src/render/journal/settings.ts';
import { october, sums, transactions, withoutZeros } from './world.ts';

const RUNS = Number(process.env.REMIT_ENGINE_RUNS ?? 8);
const folder = mkdtempSync(path.join(tmpdir(), 'remit-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const withHledger = has('hledger');
const withBeancount = has('bean-check');
const UTF8 = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

function run(program: string, args: string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: UTF8 });
  return { status, output: `${stdout}${stderr}` };
}

function written(name: string, pieces: Iterable<string>): string {
  const file = path.join(folder, name);
  writeFileSync(file, [...pieces].join(''));
  return file;
}

describe.skipIf(!withHledger)(
  `hledger reads the journal${withHledger ? '' : ' (skipped: hledger is not installed)'}`,
  () => {
    const settings = journalSettings(undefined, 'hledger');

    it('passes its strict checks, and gives the sums of the model', () => {
      fc.assert(
        fc.property(transactions, (all) => {
          const journal = october(all);
          const file = written(
            'j.journal',
            journalFiles(journal, 'hledger', settings, { standsAlone: true })[0]!.pieces,
          );
          expect(run('hledger', ['-f', file, 'check', '--strict', 'ordereddates'])).toEqual({ status: 0, output: '' });
          const csv = execFileSync(
            'hledger',
            ['-f', file, 'balance', '-b', '2026-10-01', '--flat', '--no-total', '-O', 'csv', '--layout', 'bare'],
            { encoding: 'utf8', env: UTF8 },
          );
          const balances: Record<string, bigint> = {};
          for (const line of csv.trim().split('\n').slice(1)) {
            const [account, currency, amount] = line.split('","').map((cell) => cell.replace(/^"|"$/g, ''));
            balances[`${account} ${currency}`] = parseUnits(amount!);
          }
          expect(withoutZeros(balances)).toEqual(sums(journal, (account) => settings.accounts[account as never]));
        }),
        { numRuns: RUNS },
      );
    });

    it('notices an amount that was edited', () => {
      const journal = october(
        fc.sample(transactions, { numRuns: 20, seed: 7 }).sort((a, b) => b.length - a.length)[0]!,
      );
      const text = [...journalFiles(journal, 'hledger', settings, { standsAlone: true })[0]!.pieces].join('');
      const edited = text.replace(
        /( {2}-?[\d.]*)(\d)(?= \S+ = )/,
        (_, head: string, digit: string) => `${head}${(Number(digit) + 1) % 10}`,
      );
      expect(edited).not.toBe(text);
      expect(run('hledger', ['-f', written('e.journal', [edited]), 'check']).status).not.toBe(0);
    });
  },
);

describe.skipIf(!withBeancount)(
  `bean-check passes the journal${withBeancount ? '' : ' (skipped: beancount is not installed)'}`,
  () => {
    const settings = journalSettings(undefined, 'beancount');

    it('whatever the texts, and its balances hold to the last digit', () => {
      fc.assert(
        fc.property(transactions, (all) => {
          const text = [...journalFiles(october(all), 'beancount', settings, { standsAlone: true })[0]!.pieces].join(
            '',
          );
          expect(run('bean-check', ['--no-cache', written('j.beancount', [text])])).toEqual({ status: 0, output: '' });
          const wrong = text.replace(
            /(balance \S+ {2}-?[\d.]*)(\d)(?= ~)/,
            (_, head: string, digit: string) => `${head}${(Number(digit) + 1) % 10}`,
          );
          if (wrong !== text)
            expect(run('bean-check', ['--no-cache', written('w.beancount', [wrong])]).output).toContain(
              'Balance failed',
            );
        }),
        { numRuns: RUNS },
      );
    });
  },
);

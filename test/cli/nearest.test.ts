import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { remit } from '../helpers/cli.ts';

const at = (...argv: string[]) => remit(argv, { cwd: '/' });

describe('an unknown word is answered with the nearest', () => {
  it.each([
    [['report', 'ageeing'], 'Did you mean ageing?'],
    [['chekc'], 'Did you mean check?'],
    [['mismatch', 'lst'], 'Did you mean list?'],
    [['match', 'lst'], 'Did you mean match list?'],
    [['import', 'recipts', 'a.csv'], 'Did you mean receipts?'],
    [['sandbox', 'sed', '--data', 'x'], 'Did you mean seed?'],
    [['check', '--only', 'invoice-nett'], 'Did you mean invoice-net?'],
    [['check', '--fail-on', 'eror'], 'Did you mean error?'],
    [['mismatch', 'list', '--status', 'opne'], 'Did you mean open?'],
    [['mismatch', 'list', '--code', 'payment-overdu'], 'Did you mean payment-overdue?'],
    [['show', 'invioce', '10009'], 'Did you mean invoice?'],
    [['completion', 'bsh'], 'Did you mean bash or zsh?'],
    [['help', 'improt'], 'Did you mean import?'],
    [['help', 'import', 'recipts'], 'Did you mean import receipts?'],
    [['api', 'invoises'], 'Did you mean invoices'],
  ])('%s', async (argv, hint) => {
    const { code, stderr } = await at(...argv);
    expect(stderr).toContain(hint);
    expect(code).toBe(2);
  });

  it('and one that is near to none with all that there are', async () => {
    expect((await at('report', 'xyzzy')).stderr).toContain('The reports are totals, ');
    expect((await at('check', '--fail-on', 'often')).stderr).toContain('one of error, warning, never');
  });
});

describe('help', () => {
  it.each([
    [
      ['help', 'import', 'receipts'],
      ['import', 'receipts', '--help'],
    ],
    [
      ['help', 'match'],
      ['match', '--help'],
    ],
    [
      ['-C', 'books', 'help', '--log-format', 'json', 'import', '-C', 'books', 'receipts'],
      ['-C', 'books', 'import', 'receipts', '--help'],
    ],
    [
      ['-q', 'help', 'sandbox', 'seed'],
      ['sandbox', 'seed', '--help'],
    ],
    [
      ['import', 'help', 'receipts'],
      ['import', 'receipts', '--help'],
    ],
  ])('%s is that of the command itself', async (asked, own) => {
    const [help, expected] = [await at(...asked), await at(...own)];
    expect(help).toEqual(expected);
    expect(help.code).toBe(0);
  });

  it('lists each flag of a command once, and none of another command', async () => {
    const every = (command: CommandUnknownOpts): CommandUnknownOpts[] => [command, ...command.commands.flatMap(every)];
    const program = await buildProgram(async () => {});
    for (const command of every(program)) {
      const help = command.helpInformation();
      const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
      expect([command.name(), flags.filter((flag, index) => flags.indexOf(flag) !== index)]).toEqual([
        command.name(),
        [],
      ]);
    }
    expect((await at('dispute', '--help')).stdout).toContain('--include-possible');
    expect((await at('dispute', 'list', '--help')).stdout).not.toContain('--include-possible');
  });
});

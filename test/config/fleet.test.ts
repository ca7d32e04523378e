import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { ledgerOn, ledgerSettings, readFleet, withLedger } from '../../src/config/fleet.ts';
import { scratchFolder } from '../helpers/folder.ts';

const CELLS = `
[cells.a]
ledger = "postgresql://remit@db-a/cell?sslmode=require"
ledger_password_command = "pass show cell-a"
ledger_lock = "lease"
most = 500
[cells.small]
folder = "ledgers"
`;

async function fleetOf(text: string) {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'fleet.toml'), text);
  return readFleet(folder);
}

async function refusalOf(text: string): Promise<string> {
  const error = await fleetOf(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const { message, hint } = error as ConfigError;
  return `${message.replaceAll(/\/[^ ]*\/fleet\.toml/g, 'fleet.toml')} → ${hint}`;
}

describe('fleet.toml', () => {
  it('says where each ledger is', async () => {
    const fleet = await fleetOf(`lake = "sea"${CELLS}[merchants.m001]\nbooks = "books/m001"\ncell = "a"\n`);
    expect(fleet.database).toBeNull();
    expect(fleet.lake).toBe(path.join(fleet.folder, 'sea'));
    const [a, small] = [fleet.cells.get('a')!, fleet.cells.get('small')!];
    expect(ledgerOn(fleet, a, 'm001')).toMatchObject({
      kind: 'server',
      host: 'db-a',
      database: 'cell',
      schema: 'm001',
      lock: 'lease',
    });
    expect(ledgerOn(fleet, small, 'm001')).toEqual({
      kind: 'file',
      file: path.join(fleet.folder, 'ledgers', 'm001.db'),
    });
    const merchant = fleet.merchants.get('m001')!;
    expect(ledgerSettings(a, merchant)).toEqual({
      ledger: 'postgresql://remit@db-a/cell?sslmode=require&schema=m001',
      ledger_password_command: 'pass show cell-a',
      ledger_lock: 'lease',
    });
    expect(ledgerSettings(small, merchant)).toEqual({ ledger: path.join('..', '..', 'ledgers', 'm001.db') });
  });

  it.each([
    ['database_password_command', 'database = "postgresql://remit@db/fleet"\n', ''],
    ['ledger_password_command', '', '[cells.a]\nledger = "postgresql://remit@db/cell"\n'],
  ])('names %s where that gives no password', async (setting, top, cell) => {
    const fleet = await fleetOf(`${top}${cell}${setting} = "true"\n`);
    const place = fleet.database ?? ledgerOn(fleet, fleet.cells.get('a')!, 'm001');
    if (place.kind !== 'server') throw new Error('a file has no password');
    await expect(place.password()).rejects.toThrow(`\`${setting}\` printed nothing`);
  });

  it.each([
    [
      '[cells.a]\nledgr = "x"\nfolder = "f"\n',
      'fleet.toml:2: there is no setting `cells.a.ledgr` → Did you mean `ledger`?',
    ],
    [
      '[cells.a]\nledger = "postgresql://db/cell?schema=x"\n',
      'fleet.toml:2: `cells.a.ledger` must be the address of a database',
    ],
    [
      '[cells.a]\nfolder = "f"\nledger = "postgresql://db/cell"\n',
      'fleet.toml:1: [cells.a] must have either `ledger` or `folder`',
    ],
    ['[cells.a]\nfolder = "f"\nmost = 0\n', 'fleet.toml:3: `cells.a.most` must be a whole number of at least 1'],
    [
      `${CELLS}[merchants.pg_x]\nbooks = "b"\ncell = "a"\n`,
      '`merchants.pg_x` is a name that PostgreSQL or the fleet keeps for itself',
    ],
    [`${CELLS}[merchants."../m"]\nbooks = "b"\ncell = "a"\n`, 'must be of letters, digits, hyphens and underscores'],
    [
      `${CELLS}[merchants.m]\nbooks = "b"\ncell = "b"\n`,
      'fleet.toml:11: `merchants.m.cell` names "b", which is no cell → The cells are a, small.',
    ],
    [`${CELLS}[merchants.m]\ncell = "a"\n`, 'fleet.toml:9: [merchants.m] lacks `books`'],
    ['lake = \n', 'fleet.toml:1 is not valid TOML'],
  ])('refuses %j', async (text, refusal) => {
    expect(await refusalOf(text)).toContain(refusal);
  });

  it('is asked for where a folder has none', async () => {
    await expect(readFleet(scratchFolder())).rejects.toThrow("is not a fleet's folder: it holds no fleet.toml");
  });
});

it('the settings of a ledger are replaced, and all others stay as they are', async () => {
  const text =
    '# mine\nledger = "ledger.db" # here\nledger_lock = "lease"\noverdue_days = 7\n[couriers.a]\nledger = "no"\n';
  const changed = await withLedger('remit.toml', text, { ledger: 'postgresql://db/cell?schema=m' });
  expect(changed).toBe(
    'ledger = "postgresql://db/cell?schema=m"\n# mine\noverdue_days = 7\n[couriers.a]\nledger = "no"\n',
  );
  await expect(withLedger('remit.toml', 'ledger = """\na\noverdue_days = 3"""\n', { ledger: 'x' })).rejects.toThrow(
    'cannot be replaced',
  );
});

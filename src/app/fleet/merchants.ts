import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, FileError, LedgerBusyError, LedgerError, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { describePlace } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import { editSettings } from '../../config/edit.ts';
import {
  FLEET_FILE,
  FLEET_TEXT,
  type Fleet,
  type FleetCell,
  faultOfName,
  ledgerOn,
  ledgerSettings,
  readFleet,
  withLedger,
} from '../../config/fleet.ts';
import { SETTINGS_FILE } from '../../config/index.ts';
import { readSettingsFile } from '../../config/settings-file.ts';
import { NAME_SETTINGS, settingsText } from '../../config/template.ts';
import { makeRoles, removeLedger, usingFleetLock } from '../../ledger/fleet/roles-and-locks.ts';
import { ledgerExists, type Place, readHead, usingLedger, wholeLedger } from '../../ledger/index.ts';
import { readChainAt, readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { eachField } from '../../money/fields.ts';
import { upgradingOf } from '../books.ts';
import { writeText } from '../init.ts';
import { copyBooks } from '../ledger/backup.ts';
import { booksOfMerchant, cellNamed, type FleetProgram, isSamePlace, merchantNamed } from './fleet.ts';

/** Makes a fleet's folder with a fleet.toml of one cell. @throws UsageError where there is one @throws FileError */
export async function makeFleet(folder: string) {
  const settings = path.join(folder, FLEET_FILE);
  if (existsSync(settings)) throw new UsageError(`${settings} is there already`, 'Edit it, or name another folder.');
  makeFolder(folder);
  await writeText(settings, FLEET_TEXT);
  return { folder, settings };
}

/** How long a command waits for another one that changes fleet.toml. */
const WAIT_MS = 10_000;

function changeFleet<T>(program: FleetProgram, change: (fleet: Fleet) => Promise<T>): Promise<T> {
  const file = path.join(program.folder, FLEET_FILE);
  return usingFleetLock(file, async () => change(await readFleet(program.folder)), WAIT_MS);
}

/**
 * Adds a merchant: its books folder with settings, its ledger on a cell, the roles there, and its table in fleet.toml.
 * The table comes last, so that every merchant in fleet.toml is complete.
 *
 * @param request `cell`: null for the first with room; `settings`: the path of a remit.toml to copy, absolute; null for
 * a new one
 * @throws UsageError for a name that cannot be one or is taken, and where no cell has room
 */
export async function addMerchant(
  program: FleetProgram,
  { merchant: name, cell: wanted, settings: from }: { merchant: string; cell: string | null; settings: string | null },
) {
  const fault = faultOfName(name);
  if (fault) throw new UsageError(`the merchant's name ${quoted(name)} ${fault}`, 'Write it as m001 or cedar-threads.');
  const text = from === null ? newSettings(program) : await settingsFrom(from);
  // Where there is no fleet, it says so before a lock's file is made.
  await readFleet(program.folder);
  return changeFleet(program, async (fleet) => {
    const twin = [...fleet.merchants.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
    if (twin !== undefined)
      throw new UsageError(`the fleet has a merchant ${quoted(twin)} already`, 'Choose another name.');
    const cell = cellFor(fleet, wanted);
    const books = path.join(fleet.folder, 'books', name);
    const settings = path.join(books, SETTINGS_FILE);
    const place = ledgerOn(fleet, cell, name);
    const newText = await withLedger(from ?? settings, text, ledgerSettings(cell, { name, books }));
    // If an earlier command was killed halfway, this one goes on; anything else in the folder is somebody's.
    const isBegun = existsSync(settings) && (await readFile(settings, 'utf8')) === newText;
    if (!isBegun) {
      if (existsSync(books) && readdirSync(books).length > 0)
        throw new FileError(`${books} holds something already`, 'Move it away, or choose another name.');
      if (await ledgerExists(place))
        throw new LedgerError(
          `${describePlace(place)} holds a ledger already`,
          `If nobody needs it: remit fleet drop ${name} --cell ${cell.name} --yes`,
        );
      makeFolder(path.join(books, 'statements'));
      await writeText(settings, newText);
    }
    if (place.kind === 'file') makeFolder(path.dirname(place.file));
    await usingLedger(place, { create: true }, async () => {});
    await noteRoles(program, place, books);
    await edit(fleet, name, { books: path.relative(fleet.folder, books), cell: cell.name });
    return { merchant: name, cell: cell.name, books, settings, ledger: describePlace(place) };
  });
}

function newSettings({ env }: FleetProgram): string {
  const names = eachField(NAME_SETTINGS, () => null);
  const timeZone = env.TZ || 'UTC';
  return settingsText({ apiUrl: null, sheetsOf: [], keyFile: 'api-key', keyCommand: null, timeZone, names });
}

/** @throws ConfigError where the settings are not right, or the file is not there */
async function settingsFrom(file: string): Promise<string> {
  if ((await readSettingsFile(file)) === undefined)
    throw new ConfigError(`there is no file ${file}`, 'Name the remit.toml to begin with.');
  return readFile(file, 'utf8');
}

/** The wanted cell, or the first with room. @throws UsageError where it is full, or all are */
function cellFor(fleet: Fleet, wanted: string | null): FleetCell {
  const merchants = [...fleet.merchants.values()];
  const countOn = (cell: FleetCell) => merchants.filter((merchant) => merchant.cell === cell.name).length;
  const hasRoom = (cell: FleetCell) => cell.most === null || countOn(cell) < cell.most;
  if (wanted !== null) {
    const cell = cellNamed(fleet, wanted);
    if (hasRoom(cell)) return cell;
    const what = `the cell ${wanted} is full: it has ${countOn(cell)} merchants`;
    throw new UsageError(what, `Raise its \`most\` in ${fleet.file}, or name another cell.`);
  }
  const found = [...fleet.cells.values()].find(hasRoom);
  if (found) return found;
  throw new UsageError('no cell has room', `Add one to ${fleet.file}, or raise the \`most\` of one.`);
}

/** @throws ConfigError where fleet.toml cannot be changed */
async function edit({ file }: Fleet, merchant: string, settings: Readonly<Record<string, string>>): Promise<void> {
  // Each new setting becomes the first of its table, so the last one is written first.
  const lastFirst = Object.entries(settings).reverse();
  const edits = lastFirst.map(([name, value]) => ({ path: ['merchants', merchant, name], value }));
  if (await editSettings(file, edits)) return;
  const lines = lastFirst.map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  throw new ConfigError(
    `${file} cannot be changed as it is written`,
    `Write there by hand: [merchants.${merchant}] with ${lines.join(' and ')}.`,
  );
}

/**
 * Moves a merchant's ledger to another cell: copies it, proves that the copy is equal, and then changes the settings.
 * The old ledger stays. If the move is killed, the same command goes on with it.
 *
 * @throws LedgerBusyError while a command is at work on the ledger
 */
export async function moveMerchant(program: FleetProgram, name: string, cellName: string) {
  return changeFleet(program, async (fleet) => {
    const merchant = merchantNamed(fleet, name);
    if (merchant.cell === cellName)
      throw new UsageError(`${name} is on the cell ${cellName} already`, 'Name another cell.');
    const cell = cellFor(fleet, cellName);
    const to = ledgerOn(fleet, cell, name);
    const books = await booksOfMerchant(merchant, program);
    // The ledger in use is that of remit.toml; `old` is the one on the cell that fleet.toml names.
    const from = books.config.ledger;
    const old = ledgerOn(fleet, cellNamed(fleet, merchant.cell), name);
    const switchCell = async () => {
      await edit(fleet, name, { cell: cell.name });
      const head = await headOf(to);
      return { merchant: name, from: describePlace(old), to: describePlace(to), rows: 0, head };
    };
    // An earlier move was killed between writing remit.toml and fleet.toml.
    if (isSamePlace(from, to)) return switchCell();
    if (to.kind === 'file') makeFolder(path.dirname(to.file));
    return usingLedger(from, { ...upgradingOf(books), exclusive: 'copy' }, async () => {
      const file = path.join(merchant.books, SETTINGS_FILE);
      const text = await readFile(file, 'utf8');
      const movedText = await withLedger(file, text, ledgerSettings(cell, merchant));
      for (let attempt = 1; attempt <= MOST_COPIES; attempt += 1) {
        const before = await headOf(from);
        // The copy of a killed move is used, if nothing was recorded since.
        const copiedHead = (await ledgerExists(to)) ? await headOf(to) : null;
        const isCopied = copiedHead !== null && copiedHead === before;
        const { rows } = isCopied ? { rows: 0 } : await copyBooks(books, to);
        if ((await headOf(from)) === before) {
          await noteRoles(program, to, merchant.books);
          await writeText(file, movedText);
          if ((await headOf(from)) === before) return { ...(await switchCell()), rows };
          await writeText(file, text);
        }
        // The lock does not stop checks and decisions: the copy lacks what they recorded, and is made again. But a copy
        // in which somebody recorded something meanwhile stays.
        if ((await headOf(to)) === before) await removeLedger(to);
      }
      throw new LedgerBusyError(
        `somebody is at work in the books of ${name}, and each copy lacked what was decided meanwhile: nothing was switched`,
        'Move it when the night is over.',
      );
    });
  });
}

/** How often a ledger is copied if something is recorded while it is copied. */
const MOST_COPIES = 3;

async function noteRoles({ note }: FleetProgram, place: Place, books: string): Promise<void> {
  const lacking = await makeRoles(place);
  if (lacking === null) return;
  note(`the roles were not made (${lacking}): have the owner run what \`remit -C ${books} ledger grants\` prints`);
}

/** The head of a ledger's chain; null while it holds nothing. */
function headOf(place: Place) {
  return usingLedger(place, { readOnly: true }, ({ db }) => readHead(wholeLedger(db)));
}

/**
 * Deletes the ledger that a move left on a cell.
 *
 * @throws UsageError if it is the ledger in use; LedgerError if it is missing, or holds anything that the one in use
 * lacks
 */
export async function dropMerchant(program: FleetProgram, name: string, cellName: string) {
  return changeFleet(program, async (fleet) => {
    const fault = faultOfName(name);
    if (fault) throw new UsageError(`the merchant's name ${quoted(name)} ${fault}`, 'See: remit fleet status');
    const place = ledgerOn(fleet, cellNamed(fleet, cellName), name);
    const ledger = describePlace(place);
    const merchant = fleet.merchants.get(name);
    const books = merchant && (await booksOfMerchant(merchant, program));
    if (merchant?.cell === cellName || (books && isSamePlace(books.config.ledger, place)))
      throw new UsageError(
        `${ledger} is the ledger that ${name} uses`,
        `Move it first: remit fleet move ${name} --to CELL`,
      );
    if (!(await ledgerExists(place))) throw new LedgerError(`there is no ledger ${ledger}`, 'See: remit fleet status');
    // This also proves that it is a ledger of remit.
    const head = await usingLedger(place, { readOnly: true }, ({ db }) => readFigureHead(wholeLedger(db)));
    // A merchant that is not in fleet.toml has no ledger in use, and an empty ledger holds nothing to lose.
    if (books && head) {
      const chain = await usingLedger(books.config.ledger, { ...upgradingOf(books), readOnly: true }, ({ db }) =>
        readChainAt(wholeLedger(db), head.id),
      );
      if (chain !== head.chain)
        throw new LedgerError(
          `${ledger} holds what the ledger in use does not`,
          `Look at both first: remit -C ${merchant!.books} verify --ledger ${ledger}`,
        );
    }
    await removeLedger(place);
    return { merchant: name, ledger };
  });
}

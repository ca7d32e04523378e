import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { MadeBooks, NewBooks } from '../../app/init.ts';
import { machineZone } from '../../base/day.ts';
import { UsageError } from '../../base/errors.ts';
import { shellWord } from '../../base/text.ts';
import { apiUrlOption, example, printAnswer, type Start } from '../command.ts';
import type { Session, Texts } from '../session.ts';

export const declare = (start: Start) =>
  new Command('init')
    .summary('make a books folder')
    .description(
      'Makes a books folder: settings, a place for statements. Asks for what it needs on a terminal. Never overwrites.',
    )
    .argument('[dir]', 'the folder to make (default: the current folder)')
    .addOption(apiUrlOption())
    .option('--api-key-file <file>', 'the file that holds the API key, readable by you only')
    .option('--api-key-command <command>', 'a command that prints the API key, such as that of a password manager')
    .option('--sheets-of <courier...>', 'delivery companies that send settlement sheets and have no API, such as cedar')
    .addHelpText(...example('remit init books --api-url https://api.example.com/v1/external/'))
    .action((dir, options) => start('init', { dir, ...options }, init));

export interface InitInput extends Texts<'dir' | 'apiUrl' | 'apiKeyFile' | 'apiKeyCommand'> {
  readonly sheetsOf?: readonly string[] | undefined;
}

type Answers = Pick<NewBooks, 'apiUrl' | 'sheetsOf' | 'timeZone' | 'key' | 'names'>;

const NO_NAMES: Answers['names'] = {
  merchant_name: null,
  merchant_address: null,
  courier_title: null,
  courier_address: null,
  courier_email: null,
};

/** Makes a books folder. Never overwrites anything. */
export async function init(session: Session, input: InitInput): Promise<number> {
  const { io } = session;
  const { makeBooks, refuseBooks } = await import('../../app/init.ts');
  const folder = path.resolve(io.cwd, input.dir ?? session.directory ?? '.');
  refuseBooks(folder);
  if (input.apiKeyFile !== undefined && input.apiKeyCommand !== undefined) {
    const remedy = 'Give --api-key-file or --api-key-command.';
    throw new UsageError('the key cannot come from both a file and a command', remedy);
  }
  const { apiUrl, sheetsOf, key, timeZone, names } = io.isTTY.stdin
    ? await interview(session, input)
    : withoutAsking(session, input);
  const keyFile = pathInSettings(folder, io.cwd, input.apiKeyFile);
  const keyCommand = input.apiKeyCommand ?? null;
  const made = await makeBooks({ folder, apiUrl, sheetsOf, key, keyFile, keyCommand, timeZone, names });
  await printMade(session, folder, made);
  return 0;
}

async function interview({ io }: Session, input: InitInput): Promise<Answers> {
  const { usingAsker } = await import('../ask.ts');
  return usingAsker(io, async ({ ask, askSecret }) => {
    // Without --api-url, --sheets-of says that there is no API.
    const isAsked = input.apiUrl === undefined && input.sheetsOf === undefined;
    const question = 'Address of the API (ends in /v1/external/; empty where the company sends sheets)';
    const apiUrl = (isAsked ? await ask(question, io.env.REMIT_API_URL) : input.apiUrl) || null;
    const sheetsOf = input.sheetsOf ?? (apiUrl === null ? splitNames(await ask(SHEETS_OF)) : []);
    const isElsewhere = input.apiKeyFile !== undefined || input.apiKeyCommand !== undefined;
    const needsNoKey = apiUrl === null || isElsewhere || Boolean(io.env.REMIT_API_KEY);
    const key = needsNoKey ? '' : await askSecret('API key (not shown; empty to set it later)');
    const timeZone = await ask('Time zone of your books', machineZone(io.env) ?? 'UTC');
    const askForName = async (question: string) => (await ask(`${question} (empty to set it later)`)) || null;
    const askOfCourier = (question: string) => (apiUrl === null ? null : askForName(question));
    const names = {
      merchant_name: await askForName('Your name on letters and statements'),
      merchant_address: await askForName('Your address'),
      courier_title: await askOfCourier('Name of the delivery company'),
      courier_address: await askOfCourier('Its address'),
      courier_email: await askOfCourier('Its e-mail address for claims'),
    };
    return { apiUrl, sheetsOf, key: key || null, timeZone, names };
  });
}

function withoutAsking({ io }: Session, input: InitInput): Answers {
  const { sheetsOf = [] } = input;
  const apiUrl = input.apiUrl ?? (sheetsOf.length > 0 ? null : io.env.REMIT_API_URL);
  if (apiUrl || sheetsOf.length > 0)
    return { apiUrl: apiUrl ?? null, sheetsOf, key: null, timeZone: machineZone(io.env) ?? 'UTC', names: NO_NAMES };
  const remedy = 'Give --api-url, or set REMIT_API_URL; where the delivery companies send sheets, --sheets-of NAME.';
  throw new UsageError('the address of the API is not known', remedy);
}

const SHEETS_OF = 'Names of the companies that send sheets, such as cedar swift';

function splitNames(answer: string): string[] {
  return answer.split(/[\s,]+/).filter((word) => word !== '');
}

/** The path of a key file for remit.toml: relative to the books folder if it is inside, otherwise absolute. */
function pathInSettings(folder: string, cwd: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  const absolute = path.resolve(cwd, file);
  return absolute.startsWith(`${folder}${path.sep}`) ? path.relative(folder, absolute) : absolute;
}

async function printMade(session: Session, folder: string, { settings, keyMissing, first }: MadeBooks): Promise<void> {
  const text = session.quiet ? folder : `${folder} is ready: settings in ${settings}`;
  await printAnswer(session, { folder, settings }, () => text);
  const where = folder === session.io.cwd ? '' : ` -C ${shellWord(folder)}`;
  if (keyMissing !== null) {
    const place = `the API key into ${keyMissing}, for you alone to read (chmod 600)`;
    session.note(
      session.io.env.REMIT_API_KEY
        ? `REMIT_API_KEY is used where it is set; elsewhere, such as in cron, put ${place}.`
        : `Put ${place}, or set REMIT_API_KEY.`,
    );
  }
  const { program } = session.io;
  session.note(`Next: ${program}${where} doctor, then ${program}${where} ${first}`);
}

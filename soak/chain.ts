import { createHash } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { loadSqlite } from './sqlite.ts';

/** One link of the books' chain, as docs/data.md describes it. */
export interface Link {
  readonly id: number;
  readonly kind: string;
  readonly subject: string | null;
  readonly sha256: string | null;
  readonly chain: string;
}

const COLUMNS = 'id, at, kind, run_id, courier, actor, subject, source, listing, walk, sha256, fault, data';

/** Where the books' ledger is: a file, or the address of a server. */
export type Place = { readonly file: string } | { readonly url: string };

/**
 * Reads all links without the product, and proves that each follows from the one before, and that the head names the
 * last.
 */
export async function readChain(place: Place): Promise<{ links: Link[]; faults: string[] }> {
  const [rows, heads] = await readRows(place);
  const faults: string[] = [];
  let before = '0'.repeat(64);
  rows.forEach(({ chain, ...row }, index) => {
    const bound = COLUMNS.split(', ').map((column) => row[column] ?? null);
    const due = createHash('sha256')
      .update(JSON.stringify([before, ...bound]))
      .digest('hex');
    if (chain !== due) faults.push(`the link of evidence ${row.id} does not follow from the one before`);
    if (row.id !== index + 1) faults.push(`evidence ${index + 1} is missing`);
    before = String(chain);
  });
  if (rows.length > 0 && heads[0]?.head !== before) faults.push('the head of the chain is not its last link');
  return { links: rows as unknown as Link[], faults: faults.slice(0, 5) };
}

/** No rows where the tables were not made yet: a first command may have been killed before. */
async function readRows(place: Place): Promise<[Row[], Row[]]> {
  try {
    return 'file' in place ? fromFile(place.file) : await fromServer(place.url);
  } catch (error) {
    if (/no such table|relation "evidence" does not exist/.test((error as Error).message)) return [[], []];
    throw error;
  }
}

type Row = Readonly<Record<string, unknown>>;
const ROWS = `select ${COLUMNS}, chain from evidence order by id`;
const HEAD = 'select head from chain';

function fromFile(file: string): [Row[], Row[]] {
  const Database = loadSqlite();
  const database = new Database(path.resolve(file), { fileMustExist: true });
  try {
    return [database.prepare<[], Row>(ROWS).all(), database.prepare<[], Row>(HEAD).all()];
  } finally {
    database.close();
  }
}

async function fromServer(url: string): Promise<[Row[], Row[]]> {
  const address = new URL(url);
  const schema = address.searchParams.get('schema') ?? 'remit';
  address.search = '';
  const client = new pg.Client({ connectionString: address.href });
  // Numbers of rows: far below what a number holds.
  client.setTypeParser(20, Number);
  await client.connect();
  try {
    await client.query(`set search_path to "${schema}"`);
    return [(await client.query<Row>(ROWS)).rows, (await client.query<Row>(HEAD)).rows];
  } finally {
    await client.end();
  }
}

/** Nothing that was once acknowledged is gone or another: the earlier links are still the first ones. */
export function lostLinks(before: readonly Link[], now: readonly Link[]): string[] {
  const at = before.findIndex(({ chain }, index) => now[index]?.chain !== chain);
  return at < 0 ? [] : [`evidence ${at + 1} (${before[at]!.kind}) was acknowledged and is lost or changed`];
}

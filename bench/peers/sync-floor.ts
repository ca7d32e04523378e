/**
 * The least that any program would do to hold the same invoices and the same evidence: fetch the same bytes with
 * undici, hash and compress them, JSON.parse, raw prepared inserts into the same tables with the same durability (a
 * transaction a document). What the answers hold is believed, and money is read as floats.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { openSqlite } from '../../src/ledger/dialect/sqlite/database.ts';
import { usingLedger } from '../../src/ledger/index.ts';

const [url = '', file = '', month = '2026-10'] = process.argv.slice(2);
const CONCURRENCY = 4;

type Pairs = [string, string][];
interface Header {
  number: number;
  status: string;
  issued_at: string;
  cod: Pairs;
  delivery_fee: Pairs;
  net_due_to_merchant: Pairs;
}
interface Row {
  order_id: string;
  reference_id: string;
  workflow: string;
  delivery_state: string;
  payment_state: string;
  cod: Pairs;
  delivery_fee: Pairs;
}

interface Sealed {
  readonly hash: string;
  readonly size: number;
  readonly packed: Buffer;
}

const compress = promisify(gzip);
const agent = new Agent({ connections: CONCURRENCY });
async function get<T>(path: string): Promise<{ sealed: Sealed; value: T }> {
  const answer = await request(new URL(path, url), { dispatcher: agent });
  const body = Buffer.from(await answer.body.arrayBuffer());
  const sealed = { hash: sha256(body), size: body.length, packed: await compress(body, { level: 2 }) };
  return { sealed, value: JSON.parse(body.toString('utf8')) as T };
}

await usingLedger(file, { create: true }, async () => {});
const { handle: db } = openSqlite(file, { create: false, readOnly: false, scratch: false });
db.exec("insert into courier values ('courier', 'floor', 1)");
/** Into a table whose rows begin with the courier's key. @param columns the others */
const into = (table: string, columns: number) =>
  db.prepare(`insert into ${table} values ('courier', ${Array(columns).fill('?').join(', ')})`);
const insertBody = db.prepare("insert or ignore into evidence_body values (?, 'gzip', ?, ?)");
const insertEvidence = db.prepare(`insert into evidence values (${Array(14).fill('?').join(', ')})`);
const moveHead = db.prepare('insert or replace into chain values (1, ?, ?)');
const insertListed = into('invoice_listed', 14);
const insertListedAmount = into('invoice_listed_amount', 6);
const insertInvoice = into('invoice', 13);
const insertAmount = into('invoice_amount', 5);
const insertOrder = into('invoice_order', 7);
const insertOrderAmount = into('invoice_order_amount', 5);
const insertVersion = into('invoice_version', 9);
const insertVersionAmount = into('invoice_version_amount', 9);
const insertStatus = into('invoice_status', 4);

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const units = (pairs: Pairs, currency: string) => {
  const found = pairs.find(([code]) => code === currency);
  return found ? BigInt(Math.round(Number(found[1]) * 10_000)) : 0n;
};
const currencies = (...lists: Pairs[]) => new Set(lists.flat().map(([currency]) => currency));
const at = new Date().toISOString();

let head = '0'.repeat(64);
let evidence = 0;

/** One link of the chain, with its body. */
function keep(kind: string, subject: string, { hash, size, packed }: Sealed): void {
  evidence += 1;
  insertBody.run(hash, size, packed);
  const row = [evidence, at, kind, 1, 'courier', null, subject, null, null, null, hash, null, null];
  head = sha256(JSON.stringify([head, ...row]));
  insertEvidence.run(...row, head);
  moveHead.run(evidence, head);
}

const writeList = db.transaction((sealed: Sealed, headers: Header[]) => {
  keep('invoice-list', month, sealed);
  for (const { number, status, issued_at, cod, delivery_fee, net_due_to_merchant: net, ...rest } of headers) {
    const hash = sha256(JSON.stringify({ number, status, issued_at, cod, delivery_fee, net, ...rest }));
    insertListed.run(month, number, status, status, issued_at, 0, hash, 1, 1, 1, 1, 1, null, null);
    for (const c of currencies(cod, delivery_fee, net)) {
      insertListedAmount.run(month, number, c, units(cod, c), units(delivery_fee, c), units(net, c));
    }
  }
});

const writeDetail = db.transaction((sealed: Sealed, detail: Header & { orders: Row[] }) => {
  const { number, status, issued_at, cod, delivery_fee, net_due_to_merchant: net, orders } = detail;
  keep('invoice', String(number), sealed);
  const looked = [evidence, evidence, at, null, null, null, null];
  insertInvoice.run(number, month, status, issued_at, orders.length, sealed.hash, ...looked);
  for (const c of currencies(cod, delivery_fee, net)) {
    insertAmount.run(number, c, units(cod, c), units(delivery_fee, c), units(net, c));
    insertVersionAmount.run(number, 1, c, '0', '0', '0', '0', '0', null);
  }
  let content = '';
  orders.forEach((o, position) => {
    insertOrder.run(number, position, o.order_id, o.reference_id, o.workflow, o.delivery_state, o.payment_state);
    content += o.order_id;
    for (const c of currencies(o.cod, o.delivery_fee)) {
      const [amount, fee] = [units(o.cod, c), units(o.delivery_fee, c)];
      insertOrderAmount.run(number, position, c, amount, fee);
      content += `${c}${amount}${fee}`;
    }
  });
  insertVersion.run(number, 1, evidence, at, sealed.hash, status, issued_at, orders.length, sha256(content));
  insertStatus.run(number, evidence, at, status);
});

const numbers: number[] = [];
const [year, monthNumber] = month.split('-').map(Number);
let next: string | null = `invoices/?year=${year}&month=${monthNumber}&page_size=100`;
while (next) {
  const page: { sealed: Sealed; value: { next: string | null; results: Header[] } } = await get(next);
  writeList(page.sealed, page.value.results);
  numbers.push(...page.value.results.map(({ number }) => number));
  next = page.value.next;
}
const queue = numbers.values();
const worker = async () => {
  for (const number of queue) {
    const { sealed, value } = await get<Header & { orders: Row[] }>(`invoices/${number}/`);
    writeDetail(sealed, value);
  }
};
await Promise.all(Array.from({ length: CONCURRENCY }, worker));
db.close();
await agent.close();

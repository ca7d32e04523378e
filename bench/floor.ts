/**
 * The least that any program would do to hold the same invoices: fetch the same bytes with undici, JSON.parse, raw prepared
 * inserts into the same tables with the same durability (a transaction a document). No checks, no evidence, no exact money.
 */
import { Agent, request } from 'undici';
import { openSqlite } from '../src/ledger/dialect/sqlite/database.ts';
import { usingLedger } from '../src/ledger/index.ts';

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

const agent = new Agent({ connections: CONCURRENCY });
async function get<T>(path: string): Promise<T> {
  const answer = await request(new URL(path, url), { dispatcher: agent });
  return JSON.parse(await answer.body.text()) as T;
}

await usingLedger(file, { create: true }, async () => {});
const { handle: db } = openSqlite(file, { create: false, readOnly: false, scratch: false });
db.prepare("insert into evidence_body values ('none', 'identity', 0, x'')").run();
const insertInvoice = db.prepare(
  "insert into invoice values (?, ?, ?, ?, ?, 'none', 1, 1, '', null, null, null, null)",
);
const insertAmount = db.prepare('insert into invoice_amount values (?, ?, ?, ?, ?)');
const insertOrder = db.prepare('insert into invoice_order values (?, ?, ?, ?, ?, ?, ?)');
const insertOrderAmount = db.prepare('insert into invoice_order_amount values (?, ?, ?, ?, ?)');
const units = (pairs: Pairs, currency: string) => {
  const found = pairs.find(([code]) => code === currency);
  return found ? BigInt(Math.round(Number(found[1]) * 10_000)) : 0n;
};
const currencies = (...lists: Pairs[]) => new Set(lists.flat().map(([currency]) => currency));

const write = db.transaction((detail: Header & { orders: Row[] }) => {
  const { number, cod, delivery_fee, net_due_to_merchant: net } = detail;
  insertInvoice.run(number, month, detail.status, detail.issued_at, detail.orders.length);
  for (const c of currencies(cod, delivery_fee, net)) {
    insertAmount.run(number, c, units(cod, c), units(delivery_fee, c), units(net, c));
  }
  detail.orders.forEach((o, position) => {
    insertOrder.run(number, position, o.order_id, o.reference_id, o.workflow, o.delivery_state, o.payment_state);
    for (const c of currencies(o.cod, o.delivery_fee)) {
      insertOrderAmount.run(number, position, c, units(o.cod, c), units(o.delivery_fee, c));
    }
  });
});

const numbers: number[] = [];
const [year, monthNumber] = month.split('-').map(Number);
let next: string | null = `invoices/?year=${year}&month=${monthNumber}&page_size=100`;
while (next) {
  const page: { next: string | null; results: Header[] } = await get(next);
  numbers.push(...page.results.map(({ number }) => number));
  next = page.next;
}
const queue = numbers.values();
const worker = async () => {
  for (const number of queue) write(await get(`invoices/${number}/`));
};
await Promise.all(Array.from({ length: CONCURRENCY }, worker));
db.close();
await agent.close();

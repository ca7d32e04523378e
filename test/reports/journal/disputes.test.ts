import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeOrder,
  invoiceOf,
  KEY,
  type Pair,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());
beforeEach(() => bill('95.00', '11.00'));

const usd = (amount: string): Pair[] => [['USD', amount]];

/** An invoice of one order: its record says 100.00 collected and a fee of 10.00. */
function bill(cod: string, fee: string): void {
  const row = { order_id: 'A1', reference_id: '#1', cod: usd(cod), delivery_fee: usd(fee) };
  courier.world.invoices = [invoiceOf(1, '2026-10-05T10:00:00+00:00', [row])];
  const record: FakeOrder = {
    ...{ order_id: 'A1', reference_id: '#1', workflow: 'STANDARD', merchant_invoice: 1 },
    ...{ delivery_state: 'DELIVERED', payment_state: 'PAID_TO_MERCHANT' },
    cod: usd('100.00'),
    delivery_fee: usd('10.00'),
    statestamps: [
      { delivery_state: 'DELIVERED', payment_state: 'PAID_TO_MERCHANT', timestamp: '2026-10-03T10:00:00+00:00' },
    ],
  };
  courier.world.orders = [record];
}

interface Line {
  readonly date: string;
  readonly transaction: string;
  readonly account: string;
  readonly debit: string | null;
  readonly credit: string | null;
}

function books() {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  const run = async (day: string, ...argv: string[]) => {
    const outcome = await remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now: new Date(`${day}T09:00:00Z`) });
    expect(outcome.stderr).not.toMatch(/^remit: /m);
    return outcome.stdout;
  };
  const look = async (day: string) => {
    await run(day, 'sync', '2026-10', '--orders');
    await run(day, 'check');
  };
  /** What the journal of a month books for what is in dispute, the accounts in the order of the entry. */
  const disputed = async (day: string, month: string, ...flags: string[]) => {
    const text = await run(day, 'report', 'journal', `2026-10..${month}`, '--format', 'json', ...flags);
    const { rows } = JSON.parse(text) as { rows: readonly Line[] };
    return rows
      .filter(({ transaction }) => transaction.startsWith('DSP-'))
      .filter(({ date }) => date.startsWith(month))
      .map(({ date, account, debit, credit }) => `${date} ${account} ${debit ?? `-${credit}`}`);
  };
  return { run, look, disputed };
}

const FOUND = [
  '2026-10-31 COD in dispute 5.00',
  '2026-10-31 Receivables from customers -5.00',
  '2026-10-31 COD in dispute 1.00',
  '2026-10-31 Delivery fees -1.00',
].sort();

describe('COD in dispute', () => {
  it('holds what an invoice has other than the order, from its month on, until a person resolves it', async () => {
    const { run, look, disputed } = books();
    await look('2026-11-02');
    expect((await disputed('2026-11-02', '2026-10')).sort()).toEqual(FOUND);
    const { mismatches } = JSON.parse(await run('2026-11-03', 'mismatch', 'list', '--json')) as {
      mismatches: { id: string; field: string }[];
    };
    const cod = mismatches.find(({ field }) => field === 'cod')!;
    await run('2026-11-20', 'mismatch', 'resolve', cod.id, '--note', 'accepted', '--by', 'rana', '--yes');
    expect(await disputed('2026-11-20', '2026-11')).toEqual([
      '2026-11-20 COD in dispute -5.00',
      '2026-11-20 Receivables from customers 5.00',
    ]);
    expect((await disputed('2026-11-20', '2026-10')).sort()).toEqual(FOUND);
    // As it was known before the decision, nothing is taken back.
    expect(await disputed('2026-11-21', '2026-11', '--as-of', '2026-11-19')).toEqual([]);
    expect(await run('2026-11-21', 'verify')).toContain('sound');
  });

  it('follows a correction of the invoice, in part and then in full', async () => {
    const { look, disputed } = books();
    await look('2026-11-02');
    bill('98.00', '10.00');
    await look('2026-11-12');
    expect((await disputed('2026-11-12', '2026-11')).sort()).toEqual([
      '2026-11-12 COD in dispute -1.00',
      '2026-11-12 COD in dispute -3.00',
      '2026-11-12 Delivery fees 1.00',
      '2026-11-12 Receivables from customers 3.00',
    ]);
    bill('100.00', '10.00');
    await look('2026-12-01');
    expect((await disputed('2026-12-01', '2026-12')).sort()).toEqual([
      '2026-12-01 COD in dispute -2.00',
      '2026-12-01 Receivables from customers 2.00',
    ]);
  });

  it('books what is found in a closed month on the day on which it was found', async () => {
    const { run, look, disputed } = books();
    bill('100.00', '10.00');
    await look('2026-11-02');
    await run('2026-11-03', 'close', '2026-10', '--by', 'rana', '--first', '--with-open', 'as it is');
    bill('95.00', '11.00');
    await look('2026-11-12');
    expect(await disputed('2026-11-12', '2026-10')).toEqual([]);
    expect((await disputed('2026-11-12', '2026-11')).sort()).toEqual(
      FOUND.map((line) => line.replace('2026-10-31', '2026-11-12')),
    );
  });
});

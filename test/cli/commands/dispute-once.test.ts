import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseUnits as decimalUnits } from '../../../src/money/units.ts';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { startDesk } from '../../helpers/desk.ts';
import { scratchFolder } from '../../helpers/folder.ts';

/** One debt is claimed once, whichever finding shows it now; one receipt is taken off once. */

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
beforeEach(() => {
  courier.world.invoices = [];
});
afterAll(() => courier.close());

interface Line {
  readonly section: string;
  readonly id: string | null;
  readonly code: string;
  readonly currency: string | null;
  readonly invoice_number: number | null;
  readonly due: string | null;
  readonly received: string | null;
  readonly claimed: string;
  readonly claimed_on: string | null;
}

interface Draft {
  readonly lines: readonly Line[];
  readonly totals: readonly { readonly currency: string; readonly owed_to_us: string; readonly net: string }[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
}

interface Listed {
  readonly claims: readonly {
    readonly mismatch: { readonly id: string; readonly code: string; readonly invoice_number: number };
    readonly claim: { readonly state: string; readonly claimed: string; readonly evidence_id: number };
  }[];
  readonly totals: readonly Readonly<Record<'courier' | 'state' | 'currency' | 'claimed' | 'now', string>>[];
}

type Status = 'PAID' | 'PENDING_PAYMENT';

/** An invoice of one delivered order with this net. */
function bill(number: number, net: number, { status = 'PENDING_PAYMENT' as Status, month = '10' } = {}) {
  const rows = [{ order_id: `A${number}`, cod: [['USD', `${net + 10}.00`]], delivery_fee: [['USD', '10.00']] }];
  return invoiceOf(number, `2026-${month}-05T10:00:00+00:00`, rows as never, { status });
}

/** An invoice that was paid: money of the courier's comes into this account. */
const PAID = bill(10009, 55, { status: 'PAID' });
const PAYMENT = '2026-10-08,55.00,USD,SWIFT COD 10009';

const SOLE = () => `api_url = "${courier.url}"\ncourier_title = "Swift"\n[receipts]\npayers = ["SWIFT COD"]\n`;

async function booksOf({ settings = SOLE() }: { readonly settings?: string }, ...receipts: readonly string[]) {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), settings);
  const time = new Date(Date.UTC(2026, 11, 20, 9));
  const now = () => new Date(time);
  const run = (...argv: readonly string[]) => remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now: now() });
  const json = async <T>(...argv: readonly string[]): Promise<T> => {
    const { stdout, stderr } = await run(...argv, '--json');
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const look = async () => {
    expect((await run('sync', '2026-10..2026-11')).stderr).not.toContain('error');
    await run('check', '2026-10..2026-11');
  };
  const bring = async (name: string, ...lines: readonly string[]) => {
    writeFileSync(path.join(cwd, name), `date,amount,currency,text\n${lines.join('\n')}\n`);
    expect(await run('import', 'receipts', name)).toMatchObject({ code: 0 });
    await run('check', '2026-10..2026-11');
  };
  await look();
  // The edges make the file cover the payment window of every invoice.
  await bring('bank.csv', '2026-10-01,-1.00,USD,Stamps', ...receipts, '2026-12-10,-1.00,USD,Stamps');
  const state = async () =>
    (await json<Listed>('dispute', 'list')).claims.map(
      ({ mismatch, claim }) => `${mismatch.invoice_number} ${mismatch.code} ${claim.state} ${claim.claimed}`,
    );
  return {
    ...{ cwd, now, run, json, look, bring, state },
    tomorrow: () => void time.setUTCDate(time.getUTCDate() + 1),
    draft: (...argv: string[]) => json<Draft>('dispute', '--dry-run', ...argv),
    claim: (...argv: string[]) => json<Draft & { claim: number }>('dispute', '--yes', '--out', 'c.txt', ...argv),
    sums: async () =>
      (await json<Listed>('dispute', 'list')).totals.map((sum) => `${sum.state} ${sum.claimed} ${sum.now}`),
    verified: async () => expect(await run('verify', '--deep')).toMatchObject({ code: 0, stderr: '' }),
  };
}

const linesOf = ({ lines }: Draft) =>
  lines.map(({ invoice_number, code, claimed, claimed_on }) => [invoice_number, code, claimed, claimed_on].join(' '));

describe('a debt that was claimed', () => {
  it.each<[string, Status, Status, string]>([
    ['that is overdue', 'PENDING_PAYMENT', 'PENDING_PAYMENT', 'payment-overdue claimed'],
    ['that is overdue, then called paid,', 'PENDING_PAYMENT', 'PAID', 'remittance-short mended-in-part'],
    ['that is called paid', 'PAID', 'PAID', 'remittance-short mended-in-part'],
  ])('%s is not claimed again where a part of it came', async (_, before, after, shown) => {
    courier.world.invoices = [bill(10001, 100, { status: before }), PAID];
    const books = await booksOf({}, PAYMENT);
    const { claim } = await books.claim('2026-10');
    books.tomorrow();
    courier.world.invoices = [bill(10001, 100, { status: after }), PAID];
    await books.look();
    await books.bring('later.csv', '2026-10-20,30.00,USD,SWIFT COD 10001', '2026-12-11,-1.00,USD,Stamps');
    const draft = await books.draft('2026-10');
    expect(linesOf(draft)).toEqual([]);
    expect(draft.left).toContainEqual(expect.objectContaining({ why: 'claimed' }));
    const [code] = shown.split(' ');
    const again = await books.draft('2026-10', '--again');
    expect(linesOf(again)).toEqual([`10001 ${code} 70.00 2026-12-20`]);
    // The first letter claims it: 100.00, of which 30.00 came.
    expect(await books.state()).toEqual([`10001 ${shown} 100.00`]);
    expect((await books.sums()).map((sum) => sum.replace(/^\S+ /, ''))).toEqual(['-100.00 -70.00']);
    const id = again.lines[0]!.id!;
    expect(await books.json('dispute', 'letter', id)).toMatchObject({ claim });
    await books.verified();

    // Asked for again, it is one claim still; taken back, it can be claimed as for the first time.
    books.tomorrow();
    await books.claim('2026-10', '--again');
    expect((await books.sums()).map((sum) => sum.replace(/^\S+ /, ''))).toEqual(['-70.00 -70.00']);
    await books.json('dispute', 'withdraw', id, '--note', 'too early');
    expect(linesOf(await books.draft('2026-10'))).toEqual([`10001 remittance-short 70.00 `]);
    await books.verified();
  });

  it('is the same claim when a match is undone, and is over when all of it came', async () => {
    courier.world.invoices = [bill(10001, 100, { status: 'PAID' }), PAID];
    const books = await booksOf({}, PAYMENT);
    await books.claim('2026-10');
    books.tomorrow();
    await books.bring('part.csv', '2026-10-20,30.00,USD,SWIFT COD 10001', '2026-12-11,-1.00,USD,Stamps');
    expect(await books.state()).toEqual(['10001 remittance-short mended-in-part 100.00']);
    const { matches } = await books.json<{ matches: { id: number }[] }>('match', 'list');
    await books.json('match', 'remove', String(matches.at(-1)!.id), '--reason', 'another shop');
    await books.run('check', '2026-10..2026-11');
    expect(await books.state()).toEqual(['10001 remittance-missing claimed 100.00']);
    expect(linesOf(await books.draft('2026-10')).filter((line) => line.startsWith('10001'))).toEqual([]);
    await books.json('match', 'add', '4', '10001', '--part');
    await books.bring('rest.csv', '2026-10-21,70.00,USD,SWIFT COD 10001', '2026-12-12,-1.00,USD,Stamps');
    expect(await books.state()).toEqual(['10001 remittance-missing mended 100.00']);
    expect(linesOf(await books.draft('2026-10'))).toEqual([]);
    await books.verified();
  });
});

describe('a receipt that pays no invoice yet', () => {
  const asked = ({ totals }: Draft) => totals.map(({ owed_to_us }) => owed_to_us);

  it('lowers what is asked once: by the first letter, and by the next what is left of it', async () => {
    courier.world.invoices = [bill(10001, 300), bill(10002, 400, { month: '11' }), PAID];
    const books = await booksOf({}, PAYMENT, '2026-10-12,350.00,USD,SWIFT COD');
    expect(asked(await books.claim('2026-10'))).toEqual(['0.00']);
    // 50.00 were left for later.
    const second = await books.claim('2026-11');
    expect(linesOf(second)).toEqual(['10002 payment-overdue 400.00 ', ' receipt-unallocated -50.00 ']);
    expect(asked(second)).toEqual(['350.00']);
    expect(await books.sums()).toEqual(['claimed -700.00 -700.00', 'taken-off 350.00 350.00']);
    expect((await books.run('dispute', 'list')).stdout).toContain('  taken-off: 2, 350.00 USD\n');
    // One letter for both again takes all of it off.
    expect(asked(await books.draft('2026-10..2026-11', '--again'))).toEqual(['350.00']);
    // A letter about the second month alone, again, leaves the first one its part.
    expect(asked(await books.draft('2026-11', '--again'))).toEqual(['350.00']);

    // Taken back, the first letter takes nothing off any more.
    await books.json('dispute', 'withdraw', '--month', '2026-10', '--note', 'too early');
    expect(await books.sums()).toEqual([
      'claimed -400.00 -400.00',
      'withdrawn -300.00 -300.00',
      'taken-off 50.00 50.00',
    ]);
    expect(asked(await books.draft('2026-10'))).toEqual(['0.00']);
    await books.verified();
  });

  it('is in the claim that it pays, once somebody says so', async () => {
    courier.world.invoices = [bill(10001, 300), bill(10002, 400, { month: '11' }), PAID];
    const books = await booksOf({}, PAYMENT, '2026-10-12,100.00,USD,SWIFT COD');
    expect(asked(await books.claim('2026-10'))).toEqual(['200.00']);
    expect(await books.sums()).toEqual(['claimed -300.00 -300.00', 'taken-off 100.00 100.00']);
    await books.json('match', 'add', '3', '10001', '--part');
    await books.run('check', '2026-10..2026-11');
    expect(await books.sums()).toEqual(['claimed -300.00 -200.00', 'taken-off 100.00 0.00']);
    expect(asked(await books.draft('2026-11'))).toEqual(['400.00']);
    expect(asked(await books.draft('2026-10..2026-11', '--again'))).toEqual(['600.00']);
  });

  it('asks in all letters together for no more than the balance', async () => {
    courier.world.invoices = [bill(10001, 300), bill(10002, 400, { month: '11' }), bill(10003, -150), PAID];
    const books = await booksOf({}, PAYMENT);
    expect(asked(await books.claim('2026-10'))).toEqual(['300.00']);
    const second = await books.claim('2026-11');
    expect(asked(second)).toEqual(['250.00']);
    expect(await books.sums()).toEqual(['claimed -700.00 -700.00', 'taken-off 150.00 150.00']);
    expect(asked(await books.draft('2026-10..2026-11', '--again'))).toEqual(['550.00']);
  });
});

it('claims come to what their letters ask, in lists, at the desk and in letters, in each currency of each courier', async () => {
  const hawk = await startFakeCourier();
  const cod = (number: number, pairs: [string, string][]) => [
    { order_id: `A${number}`, cod: pairs, delivery_fee: [['USD', '10.00']] },
  ];
  const issue = (number: number, pairs: [string, string][], more = {}, month = '10') =>
    invoiceOf(number, `2026-${month}-05T10:00:00+00:00`, cod(number, pairs) as never, {
      status: 'PENDING_PAYMENT',
      ...more,
    });
  const both = (usd: string, lbp: string): [string, string][] => [
    ['USD', usd],
    ['LBP', lbp],
  ];
  // The header of 10002 is 5.00 short of its row.
  const short = { status: 'PAID', cod: [['USD', '105.00']], net_due_to_merchant: [['USD', '95.00']] };
  courier.world.invoices = [
    issue(10001, both('310.00', '900000.00')),
    issue(10002, [['USD', '110.00']], short),
    issue(10003, both('410.00', '500000.00'), {}, '11'),
  ];
  hawk.world.invoices = [issue(10001, both('60.00', '100000.00')), issue(10002, [['USD', '80.00']], {}, '11')];
  const table = (name: string, url: string) =>
    `[couriers.${name}]\napi_url = "${url}"\npayers = ["${name.toUpperCase()} COD"]\n`;
  const settings = table('swift', courier.url) + table('hawk', hawk.url);
  const books = await booksOf({ settings }, '2026-10-08,95.00,USD,SWIFT COD 10002', '2026-10-12,120.00,USD,SWIFT COD');
  const desk = await startDesk([], { cwd: books.cwd, now: books.now, env: { REMIT_API_KEY: KEY } });
  await desk.enter();

  const isOpen = (state: string) => !['mended', 'settled', 'written-off', 'withdrawn'].includes(state);
  type Sum = Listed['totals'][number];
  const sumOf = (totals: readonly Sum[], of: 'claimed' | 'now', currency: string) =>
    totals
      .filter((sum) => sum.currency === currency && isOpen(sum.state))
      .reduce((all, sum) => all + decimalUnits(sum[of]), 0n);
  const agree = async () => {
    const { totals: atDesk } = await desk.json<Listed>('/claims');
    for (const name of ['swift', 'hawk']) {
      const { claims, totals } = await books.json<Listed>('dispute', 'list', '--courier', name);
      expect(atDesk.filter((sum) => sum.courier === name)).toEqual(totals);
      const ids = claims.filter(({ claim }) => isOpen(claim.state)).map(({ mismatch }) => mismatch.id);
      if (ids.length === 0) continue;
      const draft = await books.draft(...ids, '--again', '--courier', name);
      for (const currency of ['USD', 'LBP']) {
        const lines = draft.lines.filter((line) => line.currency === currency);
        const signed = lines.map(({ id, section, claimed }) => ({
          isTakenOff: id === null,
          amount: section === 'owed-by-us' ? -decimalUnits(claimed) : decimalUnits(claimed),
        }));
        const asked = (isTakenOff: boolean) =>
          signed.reduce((sum, line) => (line.isTakenOff === isTakenOff ? sum + line.amount : sum), 0n);
        const takenOff = totals.filter(({ state }) => state === 'taken-off');
        const claimed = totals.filter(({ state }) => state !== 'taken-off');
        expect([name, currency, -sumOf(claimed, 'now', currency)]).toEqual([name, currency, asked(false)]);
        // A new letter would take off what came since, too.
        expect([name, currency, sumOf(takenOff, 'now', currency) <= -asked(true)]).toEqual([name, currency, true]);
      }
    }
  };
  /** Claims, and compares by how much more is asked then with what the letter says. */
  const claims = async (name: string, ...argv: string[]) => {
    const before = (await books.json<Listed>('dispute', 'list', '--courier', name)).totals;
    const { totals } = await books.claim(...argv, '--courier', name);
    const after = (await books.json<Listed>('dispute', 'list', '--courier', name)).totals;
    const letter = readFileSync(path.join(books.cwd, 'c.txt'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const { currency, net, owed_to_us } of totals) {
      const more = sumOf(before, 'claimed', currency) - sumOf(after, 'claimed', currency);
      expect([name, currency, more]).toEqual([name, currency, decimalUnits(net)]);
      expect(letter.replaceAll(',', '')).toContain(`owed to us ${owed_to_us} ${currency}`);
    }
    await agree();
  };

  await claims('swift', '2026-10');
  await claims('hawk', '2026-10');
  await claims('swift', '2026-11');
  // A part is paid, in each currency; the row that the header lacked is paid too.
  await books.bring(
    'later.csv',
    '2026-10-20,100.00,USD,SWIFT COD 10001',
    '2026-10-21,5.00,USD,SWIFT COD 10002',
    '2026-10-22,10.00,USD,HAWK COD 10001',
    '2026-12-11,-1.00,USD,Stamps',
  );
  await books.bring('pounds.csv', '2026-10-20,300000.00,LBP,SWIFT COD 10001', '2026-12-11,-1.00,LBP,Stamps');
  await agree();
  const closed = await books.run('close', '2026-10', '--first', '--with-open', 'the claims are out', '--by', 'Rana');
  expect(closed).toMatchObject({ code: 0 });
  await agree();
  // A match is undone; what was not allocated is.
  const { matches } = await books.json<{ matches: { id: number; currency: string; invoices: unknown[] }[] }>(
    ...['match', 'list', '--courier', 'swift'],
  );
  await books.json('match', 'remove', String(matches.at(-1)!.id), '--reason', 'another shop');
  await books.run('check');
  await agree();
  await books.json('match', 'add', '3', '10003', '--part', '--courier', 'swift');
  await books.run('check');
  await agree();
  // A finding is resolved, a claim is answered, a letter is taken back and sent again.
  const { claims: all } = await books.json<Listed>('dispute', 'list', '--courier', 'hawk');
  await books.json('dispute', 'answer', all[0]!.mismatch.id, '--refused', '--note', 'no', '--courier', 'hawk');
  await agree();
  await books.json('mismatch', 'resolve', all[0]!.mismatch.id, '--note', 'agreed', '--courier', 'hawk');
  await agree();
  await books.json('dispute', 'withdraw', '--month', '2026-10', '--courier', 'swift', '--note', 'again');
  await agree();
  await claims('hawk', '2026-11');
  await claims('swift', '2026-10');
  await books.verified();
  await desk.stop();
  await hawk.close();
});

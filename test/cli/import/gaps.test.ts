import { describe, expect, it } from 'vitest';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { CEDAR, cedar, sheetBooks } from '../../helpers/settlements.ts';

interface Gap {
  readonly account: string | null;
  readonly currency: string;
  readonly after: string;
  readonly before: string;
  readonly amount: string | null;
}
interface Checked {
  readonly incomplete: readonly { readonly why: string }[];
  readonly mismatches: readonly { readonly code: string; readonly invoice_number: number }[];
}

const TOML = `${CEDAR}\n[receipts]\npayers = ["Cedar Road"]\n`;
/** Payouts that are marked as paid: 500.00 of the 12th, and 40.00 of the 2nd. */
const SHEET = cedar(
  '118,2026-10-12,Paid,C-1,SO-1,Delivery,500.00,0.00,0.00,0.00,500.00',
  '117,2026-10-02,Paid,C-2,SO-2,Delivery,40.00,0.00,0.00,0.00,40.00',
);

async function books(toml = TOML): Promise<OwnBooks> {
  const made = sheetBooks(toml, new Date('2026-11-20T09:00:00Z'));
  await made.json(['import', 'settlement', made.file('sheet.csv', SHEET), '--map', 'cedar']);
  return made;
}

let files = 0;
const bank = (...lines: string[]) => `date,amount,currency,text,account,id,balance\n${lines.join('\n')}\n`;
const take = (of: OwnBooks, content: string, ...more: string[]) => {
  files += 1;
  return of.json<{ import: number; gaps: Gap[]; new: number }>([
    'import',
    'receipts',
    of.file(`bank-${files}.${content.startsWith('date') ? 'csv' : 'ofx'}`, content),
    ...more,
  ]);
};
async function check(of: OwnBooks, ...more: string[]): Promise<Checked> {
  const { stdout } = await of.remit(['check', '2026-10', '--json', ...more]);
  return JSON.parse(stdout);
}
const missing = ({ mismatches }: Checked) =>
  mismatches.filter(({ code }) => code === 'remittance-missing').map(({ invoice_number }) => invoice_number);

const ONE = bank(
  '2026-10-01,-10.00,USD,Rent,LB1,a1,1000.00',
  '2026-10-05,40.00,USD,Cedar Road,LB1,a2,1040.00',
  '2026-10-11,10.00,USD,Cash,LB1,a3,1050.00',
);
const TWO = bank('2026-10-18,-50.00,USD,Rent,LB1,c1,1500.00', '2026-10-31,5.00,USD,Interest,LB1,c2,1505.00');
const BETWEEN = bank('2026-10-14,500.00,USD,Cedar Road,LB1,b1,1550.00');
const GAP = { account: 'LB1', currency: 'USD', after: '2026-10-11', before: '2026-10-18', amount: '500.00' };

/** An OFX file that states its days, and no opening balance. */
const ofx = (from: string, to: string, ...lines: [day: string, amount: string, name: string][]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n
<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>0620<ACCTID>LB1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>202610${from}<DTEND>202610${to}
${lines.map(([day, amount, name], at) => `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>202610${day}<TRNAMT>${amount}<FITID>${day}${at}<NAME>${name}</STMTTRN>`).join('\n')}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;

describe('money between two bank files that no file shows', () => {
  it.each([
    ['as they came', [ONE, TWO]],
    ['the later one first', [TWO, ONE]],
  ])('is a gap, and nothing is claimed there: %s', async (_, [first, second]) => {
    const own = await books();
    expect((await take(own, first!)).gaps).toEqual([]);
    expect((await take(own, second!)).gaps).toEqual([GAP]);
    const checked = await check(own);
    expect(missing(checked)).toEqual([]);
    expect(checked.incomplete.map(({ why }) => why)).toEqual([
      '1 invoice with 500.00 USD not compared: after 2026-10-11 and before 2026-10-18 500.00 USD moved on account LB1 that no imported file shows; run `remit import receipts FILE`',
    ]);
    const claim = await own.json<{ totals: unknown[] }>(['dispute', '2026-10']);
    expect(claim.totals).toEqual([]);
    // The missing file fills it.
    expect((await take(own, BETWEEN)).gaps).toEqual([]);
    expect(await check(own)).toMatchObject({ incomplete: [], mismatches: [] });
    await own.verify();
  });

  it('is said in words, by a dry run too, and of a file that is held already', async () => {
    const own = await books();
    await take(own, ONE);
    const said = '500.00 USD moved on account LB1 that no imported file shows: import the file of those days';
    const file = own.file('two.csv', TWO);
    expect((await own.remit(['import', 'receipts', file, '--dry-run'])).stdout).toContain(said);
    expect((await own.remit(['import', 'receipts', file])).stdout).toContain(said);
    expect((await own.remit(['import', 'receipts', file])).stdout).toContain(said);
  });

  it('is none where the balances chain, and then what did not come is found', async () => {
    const own = await books();
    await take(own, ONE);
    const chained = bank('2026-10-18,-50.00,USD,Rent,LB1,c1,1000.00', '2026-10-31,5.00,USD,Interest,LB1,c2,1005.00');
    expect((await take(own, chained)).gaps).toEqual([]);
    expect(missing(await check(own))).toEqual([118]);
  });

  it('comes back when the file that filled it is undone', async () => {
    const own = await books();
    await take(own, ONE);
    const { import: id } = await take(own, BETWEEN);
    await take(own, TWO);
    expect(missing(await check(own))).toEqual([]);
    await own.json(['import', 'undo', String(id), '--reason', 'wrong']);
    const checked = await check(own);
    expect(missing(checked)).toEqual([]);
    expect(checked.incomplete).toMatchObject([{ why: expect.stringContaining('500.00 USD moved on account LB1') }]);
    await own.verify();
  });

  it('of another account into which the courier pays counts as well', async () => {
    const own = await books();
    await take(own, `${ONE}2026-10-01,1.00,USD,Cedar Road,LB2,x1,1.00\n2026-10-30,1.00,USD,Interest,LB2,x2,2.00\n`);
    expect((await take(own, TWO)).gaps).toEqual([GAP]);
    expect(missing(await check(own))).toEqual([]);
  });

  it('of an account into which it never paid says nothing', async () => {
    const own = await books();
    const other = ONE.replaceAll('LB1', 'LB9').replace('Cedar Road', 'Shop');
    await take(own, other);
    expect((await take(own, TWO.replaceAll('LB1', 'LB9'))).gaps).toEqual([{ ...GAP, account: 'LB9' }]);
    const whole = bank('2026-10-02,40.00,USD,Cedar Road,LB1,a1,40.00', '2026-10-30,1.00,USD,Interest,LB1,a2,41.00');
    await take(own, whole);
    expect(missing(await check(own))).toEqual([118]);
  });

  it('is of days where files state those and no balances', async () => {
    const own = await books();
    await take(own, ofx('01', '10', ['05', '40.00', 'Cedar Road']));
    expect((await take(own, ofx('17', '31'))).gaps).toEqual([
      { account: 'LB1', currency: 'USD', after: '2026-10-10', before: '2026-10-17', amount: null },
    ]);
    const checked = await check(own);
    expect(missing(checked)).toEqual([]);
    expect(checked.incomplete).toMatchObject([
      { why: expect.stringContaining('no file shows what moved on account LB1 in USD after 2026-10-10 and before') },
    ]);
    expect((await take(own, ofx('11', '16'))).gaps).toEqual([]);
    expect(missing(await check(own))).toEqual([118]);
  });

  it('is what a statement lacks that does not add up and was taken all the same', async () => {
    const own = await books();
    const wrong = bank('2026-10-01,40.00,USD,Cedar Road,LB1,a1,1000.00', '2026-10-31,5.00,USD,Interest,LB1,a2,1505.00');
    expect((await take(own, wrong, '--allow-gap')).gaps).toEqual([
      { account: 'LB1', currency: 'USD', after: '2026-10-01', before: '2026-10-31', amount: '500.00' },
    ]);
    expect(missing(await check(own))).toEqual([]);
  });

  it('is filled by a file that replaces another, and was there on the day before', async () => {
    const own = await books();
    await take(own, ONE);
    await take(own, TWO);
    const other = `${ONE.replaceAll('LB1,a', 'LB1,z').replace('Cash', 'Cash box')}2026-10-14,500.00,USD,Cedar Road,LB1,z4,1550.00\n`;
    const file = own.file('other.csv', other);
    const later = { now: new Date('2026-11-21T09:00:00Z') };
    const refused = await own.remit(['import', 'receipts', file], later);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
    expect((await check(own)).incomplete).toHaveLength(1);
    const replaced = await own.json(['import', 'receipts', file, '--replace'], later);
    expect(replaced).toMatchObject({ gaps: [], replaced: 1 });
    const today = await own.remit(['check', '2026-10', '--json'], later);
    expect(JSON.parse(today.stdout)).toMatchObject({ incomplete: [], mismatches: [] });
    const asOf = await own.remit(['check', '2026-10', '--json', '--as-of', '2026-11-20'], later);
    expect(JSON.parse(asOf.stdout)).toMatchObject({
      incomplete: [{ why: expect.stringContaining('500.00 USD moved on account LB1') }],
      mismatches: [],
    });
    await own.verify();
  });

  it('is none between files of a cash book, at most a week apart', async () => {
    const own = await books();
    const cash = (...lines: string[]) => `date,amount,currency,text\n${lines.join('\n')}\n`;
    await take(own, cash('2026-10-02,40.00,USD,Cedar Road', '2026-10-13,1.00,USD,x'));
    expect((await take(own, cash('2026-10-20,1.00,USD,y'))).gaps).toEqual([]);
    expect(missing(await check(own))).toEqual([118]);
    const apart = await books();
    await take(apart, cash('2026-10-02,40.00,USD,Cedar Road', '2026-10-12,1.00,USD,x'));
    expect((await take(apart, cash('2026-10-20,1.00,USD,y'))).gaps).toEqual([]);
    expect(await check(apart)).toMatchObject({
      incomplete: [{ why: expect.stringContaining('for the whole payment window') }],
      mismatches: [],
    });
  });

  it.skipIf(!hasPostgres)('is the same on a server', async () => {
    const { url } = await newDatabase();
    const file = sheetBooks(TOML, new Date('2026-11-20T09:00:00Z'));
    const server: OwnBooks = {
      ...file,
      remit: (argv, more) => file.remit(argv, { env: { REMIT_LEDGER: url }, ...more }),
      json: (argv, more) => file.json(argv, { env: { REMIT_LEDGER: url }, ...more }),
    };
    await server.json(['import', 'settlement', server.file('sheet.csv', SHEET), '--map', 'cedar']);
    await take(server, ONE);
    expect((await take(server, TWO)).gaps).toEqual([GAP]);
    expect((await check(server)).incomplete).toMatchObject([{ why: expect.stringContaining('500.00 USD moved') }]);
    const used = bank('2026-10-14,500.00,USD,Cedar Road,LB1,a1,1550.00');
    const { import: id, ...filled } = await take(server, used);
    expect(filled).toMatchObject({ new: 1, gaps: [], ids_used_again: [{ id: 'a1' }] });
    expect(await check(server)).toMatchObject({ incomplete: [], mismatches: [] });
    expect(await take(server, used.replace('a1', 'z9'))).toMatchObject({ new: 0 });
    const last = await take(server, used.replace('a1', 'z8'));
    for (const one of [id, last.import]) await server.json(['import', 'undo', String(one), '--reason', 'wrong']);
    expect(await check(server)).toMatchObject({ incomplete: [], mismatches: [] });
    await server.json(['import', 'undo', String(last.import - 1), '--reason', 'wrong']);
    expect((await check(server)).incomplete).toMatchObject([{ why: expect.stringContaining('500.00 USD moved') }]);
    const { stdout } = await server.remit(['verify', '--deep', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});

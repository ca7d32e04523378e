import { describe, expect, it } from 'vitest';
import { bankFile, read, refusal } from '../../helpers/bank-files.ts';

describe('MT940', () => {
  const file = read('receipts', bankFile('month.sta'), 'month.sta');

  it('gives each page with its balances, and says which add up', () => {
    expect(file.statements.map(({ lines: _, ...rest }) => rest)).toEqual([
      {
        account: 'LB62099900000001001901229114',
        currency: 'USD',
        from: '2026-09-30',
        to: '2026-10-06',
        opening: '1000.00',
        closing: '52469.00',
        balanced: true,
      },
      expect.objectContaining({ opening: '52469.00', closing: '52469.01', balanced: false }),
    ]);
  });

  it('reads directions, reversals, funds codes and amounts without a comma', () => {
    expect(file.statements[0]!.lines.map(({ date, valueDate, amount }) => [date, valueDate, amount])).toEqual([
      ['2026-10-01', '2026-10-01', '500.00'],
      ['2026-10-01', '2026-10-02', '50990.05'],
      ['2026-10-03', '2026-10-03', '-20.10'],
      ['2026-10-04', '2026-10-04', '5.00'],
      ['2026-10-05', '2026-10-05', '-7.50'],
      ['2026-10-06', '2026-10-06', '3.00'],
      ['2027-01-01', '2026-12-31', '-1.45'],
    ]);
  });

  it('reads what is said of a line, free or in subfields', () => {
    const [first, second, , , fee] = file.statements[0]!.lines;
    expect(first).toMatchObject({
      text: 'REMITTANCE EXAMPLE DELIVERY 10009, 10011',
      counterparty: null,
      id: null,
      reference: '77001',
    });
    expect(second).toMatchObject({
      text: 'CREDIT EREF+PAYOUT 10012 OCTOBER FIRST HALF',
      counterparty: 'EXAMPLE DELIVERY SAL',
      counterpartyAccount: 'LB621234',
      reference: 'REF 1',
    });
    expect(fee).toMatchObject({
      counterparty: 'OUR BANK',
      text: '/NAME/OUR BANK/REMI/FEE OCTOBER -INVOICE 10013 Bank charges',
    });
  });

  it.each([
    [':20:A\n:25:1\n:60F:C261001USD1,\n:61:261001C1,NTRFX\n', 'line 1, field 62F: it ends before the closing balance'],
    [':20:A\n:25:1\n:61:261001C1,NTRFX\n:62F:C261001USD1,\n', 'no opening balance'],
    [':20:A\n:25:1\n:25:1\n:60F:C261001USD1,\n:62F:C261001USD1,\n', 'line 3, field 25: a second :25:'],
    [
      ':20:A\n:60F:C261001USD1,\n:61:261001X1,NTRFX\n:62F:C261001USD1,\n',
      'line 3, field 61: "261001X1,NTRFX" is not a line',
    ],
    [':20:A\n:60F:C261001USD1,\n:61:261301C1,NTRFX\n:62F:C261001USD1,\n', '"261301" is not a date'],
    [':20:A\n:60F:C261001USD1,\n:61:261001C1.234,5NTRFX\n:62F:C261001USD1,\n', '"1.234,5" is not an amount'],
    [':20:A\n:60F:C261001USD1,\n:61:261001C1,NTRFX\n:62F:C261001EUR2,\n', 'opens in USD and closes in EUR'],
    [':20:A\n:60F:C261001USD\n:62F:C261001USD2,\n', 'is not a balance'],
  ])('refuses %j', (text, message) => {
    expect(refusal('receipts', text, 'a.sta').message).toContain(message);
  });

  it('takes the entry date where the value date is a 30 February, blanks in a type, and text that begins like a field', () => {
    const text =
      ':20:A\n:60F:C160229EUR10,\n:61:1602300301DR6,00N024NONREF\n:86:PAID AT 9\n:12:30\n:61:1603011231CF1,00S   X\n:62F:C160301EUR5,00\n';
    const [statement] = read('receipts', text, 'a.sta').statements;
    expect(statement!.balanced).toBe(true);
    expect(statement!.lines.map(({ date, valueDate, text: said }) => [date, valueDate, said])).toEqual([
      ['2016-03-01', null, 'PAID AT 9 :12:30'],
      ['2015-12-31', '2016-03-01', ''],
    ]);
  });

  it('says when a page is missing', () => {
    const text = bankFile('month.sta').toString('utf8');
    expect(file.notes).toEqual([]);
    const first = text.slice(0, text.indexOf('-}') + 4);
    expect(read('receipts', first, 'a.sta').notes).toEqual([
      'the statement on line 2 goes on on a page that is not in this file',
    ]);
  });

  it('counts what is only expected, and keeps it out', () => {
    const { statements, skipped } = read(
      'receipts',
      ':20:A\n:60F:C261001USD1,\n:61:261001EC9,NTRFX\n:62F:C261001USD1,\n',
      'a.sta',
    );
    expect([statements[0]!.lines.length, statements[0]!.balanced, skipped]).toEqual([
      0,
      true,
      [{ line: 3, why: 'expected, not booked' }],
    ]);
  });
});

describe('OFX', () => {
  const file = read('receipts', Buffer.from(bankFile('card-and-bank.ofx').toString('utf8'), 'latin1'), 'a.ofx');

  it('reads SGML without closing tags, commas as decimals, and nothing out of a comment', () => {
    const [bank] = file.statements;
    expect(bank).toMatchObject({
      account: '001 2291',
      currency: 'USD',
      from: '2026-10-01',
      to: '2026-10-31',
      opening: null,
      closing: '-100.14',
      balanced: null,
    });
    expect(bank!.lines.map(({ date, amount, text, id, line }) => [date, amount, text, id, line])).toEqual([
      ['2026-10-02', '579.68', 'Example Delivery Payout 10009 & 10011', 'A1', 16],
      ['2026-10-03', '-1234.50', 'Miete <B&uuml;ro> < 3', 'A2', 18],
      ['2026-10-03', '-0.32', 'Charges', 'A2', 20],
    ]);
  });

  it('keeps a line in another currency apart, a card without balance or lines, and counts pending ones', () => {
    expect(
      file.statements
        .slice(1)
        .map(({ account, currency, closing, lines }) => [account, currency, closing, lines.length]),
    ).toEqual([
      ['001 2291', 'EUR', null, 1],
      ['4111', 'EUR', null, 0],
    ]);
    expect(file.skipped).toEqual([{ line: 23, why: 'pending, not booked' }]);
    expect(file.notes).toEqual(['1 line repeats an id (FITID) of the same account']);
  });

  it("reads the file's own encoding", () => {
    const text = bankFile('card-and-bank.ofx').toString('utf8').replace('Abroad', 'Café');
    expect(read('receipts', Buffer.from(text, 'latin1'), 'a.ofx').statements[1]!.lines[0]!.text).toBe('Café');
  });

  const response = (inside: string, status = '<CODE>0<SEVERITY>INFO') =>
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS>${status}</STATUS>${inside}</STMTTRNRS></BANKMSGSRSV1></OFX>`;
  const statement = (transaction: string) =>
    response(`<STMTRS><CURDEF>USD<BANKTRANLIST>${transaction}</BANKTRANLIST></STMTRS>`);

  it.each([
    [
      response('', '<CODE>15500<SEVERITY>ERROR<MESSAGE>Sign on invalid'),
      'server answered with an error (code 15500: "Sign on invalid")',
    ],
    [statement('<STMTTRN><DTPOSTED>20261001<TRNAMT>$120</STMTTRN>'), '"$120" is not an amount'],
    [statement('<STMTTRN><DTPOSTED>20261301<TRNAMT>1.00</STMTTRN>'), '"20261301" is not a date'],
    [statement('<STMTTRN><DTPOSTED>20261001<TRNAMT>1,234</STMTTRN>'), 'can be read in two ways'],
    [statement('<STMTTRN><DTPOSTED>20261001<TRNAMT>'), '<STMTTRN> is never closed'],
    [
      statement('<STMTTRN><DTPOSTED>20261001<TRNAMT>5<FITID>1<CORRECTFITID>0</STMTTRN>'),
      'corrects or deletes an earlier one',
    ],
    [statement('').slice(0, -6), 'it ends before </OFX>'],
    [response('<STMTRS><BANKTRANLIST></BANKTRANLIST></STMTRS>'), 'the statement names no currency'],
    [response(''), 'it holds no bank or card statement'],
    ['<!DOCTYPE x [<!ENTITY a "b">]><OFX></OFX>', 'declares a document type'],
  ])('refuses %j', (text, message) => {
    expect(refusal('receipts', text, 'a.ofx').message).toContain(message);
  });

  it('takes the currency of the lines where the statement leaves its own empty', () => {
    const line = '<STMTTRN><DTPOSTED>20261001<TRNAMT>12.34<CURRENCY><CURRATE>1<CURSYM>AUD</CURRENCY></STMTTRN>';
    const text = statement(line).replace('<CURDEF>USD', '<CURDEF></CURDEF>');
    expect(read('receipts', text, 'a.ofx').statements[0]).toMatchObject({
      currency: 'AUD',
      lines: [{ amount: '12.34' }],
    });
    expect(refusal('receipts', text.replace('<CURSYM>AUD', ''), 'a.ofx').message).toContain('names no currency');
  });

  it('reads each amount by its own decimal sign, and a closing tag that a bank got wrong', () => {
    const lines = ['1.50', '-2,50', '1,234', '1234.567'].map(
      (amount) => `<STMTTRN><DTPOSTED>20261001</DTUSER><TRNAMT>${amount}</TRNAMT></STMTTRN>`,
    );
    const amounts = (of: readonly string[]) =>
      read('receipts', statement(of.join('')), 'a.ofx').statements[0]!.lines.map(({ amount }) => amount);
    expect(amounts([lines[0]!, lines[1]!, lines[3]!])).toEqual(['1.50', '-2.50', '1234.567']);
    expect(amounts([lines[0]!, lines[2]!])).toEqual(['1.50', '1234.00']);
    expect(amounts([lines[1]!, lines[2]!])).toEqual(['-2.50', '1.234']);
    expect(refusal('receipts', statement(lines.join('')), 'a.ofx').message).toContain(
      'has another decimal sign than the amounts before it',
    );
  });

  it('reads XML with its header and CDATA', () => {
    const text = `<?xml version="1.0"?><?OFX OFXHEADER="200"?>${statement('<STMTTRN><DTPOSTED>20261001</DTPOSTED><TRNAMT>1234.500</TRNAMT><NAME><![CDATA[A <B> & C]]></NAME></STMTTRN>')}`;
    expect(read('receipts', text, 'a.ofx').statements[0]!.lines[0]).toMatchObject({
      amount: '1234.50',
      text: 'A <B> & C',
    });
  });
});

describe('CAMT', () => {
  const file = read('receipts', bankFile('statement.camt.xml'), 'a.xml');

  it("takes the entry's own amount, a batch as one line, a reversal by its own sign, and booked entries only", () => {
    const [statement] = file.statements;
    expect(file.statements).toHaveLength(1);
    expect(statement).toMatchObject({
      account: 'LB62099900000001001901229114',
      currency: 'USD',
      from: '2026-10-01',
      to: '2026-10-31',
      opening: '-100.00',
      closing: '1050.25',
      balanced: true,
    });
    expect(statement!.lines).toEqual([
      expect.objectContaining({
        line: 11,
        date: '2026-10-02',
        valueDate: '2026-10-03',
        amount: '1200.25',
        counterparty: 'Example Delivery',
        counterpartyAccount: null,
        text: 'Payout 10009 10011',
        id: 'B-1',
      }),
      expect.objectContaining({ date: '2026-10-05', amount: '-50.00', counterparty: 'Example Delivery', id: null }),
    ]);
    expect(file.skipped).toEqual([{ line: 17, why: 'pending, not booked' }]);
  });

  it('reads .052 and .054 without a balance, and older forms of a status', () => {
    const text = bankFile('statement.camt.xml').toString('utf8').replaceAll('<c:Cd>BOOK</c:Cd>', 'BOOK');
    const report = text
      .replaceAll('camt.053.001.08', 'camt.052.001.02')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
      .replaceAll('c:Stmt', 'c:Rpt');
    expect(read('receipts', report, 'a.xml')).toMatchObject({ format: 'camt.052', statements: [{ balanced: null }] });
    const notice = text
      .replaceAll('camt.053.001.08', 'camt.054.001.13')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll('c:Stmt', 'c:Ntfctn');
    expect(read('receipts', notice, 'a.xml').statements[0]!.lines).toHaveLength(2);
  });

  it('reads version 01, whose elements are others', () => {
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.01"><BkToCstmrStmtV01><Stmt>
      <Acct><Id><PrtryAcct><Id>77</Id></PrtryAcct></Id></Acct>
      <Bal><Tp><Cd>OPBD</Cd></Tp><Amt Ccy="USD">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
      <Bal><Tp><Cd>CLBD</Cd></Tp><Amt Ccy="USD">3</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
      <Ntry><Amt Ccy="USD">2</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><ValDt><Dt>2026-10-01</Dt></ValDt>
        <TxDtls><RmtInf><Ustrd>10009</Ustrd></RmtInf></TxDtls></Ntry></Stmt></BkToCstmrStmtV01></Document>`;
    expect(read('receipts', text, 'a.xml').statements[0]).toMatchObject({
      account: '77',
      balanced: true,
      lines: [{ text: '10009' }],
    });
  });

  it.each([
    ['<c:Amt Ccy="USD">1200.25', '<c:Amt Ccy="USD">1200,25', 'line 11, Ntry/Amt: "1200,25" is not an amount'],
    ['<c:Amt Ccy="USD">1200.25', '<c:Amt>1200.25', 'is not a currency code'],
    ['<c:CdtDbtInd>CRDT</c:CdtDbtInd><c:Sts>', '<c:Sts>', 'says neither CRDT nor DBIT'],
    ['2026-10-02T', '2026-02-30T', 'is not a date'],
    ['BOOK', 'HUH', 'status "HUH" is not known'],
    ['camt.053.001.08', 'camt.053.001.99', 'version camt.053.001.99 is not known'],
    ['camt.053.001.08', 'pain.001.001.03', 'it is a pain.001 message'],
    ['camt.053.001.08', 'camt.060.001.03', 'camt.060'],
    ['</c:Document>', '', 'not well-formed XML'],
    ['<c:Document', '<!DOCTYPE a><c:Document', 'declares a document type'],
  ])('with %j as %j it is refused', (from, to, message) => {
    expect(
      refusal('receipts', bankFile('statement.camt.xml').toString('utf8').replace(from, to), 'a.xml').message,
    ).toContain(message);
  });

  it('flags a statement that does not add up, and keeps its figures', () => {
    const text = bankFile('statement.camt.xml').toString('utf8').replace('1050.25', '1050.26');
    expect(read('receipts', text, 'a.xml').statements[0]).toMatchObject({
      opening: '-100.00',
      closing: '1050.26',
      balanced: false,
    });
  });
});

describe('QIF', () => {
  it('reads the transactions of an account, splits as one, and names what it leaves out', () => {
    const file = read('receipts', bankFile('quicken.qif'), 'a.qif', { currency: 'USD' });
    expect(file.statements[0]).toMatchObject({
      account: 'Chequing',
      currency: 'USD',
      from: '2026-01-02',
      to: '2026-10-25',
      balanced: null,
    });
    expect(
      file.statements[0]!.lines.map(({ line, date, amount, text, reference }) => [line, date, amount, text, reference]),
    ).toEqual([
      [6, '2026-01-02', '-1234.50', 'Landlord October', '17'],
      [12, '2026-10-25', '579.68', 'Example Delivery', null],
    ]);
    expect(file.skipped).toEqual([{ line: 24, why: '!Type:Invst lists no receipts' }]);
  });

  it('is refused without a currency, with the map to add', () => {
    const error = refusal('receipts', bankFile('quicken.qif'), 'a.qif');
    expect(error.message).toContain('QIF does not say which currency');
    expect(error.map).toBe('[maps.mine]\nkind = "receipts"\nformat = "qif"\ncurrency = "USD"');
  });

  it.each([
    ['!Type:Bank\nD03/04/26\nT1.50\n^', 'can be read in two ways'],
    ['!Type:Bank\nD25/04/26\nT1,234\n^', 'can be read in two ways'],
    ['!Type:Bank\nD25/04/26\nT1.50', 'not ended by ^'],
    ['!Type:Bank\nD25/04/26\n^', 'has no amount'],
    ['!Type:Bank\nD25/04/26\nT1.50\nD26/04/26\nT2.50\n^', 'line 4, D: the transaction has two dates'],
    ['!Type:Bank\nD25/04/26\nT1.50\nT2.50\n^', 'line 4, T: the transaction has two amounts'],
    ['!Type:Bank\nT1.50\n^', 'has no date'],
    ['!Type:Cat\nNFood\n^', 'no transactions'],
  ])('refuses %j', (text, message) => {
    expect(refusal('receipts', text, 'a.qif', { currency: 'USD' }).message).toContain(message);
  });
});

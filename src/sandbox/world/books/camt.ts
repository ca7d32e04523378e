import { formatUnits } from '../../../money/units.ts';
import { type AccountStatement, xmlText } from './statement.ts';

/** A bank statement as ISO 20022 camt.053.001.02. */
export function camtText(statement: AccountStatement): string {
  const { account, currency, from, to, opening, closing, lines } = statement;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt>
<GrpHdr><MsgId>${currency}-${to}</MsgId><CreDtTm>${to}T20:00:00+02:00</CreDtTm></GrpHdr>
<Stmt>
<Id>${currency}-${from}-${to}</Id><CreDtTm>${to}T20:00:00+02:00</CreDtTm>
<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening, currency, from)}
${balance('CLBD', closing, currency, to)}
${lines.map((line) => entry(line, currency)).join('\n')}
</Stmt>
</BkToCstmrStmt>
</Document>
`;
}

function balance(code: 'OPBD' | 'CLBD', units: bigint, currency: string, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(units, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function entry(line: AccountStatement['lines'][number], currency: string): string {
  const party = line.amount < 0n ? 'Cdtr' : 'Dbtr';
  return `<Ntry>${amount(line.amount, currency)}<Sts>BOOK</Sts><BookgDt><Dt>${line.date}</Dt></BookgDt><ValDt><Dt>${line.date}</Dt></ValDt><AcctSvcrRef>${line.id}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>${line.id}</AcctSvcrRef></Refs><RltdPties><${party}><Nm>${xmlText(line.counterparty)}</Nm></${party}></RltdPties><RmtInf><Ustrd>${xmlText(line.text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
}

/** An unsigned amount, with a code for its sign. */
function amount(units: bigint, currency: string): string {
  const size = units < 0n ? -units : units;
  return `<Amt Ccy="${currency}">${formatUnits(size)}</Amt><CdtDbtInd>${units < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

import { formatUnits } from '../../../money/units.ts';
import { type AccountStatement, xmlText } from './statement.ts';

/** A bank statement as OFX 2.0, which states only the closing balance. */
export function ofxText({ account, currency, from, to, closing, lines }: AccountStatement): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="200" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>${compact(to)}200000</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>1</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>
<STMTRS><CURDEF>${currency}</CURDEF>
<BANKACCTFROM><BANKID>0999</BANKID><ACCTID>${account}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>${compact(from)}</DTSTART><DTEND>${compact(to)}</DTEND>
${lines.map(transaction).join('\n')}
</BANKTRANLIST>
<LEDGERBAL><BALAMT>${formatUnits(closing)}</BALAMT><DTASOF>${compact(to)}</DTASOF></LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`;
}

function transaction({ id, date, amount, counterparty, text }: AccountStatement['lines'][number]): string {
  return `<STMTTRN><TRNTYPE>${amount < 0n ? 'DEBIT' : 'CREDIT'}</TRNTYPE><DTPOSTED>${compact(date)}</DTPOSTED><TRNAMT>${formatUnits(amount)}</TRNAMT><FITID>${id}</FITID><NAME>${xmlText(counterparty)}</NAME><MEMO>${xmlText(text)}</MEMO></STMTTRN>`;
}

const compact = (day: string): string => day.replaceAll('-', '');

import { because } from '../../words/errors/banks.ts';
import { isBalanced } from './balance.ts';
import { camtAmount, camtDay, camtEntry } from './camt-entry.ts';
import { readCurrency } from './currency-text.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { ReceiptLine, ReceiptsFile, Skipped, Statement, StatementFormat } from './receipts-file.ts';
import { child, childText, type Element, elementBuilder, readXml } from './xml.ts';

/** The elements that hold one account's entries: statement, report of the day, notification. */
const HOLDERS = new Set(['Stmt', 'Rpt', 'Ntfctn']);
const ROOTS: Record<string, Format> = {
  BkToCstmrStmt: 'camt.053',
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
};

/** ISO 20022 camt.052 to 054. */
export const camt: StatementFormat = {
  title: 'CAMT.052 to 054',
  names: ['camt.052', 'camt.053', 'camt.054'],
  endings: [],
  recognise: recogniseCamt,
  read: readCamt,
};

function recogniseCamt(head: string): Format | null {
  const found = head.startsWith('<')
    ? /urn:iso:std:iso:20022:tech:xsd:camt\.(\d{3})\.(\d{3})\.(\d{2})/.exec(head)
    : null;
  if (!found) return null;
  const [, message = '', , version = ''] = found;
  if (!['052', '053', '054'].includes(message)) {
    throw new FileFault(because({ id: 'camt-without-bookings', message }));
  }
  if (Number(version) < 1 || Number(version) > 13) {
    throw new FileFault(because({ id: 'camt-version', message, version }));
  }
  return `camt.${message}` as Format;
}

/** What of a statement is known while its entries are read. */
interface Held {
  line: number;
  account: Element | null;
  period: Element | null;
  balances: Element[];
  lines: ReceiptLine[];
}

/**
 * Reads ISO 20022 camt.052, .053 and .054, versions 01 to 13. Only booked entries are lines; others are skipped and counted. A
 * reversal's own sign counts, as the standard has it; a batch is one line. A .052 and a .054 are read alike, without a balance.
 *
 * @throws FileFault naming line and element
 */
function readCamt(text: string): ReceiptsFile {
  const statements: Statement[] = [];
  const skipped: Skipped[] = [];
  let format: Format | null = null;
  let namespace = '';
  let held: Held | null = null;
  let holderDepth = 0;
  let builder: ReturnType<typeof elementBuilder> | null = null;
  const finish = (element: Element): void => {
    if (held === null) return;
    if (element.name === 'Acct') held.account = element;
    else if (element.name === 'FrToDt') held.period = element;
    else if (element.name === 'Bal') held.balances.push(element);
    else if (element.name === 'Ntry') {
      const read = camtEntry(element);
      if ('why' in read) skipped.push(read);
      else held.lines.push(read);
    }
  };
  readXml(text, {
    open(tag, depth) {
      if (depth === 1) namespace = tag.namespace;
      if (depth === 2) format = ROOTS[tag.name.replace(/V01$/, '')] ?? null;
      if (held === null) {
        if (!HOLDERS.has(tag.name)) return;
        held = { line: tag.line, account: null, period: null, balances: [], lines: [] };
        holderDepth = depth;
        return;
      }
      // Elements of other namespaces are a bank's own extensions, which book nothing.
      if (builder !== null) builder.open(tag, depth);
      else if (depth === holderDepth + 1 && tag.namespace === namespace) builder = elementBuilder(tag, depth);
    },
    text(part) {
      builder?.text(part);
    },
    close(_name, depth) {
      const done = builder?.close(depth);
      if (done) {
        builder = null;
        finish(done);
      } else if (held !== null && depth === holderDepth) {
        if (format === null) throw new FileFault(because({ id: 'no-camt' }));
        statements.push(...statementsOf(held, format));
        held = null;
      }
    },
  });
  if (format === null || statements.length === 0) {
    throw new FileFault(because({ id: 'camt-empty' }));
  }
  return { format, statements, skipped, notes: [] };
}

/** An account's statement; entries in several currencies make one each, of which none can be balanced. */
function statementsOf(held: Held, format: Format): Statement[] {
  const id = child(held.account, 'Id');
  const account = childText(id, 'IBAN') ?? childText(child(id, 'Othr') ?? child(id, 'PrtryAcct'), 'Id');
  const opening = balanceOf(held.balances, ['OPBD', 'PRCD']);
  const closing = balanceOf(held.balances, ['CLBD']);
  const stated = childText(held.account, 'Ccy') ?? opening?.currency ?? closing?.currency;
  const own = stated ?? held.lines[0]?.currency ?? held.balances.map((one) => camtAmount(one).currency)[0];
  if (own === undefined) {
    throw new FileFault(because({ id: 'statement-without-currency' }), {
      line: held.line,
      column: 'Ccy',
    });
  }
  const currency = readCurrency(own, { line: held.line, column: 'Ccy' });
  const from = camtDay(held.period, 'Fr') ?? opening?.day ?? null;
  const to = camtDay(held.period, 'To') ?? closing?.day ?? null;
  const currencies = [...new Set([currency, ...held.lines.map((line) => line.currency)])];
  return currencies
    .map((one): Statement => {
      const lines = held.lines.filter((line) => line.currency === one).map((line) => ({ ...line, account }));
      const ofThis = format === 'camt.053' && one === currency && currencies.length === 1;
      const first = opening?.currency === one ? opening.amount : null;
      const last = closing?.currency === one ? closing.amount : null;
      const balanced = ofThis ? isBalanced(first, last, lines, one) : null;
      return { account, currency: one, from, to, opening: first, closing: last, balanced, lines };
    })
    .filter(({ lines, currency: one }) => lines.length > 0 || one === currency);
}

interface Balance {
  readonly amount: string;
  readonly currency: string;
  readonly day: string | null;
}

/** The first balance of the first code that there is. */
function balanceOf(balances: readonly Element[], codes: readonly string[]): Balance | null {
  for (const code of codes) {
    const found = balances.find((balance) => {
      const type = child(balance, 'Tp');
      return (childText(child(type, 'CdOrPrtry'), 'Cd') ?? childText(type, 'Cd')) === code;
    });
    if (!found) continue;
    return { ...camtAmount(found), day: camtDay(child(found, 'Dt'), '') };
  }
  return null;
}

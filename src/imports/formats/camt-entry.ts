import { because } from '../../words/errors/banks.ts';
import { exactAmount } from './amount-text.ts';
import { oneLine } from './characters.ts';
import { readCurrency } from './currency-text.ts';
import { isoDay } from './date-text.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, Skipped } from './receipts-file.ts';
import { child, children, childText, type Element } from './xml.ts';

const NOT_BOOKED: Record<string, string> = {
  PDNG: 'pending, not booked',
  INFO: 'for information, not booked',
  FUTR: 'for a later day, not booked',
};
const NO_REFERENCE = /^(NOTPROVIDED|NOTAVAIL|NONREF|NOREF)$/i;
/** A batch's details are text; beyond this, a bank has put a file into a line. */
const MOST_TEXT = 64 * 1024;

/**
 * One `Ntry` as a line. The entry's own amount is what moved on the account: details beside it may leave out charges, or be in
 * another currency.
 *
 * @returns why it is skipped, where it is not booked
 */
export function camtEntry(entry: Element): ReceiptLine | Skipped {
  const status =
    childText(child(entry, 'Sts'), 'Cd') ?? childText(entry, 'Sts') ?? childText(child(entry, 'Sts'), 'Prtry');
  if (status !== 'BOOK') {
    const why = NOT_BOOKED[status ?? ''];
    if (why !== undefined) return { line: entry.line, why };
    throw new FileFault(because({ id: 'entry-status', status: status ?? '' }), {
      line: entry.line,
      column: 'Ntry/Sts',
    });
  }
  const { amount, currency } = camtAmount(entry);
  const valueDate = camtDay(child(entry, 'ValDt'), '');
  const date = camtDay(child(entry, 'BookgDt'), '') ?? valueDate;
  if (date === null) {
    throw new FileFault(because({ id: 'entry-without-date' }), {
      line: entry.line,
      column: 'Ntry/BookgDt',
    });
  }
  // Version 01 has the details in the entry itself.
  const details = [entry, ...children(entry, 'NtryDtls')].flatMap((one) => children(one, 'TxDtls'));
  const credit = childText(entry, 'CdtDbtInd') === 'CRDT';
  const reversal = /^(true|1)$/.test(childText(entry, 'RvslInd') ?? '');
  // A reversal of a payment made comes in, and its counterparty is still who was to be paid.
  const party = credit !== reversal ? 'Dbtr' : 'Cdtr';
  const parties = details.map((one) => partyOf(one, party));
  const ids = [childText(entry, 'AcctSvcrRef')].filter((id) => id !== null && !NO_REFERENCE.test(id));
  const text = textOf(entry, details);
  return {
    line: entry.line,
    date,
    valueDate,
    amount,
    currency,
    text,
    counterparty: onlyOne(parties.map(({ name }) => name)),
    counterpartyAccount: onlyOne(parties.map(({ account }) => account)),
    account: null,
    id: ids[0] ?? null,
    reference: onlyOne(details.map((one) => endToEnd(one))),
    raw: `${childText(entry, 'Amt')} ${currency} ${credit ? 'CRDT' : 'DBIT'}${reversal ? ' reversal' : ''} ${text}`.slice(
      0,
      4_000,
    ),
  };
}

/** The one value that all details agree on; a batch of many payers has none. */
function onlyOne(values: readonly (string | null)[]): string | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}

function partyOf(details: Element, side: string): { name: string | null; account: string | null } {
  const parties = child(details, 'RltdPties');
  const party = child(parties, side);
  const id = child(child(parties, `${side}Acct`), 'Id');
  return {
    name: childText(party, 'Nm') ?? childText(child(party, 'Pty'), 'Nm'),
    account: childText(id, 'IBAN') ?? childText(child(id, 'Othr'), 'Id'),
  };
}

function endToEnd(details: Element): string | null {
  const reference = childText(child(details, 'Refs'), 'EndToEndId');
  return reference === null || NO_REFERENCE.test(reference) ? null : reference;
}

/** All that is said of an entry, each thing once: remittance text and references of its details, and the bank's own words. */
function textOf(entry: Element, details: readonly Element[]): string {
  const parts = details.flatMap((one) => {
    const remittance = child(one, 'RmtInf');
    const structured = children(remittance, 'Strd').flatMap((strd) => [
      childText(child(strd, 'CdtrRefInf'), 'Ref'),
      ...children(strd, 'RfrdDocInf').map((document) => childText(document, 'Nb')),
      ...children(strd, 'AddtlRmtInf').map((more) => more.text),
    ]);
    const plain = children(remittance, 'Ustrd').map((ustrd) => ustrd.text);
    return [...plain, ...structured, endToEnd(one), childText(one, 'AddtlTxInf')];
  });
  const said = [...parts, childText(entry, 'AddtlNtryInf')]
    .map((part) => oneLine(part ?? ''))
    .filter((part) => part !== '');
  return [...new Set(said)].join(' ').slice(0, MOST_TEXT);
}

/** `Amt` with its currency and the sign of `CdtDbtInd`. @throws FileFault when either is missing or no plain decimal */
export function camtAmount(element: Element): { amount: string; currency: string } {
  const amount = child(element, 'Amt');
  const text = amount?.text.trim() ?? '';
  const place = { line: amount?.line ?? element.line, column: `${element.name}/Amt` };
  const plain = /^\+?(\d{1,40}(?:\.\d{1,20})?|\.\d{1,20})$/.exec(text)?.[1];
  if (plain === undefined) {
    throw new FileFault(because({ id: 'no-amount', amount: text }), place);
  }
  const direction = childText(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    throw new FileFault(because({ id: 'no-direction', direction: direction ?? '' }), {
      line: element.line,
      column: `${element.name}/CdtDbtInd`,
    });
  }
  const whole = plain.startsWith('.') ? `0${plain}` : plain;
  return {
    amount: exactAmount(direction === 'DBIT' ? `-${whole}` : whole, place),
    currency: readCurrency(amount?.attributes.Ccy ?? '', { line: place.line, column: `${element.name}/Amt/@Ccy` }),
  };
}

/**
 * `Dt` or `DtTm` of an element, with a prefix for `FrDt`/`ToDt`; the date as written.
 *
 * @returns null where there is none
 * @throws FileFault when it is no day
 */
export function camtDay(element: Element | null, prefix: string): string | null {
  const found = child(element, `${prefix}Dt`) ?? child(element, `${prefix}DtTm`);
  const text = found?.text.trim() ?? '';
  if (text === '') return null;
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const day = parts ? isoDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null;
  if (day !== null) return day;
  throw new FileFault(because({ id: 'no-date', date: text }), {
    line: found!.line,
    column: found!.name,
  });
}

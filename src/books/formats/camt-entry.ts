import { quoted } from '../../text.ts';
import { camtAmount, camtDay, child, children, childText, type Element } from './camt-element.ts';
import { oneLine } from './characters.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, Skipped } from './receipts-file.ts';

/** What is said of entries that are not booked. */
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
    throw new FileFault(`the entry's status ${quoted(status ?? '')} is not known`, 'Ask the bank what it means.', {
      line: entry.line,
      column: 'Ntry/Sts',
    });
  }
  const { amount, currency } = camtAmount(entry);
  const valueDate = camtDay(child(entry, 'ValDt'), '');
  const date = camtDay(child(entry, 'BookgDt'), '') ?? valueDate;
  if (date === null) {
    throw new FileFault('the entry has no date', 'The file is damaged: export it again.', {
      line: entry.line,
      column: 'Ntry/BookgDt',
    });
  }
  // Version 01 has the details in the entry itself.
  const details = [entry, ...children(entry, 'NtryDtls')].flatMap((one) => children(one, 'TxDtls'));
  const credit = childText(entry, 'CdtDbtInd') === 'CRDT';
  const reversal = /^(true|1)$/.test(childText(entry, 'RvslInd') ?? '');
  // A reversal of a payment made comes in, and its counterparty is still who was to be paid.
  const side = credit !== reversal ? 'Dbtr' : 'Cdtr';
  const parties = details.map((one) => partyOf(one, side));
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

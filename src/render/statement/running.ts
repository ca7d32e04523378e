import { cleanText } from '../../base/text.ts';
import type { Language } from '../../words/index.ts';
import { textApart } from '../../words/index.ts';
import type { PrintText } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';

/** A head of print has little room. */
const LONGEST_NAME = 60;
/** How much of the chain's head stands at the foot of each page; About has the whole. */
const CHAIN_DIGITS = 12;

/** What each printed page of a statement says at its head and foot: whose it is, which month, draft or closed, and from which state. */
export function printText({ organisation, month, closed, head }: SaidStatement, language: Language): PrintText {
  const { say } = language;
  const name = cleanText(organisation.name, LONGEST_NAME);
  return {
    about: `${textApart(name)} · ${language.month(month)}`,
    status: say({ id: 'statement/status-word', status: closed === null ? 'draft' : 'closed' }),
    origin: head === null ? '' : say({ id: 'statement/chain', chain: head.chain.slice(0, CHAIN_DIGITS) }),
  };
}

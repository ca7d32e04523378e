import { type Language, textApart } from '../../words/index.ts';
import type { PrintText } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';

/** How much of the chain's head stands at the foot of each page; About has the whole. */
const CHAIN_DIGITS = 12;

/** What each printed page of a statement says at its head and foot: whose it is, which month, draft or closed, and from which state. */
export function printText({ merchant, month, closed, head }: SaidStatement, language: Language): PrintText {
  const { say } = language;
  return {
    about: `${textApart(merchant)} · ${language.month(month)}`,
    status: say({ id: 'statement/status-word', status: closed === null ? 'draft' : 'closed' }),
    origin: head === null ? '' : say({ id: 'statement/chain', chain: head.chain.slice(0, CHAIN_DIGITS) }),
  };
}

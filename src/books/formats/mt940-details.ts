import { oneLine } from './characters.ts';

/** What `:86:` says of a line. */
export interface Mt940Details {
  readonly text: string;
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
}

/** A line of `:86:` holds 65 characters; one that is full goes on in the next without a blank. */
const FULL_LINE = 65;
/** A subfield holds 27. */
const FULL_PART = 27;

/** Reads `:86:`: German subfields (`?20...?32...`, any sign for `?`), Dutch words (`/NAME/.../REMI/...`), or free text. */
export function readMt940Details(lines: readonly string[]): Mt940Details {
  const parted = /^\s*\d{3}([^\w\s/:,.-])\d{2}/.exec(lines[0] ?? '');
  const whole = joined(lines, FULL_LINE);
  if (parted) return bySubfields(lines.join(''), parted[1]!);
  if (/(^|\s)\/(REMI|NAME|BENM|ORDP|EREF|IBAN|CNTP|TRTP|PREF)\//.test(whole)) return byWords(whole);
  return { text: oneLine(whole), counterparty: null, counterpartyAccount: null };
}

function bySubfields(whole: string, mark: string): Mt940Details {
  const parts = new Map<string, string>();
  for (const part of whole.trimStart().slice(3).split(mark)) {
    const code = part.slice(0, 2);
    if (/^\d{2}$/.test(code)) parts.set(code, (parts.get(code) ?? '') + part.slice(2));
  }
  const of = (first: number, last: number): string[] =>
    Array.from({ length: last - first + 1 }, (_, i) => parts.get(String(first + i).padStart(2, '0')) ?? '').filter(
      (part) => part !== '',
    );
  const name = oneLine(of(32, 33).join(''));
  const account = (parts.get('31') ?? parts.get('38') ?? '').trim();
  const purpose = joined([...of(20, 29), ...of(60, 63)], FULL_PART);
  return {
    text: oneLine([parts.get('00') ?? '', purpose].join(' ')),
    counterparty: name === '' ? null : name,
    counterpartyAccount: account === '' ? null : account,
  };
}

function byWords(whole: string): Mt940Details {
  const name = /\/NAME\/([^/]+)/.exec(whole)?.[1]?.trim();
  const account = /\/IBAN\/([^/]+)/.exec(whole)?.[1]?.trim() ?? /\/CNTP\/([^/]+)/.exec(whole)?.[1]?.trim();
  return { text: oneLine(whole), counterparty: name || null, counterpartyAccount: account || null };
}

/** Joins pieces of a fixed width: a full one was cut within a word, a shorter one ended. */
function joined(pieces: readonly string[], full: number): string {
  return pieces.reduce(
    (text, piece, i) => (i === 0 ? piece : text + (pieces[i - 1]!.length >= full ? '' : ' ') + piece),
    '',
  );
}

import { because } from '../../words/errors/banks.ts';
import { oneLine, splitLines } from './characters.ts';
import { FileFault } from './fault.ts';

/** One field of an MT940 message: `:61:`, with the lines that follow it. */
export interface Mt940Field {
  readonly tag: string;
  readonly line: number;
  readonly lines: string[];
}

/** The fields of one message (a statement, or a page of one). */
export interface Mt940Message {
  readonly line: number;
  readonly fields: Mt940Field[];
  /** Whether the message was ended by `-`; one that was not, and ends the file, may be cut off. */
  ended: boolean;
}

/** The fields of MT940 and MT942; a line of text may begin like one (`:12:30`). */
const FIELD = /^:(13D?|20|21|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]):(.*)$/;
/** Where a message begins or ends: SWIFT blocks and what banks put in their place. */
const ENVELOPE = /^(-\s*\}?.{0,40}$|:940:|\{|940 \d\d|0000 \d\d\w)/;
const MOST_FIELD_LINES = 10_000;

/**
 * Cuts an MT940 file into its messages and fields. Envelopes (`{1:F01...}{4:`, `-}`, `:940:`) are passed over.
 *
 * @throws FileFault when there is none
 */
export function readMt940Messages(text: string): Mt940Message[] {
  const messages: Mt940Message[] = [];
  let message: Mt940Message | null = null;
  // Some banks put the first field behind the envelope, on its line.
  const lines = splitLines(text).map((raw) => raw.replace(/^\{1:.*\{4:(?=:)/, '').trimEnd());
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const field = FIELD.exec(text);
    if (field) {
      const [, tag = '', value = ''] = field;
      if (tag === '20') {
        message = { line, fields: [], ended: false };
        messages.push(message);
      }
      if (message === null)
        throw new FileFault(because({ id: 'before-first-field', tag }), {
          line,
          column: `field ${tag}`,
        });
      message.fields.push({ tag, line, lines: [value] });
    } else if (endsMessage(text, message) && !(text === '-' && goesOn(lines, index, message))) {
      if (message !== null) message.ended = true;
      message = null;
    } else if (message !== null && text !== '') {
      const last = message.fields.at(-1)!;
      if (last.lines.length === MOST_FIELD_LINES) {
        throw new FileFault(because({ id: 'field-without-end', tag: last.tag }), {
          line,
          column: `field ${last.tag}`,
        });
      }
      last.lines.push(text);
    }
  }
  if (messages.length === 0) throw new FileFault(because({ id: 'mt940-empty' }));
  return messages;
}

/** Whether a dash alone is text: the next field is one that the message still lacks, where another message would begin with `:20:`. */
function goesOn(lines: readonly string[], at: number, message: Mt940Message | null): boolean {
  if (message === null) return false;
  const next = lines.slice(at + 1).find((line) => FIELD.test(line) || /^-\}|^\{[1-5]:/.test(line));
  const tag = FIELD.exec(next ?? '')?.[1];
  return tag !== undefined && (isClosed(message) ? /^(64|65|86)$/ : /^(61|62[FM]|86)$/).test(tag);
}

function isClosed(message: Mt940Message): boolean {
  return message.fields.some(({ tag }) => tag.startsWith('62'));
}

/** A dash alone ends a message; a line of text that begins with one does not, unless the closing balance was read. */
function endsMessage(text: string, message: Mt940Message | null): boolean {
  if (/^-\}?$/.test(text) || /^(:940:|\{[1-5]:)/.test(text)) return true;
  return (message === null || isClosed(message)) && ENVELOPE.test(text);
}

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

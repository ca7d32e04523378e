import { FileFault } from './fault.ts';
import { splitLines } from './lines.ts';

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
  for (const [index, raw] of splitLines(text).entries()) {
    const line = index + 1;
    // Some banks put the first field behind the envelope, on its line.
    const text = raw.replace(/^\{1:.*\{4:(?=:)/, '').trimEnd();
    const field = FIELD.exec(text);
    if (field) {
      const [, tag = '', value = ''] = field;
      if (tag === '20') {
        message = { line, fields: [], ended: false };
        messages.push(message);
      }
      if (message === null)
        throw new FileFault(`:${tag}: stands before :20:`, 'The file is cut off: export it again.', {
          line,
          column: `field ${tag}`,
        });
      message.fields.push({ tag, line, lines: [value] });
    } else if (endsMessage(text, message)) {
      if (message !== null) message.ended = true;
      message = null;
    } else if (message !== null && text !== '') {
      const last = message.fields.at(-1)!;
      if (last.lines.length === MOST_FIELD_LINES) {
        throw new FileFault(`:${last.tag}: goes on without end`, 'The file is damaged: export it again.', {
          line,
          column: `field ${last.tag}`,
        });
      }
      last.lines.push(text);
    }
  }
  if (messages.length === 0) throw new FileFault('it holds no statement', 'There is nothing to book: export it again.');
  return messages;
}

/** A dash alone ends a message; a line of text that begins with one does not, unless the closing balance was read. */
function endsMessage(text: string, message: Mt940Message | null): boolean {
  if (/^-\}?$/.test(text) || /^(:940:|\{[1-5]:)/.test(text)) return true;
  const closed = message === null || message.fields.some(({ tag }) => tag.startsWith('62'));
  return closed && ENVELOPE.test(text);
}

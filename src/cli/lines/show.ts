import type { ShownMismatch } from '../../app/show/index.ts';
import { cleanText } from '../../base/text.ts';
import { claimEventLine } from './dispute.ts';
import { timestampText } from './labels.ts';

export function mismatchLines({ mismatch, history, claim_history, sides }: ShownMismatch): string[] {
  const lines = [
    `${mismatch.id}  ${mismatch.code}  ${mismatch.severity}  ${mismatch.status}`,
    `  ${cleanText(mismatch.message, 1_000)}`,
  ];
  if (mismatch.expected !== null || mismatch.actual !== null) {
    const unit = mismatch.unit === 'money' ? mismatch.currency : mismatch.unit === 'days' ? 'days' : null;
    const figureText = (figure: string | null) =>
      figure === null ? 'nothing' : unit === null ? figure : `${figure} ${unit}`;
    lines.push(
      `  ${mismatch.field ?? 'figure'}: expected ${figureText(mismatch.expected)}, actual ${figureText(mismatch.actual)}`,
    );
  }
  if (mismatch.effect !== null) lines.push(`  effect ${mismatch.effect} ${mismatch.currency ?? ''}`);
  if (mismatch.note !== null) lines.push(`  note: ${cleanText(mismatch.note, 1_000)}`);
  const names = [...new Set(sides.flatMap(({ fields }) => Object.keys(fields)))];
  for (const name of names) {
    const values = sides.map(({ fields }) => fields[name]);
    const stated = values.filter((value) => value !== undefined);
    const mark = new Set(stated).size > 1 ? '≠' : ' ';
    lines.push(`${mark} ${cleanText(name)}`);
    sides.forEach(({ what }, index) => {
      if (values[index] !== undefined)
        lines.push(`      ${cleanText(values[index] as string, 120) || '(empty)'}  ${what}`);
    });
  }
  for (const side of sides)
    lines.push(
      `${side.what}: received ${side.received_at === null ? 'never' : timestampText(side.received_at)}, sha256 ${side.sha256 ?? 'none'}`,
    );
  for (const event of history) {
    const note = event.note === null ? '' : `: ${cleanText(event.note, 400)}`;
    lines.push(
      `${timestampText(event.at)}  ${event.from_status ?? 'new'} → ${event.to_status} by ${cleanText(event.actor)}${note}`,
    );
  }
  const invoice = mismatch.invoice_number_text;
  if (invoice !== null && isPlain(invoice)) lines.push(nextLine(`remit show invoice ${invoice}`));
  else if (mismatch.order_id !== null && isPlain(mismatch.order_id)) {
    lines.push(nextLine(`remit show order ${mismatch.order_id}`));
  }
  if (claim_history.length > 0) lines.push('claim:', ...claim_history.map((event) => `  ${claimEventLine(event)}`));
  return lines;
}

/** An id from outside may have characters that a shell would obey: only a plain one goes into a command to copy. */
function isPlain(id: string): boolean {
  return /^\w[\w./:-]*$/.test(id);
}

function nextLine(command: string): string {
  return `Next: \`${command}\``;
}

import type {
  ShownClose,
  ShownInvoice,
  ShownMismatch,
  ShownOrder,
  ShownReceipt,
  ShownRun,
} from '../../app/show/index.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { claimEventLine } from './dispute.ts';
import { stateText } from './state.ts';
import { timestampText } from './timestamp.ts';
import { whoseLabels } from './whose.ts';

type Amounts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All that is known of an invoice, for a person. */
export function invoiceLines(shown: ShownInvoice): string[] {
  const { detail, missing } = shown;
  const lines = [`invoice ${cleanText(shown.number_text, 80)}`];
  if (detail) {
    const gone = detail.vanished_at === null ? '' : `, vanished ${timestampText(detail.vanished_at)}`;
    lines.push(`  ${detail.period}, ${stateText(detail.status)}, issued ${timestampText(detail.issued_at)}${gone}`);
    lines.push(...amountLines(detail.amounts, '  '));
    for (const { kind, name, currency, amount } of shown.charges ?? [])
      lines.push(`  ${currency}  ${kind} ${name} ${amount}`);
    lines.push(`  document  ${detail.detail_sha256}`);
    if (detail.superseded_at !== null) {
      lines.push(`  old since ${timestampText(detail.superseded_at)}: ${cleanText(detail.superseded_why ?? '', 400)}`);
    }
  } else lines.push(`  its detail was never read: ${cleanText(missing ?? 'not fetched yet', 400)}`);
  // A settlement sheet has no list beside it.
  for (const listed of shown.charges ? [] : shown.listed) {
    const gone = listed.vanished_at === null ? '' : `, gone since ${timestampText(listed.vanished_at)}`;
    lines.push(
      `list of ${listed.period}: ${listed.status === null ? 'cannot be read' : stateText(listed.status)}, ${listed.order_count ?? 'no'} orders${gone}`,
    );
    lines.push(...amountLines(listed.amounts, '  '));
  }
  for (const match of shown.matches) {
    const { id, at, rule, why, receipts, currency, amount, removed_at, removed_why } = match;
    const from = receipts.length === 0 ? '' : ` of receipt ${receipts.join(', ')}`;
    const gone =
      removed_at === null ? '' : `, taken away ${timestampText(removed_at)}: ${cleanText(removed_why ?? '', 200)}`;
    lines.push(
      `match ${id} (${rule}), ${timestampText(at)}: ${amount} ${currency}${from}${rateText(match)}: ${cleanText(why, 400)}${gone}`,
    );
  }
  lines.push(`${counted(shown.rows.length, 'row')}`);
  for (const row of shown.rows) {
    const reference = row.reference_id === '' ? '' : ` (${cleanText(row.reference_id, 60)})`;
    lines.push(
      `  ${row.position + 1}  ${cleanText(row.order_id)}${reference}  ${stateText(row.delivery_state)}  ${amountsText(row.amounts)}`,
    );
  }
  if (shown.versions.length > 1) {
    lines.push(`${shown.versions.length} versions`);
    for (const version of shown.versions)
      lines.push(`  ${version.version}  ${timestampText(version.seen_at)}  ${version.sha256}`);
  }
  return [
    ...lines,
    ...foundLines(shown.mismatches),
    ...documentLines(shown.documents),
    ...(isPlain(shown.number_text) ? [next(`remit evidence ${shown.number_text} --diff`)] : []),
  ];
}

/** All that is known of an order, for a person. */
export function orderLines(shown: ShownOrder): string[] {
  const { record } = shown;
  const lines = [`order ${cleanText(shown.order_id)}`];
  if (record) {
    const gone =
      record.vanished_at === null ? '' : `, gone from the order book since ${timestampText(record.vanished_at)}`;
    lines.push(`  reference ${cleanText(record.reference_id) || 'none'}, ${cleanText(record.workflow)}${gone}`);
    lines.push(
      `  ${stateText(record.delivery_state)}, ${stateText(record.payment_state)}, invoice ${cleanText(record.merchant_invoice ?? 'none')}`,
    );
    lines.push(...amountLines(record.amounts, '  '));
    if (record.delivered_amounts) {
      lines.push('  when it was first seen delivered:', ...amountLines(record.delivered_amounts, '    '));
    }
    if (record.superseded_at !== null) {
      lines.push(`  old since ${timestampText(record.superseded_at)}: ${cleanText(record.superseded_why ?? '', 400)}`);
    }
    for (const stamp of record.statestamps) {
      lines.push(
        `  ${timestampText(stamp.stamped_at)}  ${stateText(stamp.delivery_state)}  ${stateText(stamp.payment_state)}`,
      );
    }
  } else lines.push('  the order book never held it');
  for (const row of shown.rows) {
    lines.push(
      `row ${row.position + 1} of invoice ${cleanText(row.invoice_number_text, 60)}: ${stateText(row.delivery_state)}  ${amountsText(row.amounts)}`,
    );
  }
  for (const change of shown.changes) {
    lines.push(
      `${change.what} ${timestampText(change.seen_at)}: ${stateText(change.from_delivery_state)} → ${stateText(change.to_delivery_state)}, ${stateText(change.from_payment_state)} → ${stateText(change.to_payment_state)}`,
    );
  }
  return [
    ...lines,
    ...foundLines(shown.mismatches),
    ...documentLines(shown.documents),
    ...(record && isPlain(shown.order_id) ? [next(`remit evidence ${shown.order_id} --diff`)] : []),
  ];
}

/** What a run did, and what it brought. */
export function runLines(run: ShownRun): string[] {
  const lines = [
    `run ${run.id}: ${cleanText(run.command)}${run.period === null ? '' : ` ${run.period}`}, ${run.status}`,
    `  from ${timestampText(run.started_at)} to ${run.finished_at === null ? 'no end on record' : timestampText(run.finished_at)}, by remit ${cleanText(run.remit_version)}`,
    ...run.brought.map(({ kind, count }) => `  ${count}  ${kind}`),
  ];
  if (run.summary !== null) lines.push(`  ${cleanText(run.summary, 1_000)}`);
  return [...lines, next('remit report evidence')];
}

/** An id from outside may hold what a shell would obey: only a plain one is put into a command to be copied. */
function isPlain(id: string): boolean {
  return /^\w[\w./:-]*$/.test(id);
}

/** Where the way to the documents goes on. */
function next(command: string): string {
  return `Next: \`${command}\``;
}

/** At which rate a receipt in another currency pays: ` at 89500 LBP for 1 USD`; nothing in the invoices' own. */
function rateText({
  currency,
  rate,
  paid_currency,
}: {
  readonly currency: string;
  readonly rate: string | null;
  readonly paid_currency: string | null;
}): string {
  return rate === null ? '' : ` at ${rate} ${paid_currency} for 1 ${currency}`;
}

/** A receipt as its file has it, what it pays, and what is left of it. */
export function receiptLines(shown: ShownReceipt): string[] {
  const { receipt, import: file, seen_in, matches, ways } = shown;
  const { currency } = receipt;
  const lines = [`receipt ${receipt.id}: ${receipt.amount} ${currency} on ${receipt.date}`];
  const said: readonly (readonly [name: string, value: string | null])[] = [
    ['text', receipt.text],
    ['counterparty', receipt.counterparty],
    ['counterparty’s account', receipt.counterparty_account],
    ['account', receipt.account],
    ['reference', receipt.reference],
    ['invoice', receipt.invoice],
    ['value date', receipt.value_date],
  ];
  for (const [name, value] of said) if (value) lines.push(`  ${name}: ${cleanText(value, 400)}`);
  const whose = shown.whose === null ? 'not from the courier' : `from the courier, by its ${shown.whose}`;
  lines.push(`  ${whose}${shown.by_hand ? '; matched by hand alone, for a match of it was taken away' : ''}`);
  for (const match of matches) {
    const paid =
      match.invoices
        .map(({ number_text, amount }) => `${amount} ${match.currency} of invoice ${cleanText(number_text, 60)}`)
        .join(', ') || 'no invoice';
    const gone =
      match.removed_at === null
        ? ''
        : `, taken away ${timestampText(match.removed_at)}: ${cleanText(match.removed_why ?? '', 200)}`;
    lines.push(
      `match ${match.id} (${match.rule}), ${timestampText(match.at)}: ${paid}${rateText(match)}: ${cleanText(match.why, 400)}${gone}`,
    );
  }
  lines.push(`left  ${shown.left} ${currency}`);
  if (ways) {
    const each = ways.ways_text.map((way) => `  invoice ${way.map((name) => cleanText(name, 60)).join(' + ')}`);
    const more = ways.too_many ? ['  and more than were searched for'] : [];
    lines.push('it can be explained in more ways than one; nothing is booked:', ...each, ...more);
  }
  lines.push(
    `from ${cleanText(file.source, 200)} (${file.format}), line ${receipt.line}: import ${file.id} of ${timestampText(file.at)} by ${cleanText(file.actor)}`,
    `sha256 ${file.sha256}`,
  );
  for (const other of seen_in) {
    lines.push(
      `also in ${cleanText(other.source, 200)}: import ${other.id} of ${timestampText(other.at)}, sha256 ${other.sha256}`,
    );
  }
  if (shown.raw !== null) lines.push('the line as the file has it:', `  ${cleanText(shown.raw, 1_000)}`);
  return lines;
}

/** A mismatch, its history, and what each document says, side by side. */
export function mismatchLines({ mismatch, history, claim_history, sides }: ShownMismatch): string[] {
  const lines = [
    `${mismatch.id}  ${mismatch.code}  ${mismatch.severity}  ${mismatch.status}`,
    `  ${cleanText(mismatch.message, 1_000)}`,
  ];
  if (mismatch.expected !== null || mismatch.actual !== null) {
    const unit = mismatch.unit === 'money' ? mismatch.currency : mismatch.unit === 'days' ? 'days' : null;
    const shown = (figure: string | null) =>
      figure === null ? 'nothing' : unit === null ? figure : `${figure} ${unit}`;
    lines.push(
      `  ${mismatch.field ?? 'figure'}: expected ${shown(mismatch.expected)}, actual ${shown(mismatch.actual)}`,
    );
  }
  if (mismatch.effect !== null) lines.push(`  effect ${mismatch.effect} ${mismatch.currency ?? ''}`);
  if (mismatch.note !== null) lines.push(`  note: ${cleanText(mismatch.note, 1_000)}`);
  const names = [...new Set(sides.flatMap(({ fields }) => Object.keys(fields)))];
  for (const name of names) {
    const values = sides.map(({ fields }) => fields[name]);
    const said = values.filter((value) => value !== undefined);
    const mark = new Set(said).size > 1 ? '≠' : ' ';
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
  if (invoice !== null && isPlain(invoice)) lines.push(next(`remit show invoice ${invoice}`));
  else if (mismatch.order_id !== null && isPlain(mismatch.order_id)) {
    lines.push(next(`remit show order ${mismatch.order_id}`));
  }
  if (claim_history.length > 0) lines.push('claim:', ...claim_history.map((event) => `  ${claimEventLine(event)}`));
  return lines;
}

/** Every close of a month with its figures, the documents behind it, and what has drifted from it. */
export function closeLines({ period, closes, mismatches }: ShownClose): string[] {
  const whose = whoseLabels(closes);
  const lines = closes.flatMap(({ courier, at, actor, with_open, figures_sha256, chain, reopened, record }) => [
    `${whose({ courier })}${period} closed by ${cleanText(actor)} ${timestampText(at)}`,
    ...(with_open === null ? [] : [`  closed with what was open: ${cleanText(with_open, 400)}`]),
    ...(record.with_open?.reasons ?? []).map(({ why }) => `    ${cleanText(why, 600)}`),
    `  ${counted(record.figures.counts.invoices, 'invoice')}, ${counted(record.figures.counts.orders, 'row')}`,
    ...[...record.figures.totals, ...record.figures.roll_forward].map(({ currency, ...figures }) => {
      const named = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
      return `  ${cleanText(currency)}  ${named.join('  ')}`;
    }),
    ...record.documents.map(
      ({ kind, subject_text, sha256 }) => `  ${kind} ${cleanText(subject_text)}  ${sha256 ?? 'no document of its own'}`,
    ),
    `  figures ${figures_sha256}`,
    `  chain ${chain}`,
    ...(reopened
      ? [
          `opened again by ${cleanText(reopened.actor)} ${timestampText(reopened.at)}: ${cleanText(reopened.reason, 400)}`,
        ]
      : []),
  ]);
  return [...lines, ...foundLines(mismatches)];
}

function amountLines(amounts: Amounts, indent: string): string[] {
  return Object.entries(amounts).map(
    ([currency, fields]) =>
      `${indent}${currency}  ${Object.entries(fields)
        .map(([field, amount]) => `${field} ${amount}`)
        .join('  ')}`,
  );
}

function amountsText(amounts: Amounts): string {
  return Object.entries(amounts)
    .map(([currency, { cod = '0.00', delivery_fee = '0.00' }]) => `${currency} ${cod} less ${delivery_fee}`)
    .join('; ');
}

function foundLines(mismatches: ShownInvoice['mismatches']): string[] {
  return mismatches.map((one) => `${one.status}  ${one.code}  ${one.id}: ${cleanText(one.message, 400)}`);
}

function documentLines(documents: readonly { at: string; sha256: string | null; fault: string | null }[]): string[] {
  return documents.map(
    ({ at, sha256, fault }) =>
      `received ${timestampText(at)}  ${sha256 ?? 'nothing'}${fault === null ? '' : `  ${cleanText(fault, 200)}`}`,
  );
}

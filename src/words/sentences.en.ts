import type { ClaimWhat } from '../../reports/claim/sentences.ts';
import { counted, countGrouped } from '../base/counted.ts';
import type { Speech, WordsFor } from '../base/sentence.ts';
import { cleanText } from '../base/text.ts';
import { FIELD_NAMES } from '../money/fields.ts';
import { codeCounts, type SmallWords } from './language.ts';
import type { SpokenSentence } from './sentences.ts';
import { COLUMNS, cellsIn, nounOf, STATES, termsIn, wordsIn } from './terms.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** @param date ISO */
function monthOf(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1]!;
}

export const EN_DATES = {
  month: (month: string) => `${monthOf(month)} ${month.slice(0, 4)}`,
  day: (day: string) => `${Number(day.slice(8))} ${monthOf(day)}`,
  date: (day: string) => `${Number(day.slice(8))} ${monthOf(day).slice(0, 3)} ${day.slice(0, 4)}`,
};

export const EN_SMALL_WORDS: SmallWords = {
  states: termsIn(STATES, 'en'),
  and: ' and ',
  comma: ', ',
  more: (count) => `${count} more`,
  less: (amount) => `${amount} less`,
  greater: (amount) => `${amount} more`,
  order: (id) => `order ${id}`,
  reference: (reference) => ` (reference "${reference}")`,
  fields: FIELD_NAMES,
};

/** The English terms that sentences use. */
const HEADINGS = termsIn(COLUMNS, 'en');
const WORDS = wordsIn('en');
const MATCHED_BY: Readonly<Record<string, string>> = WORDS.matchedBy;
const DIFFERENCES: Readonly<Record<string, string>> = WORDS.difference;

/** Every sentence in English, without those of the checks, which are in the checks' own files. */
export const EN: WordsFor<SpokenSentence> = {
  said: ({ text }) => text,
  error: ({ why }) => why.message,
  'courier-without-statement': ({ courier, why }, { say }) =>
    `${courier} has no statement and is in no total: ${say(why)}.`,
  'of-courier': ({ courier, note }, speech) => `${courier}: ${speech.say(note)}`,
  'with-remedy': ({ why, commands }, { say }) =>
    `${say(why)}; run ${commands.map((command) => `\`${command}\``).join(', or ')}`,

  // The web desk.
  desk: ({ word }) => WORDS.desk[word],
  'desk-open': ({ error, warning, info }) =>
    `Open mismatches: ${counted(error, 'error')} · ${counted(warning, 'warning')} · ${counted(info, 'note')}`,
  'desk-found': ({ count }) => counted(count, 'finding'),
  'desk-age': ({ hours }) => {
    if (hours < 1) return 'less than an hour ago';
    return `${hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')} ago`;
  },
  decided: ({ done }, { money, text }) => {
    // In a term, `#` stands for the things: `Resolved #` becomes `Resolved 3 findings`.
    const parts = done.map(({ what, count: times, sums, file }, place) => {
      const term = WORDS.done[what as keyof typeof WORDS.done] ?? `${what} #`;
      const things = counted(times, nounOf(what));
      const said = term.replace('#', () => (file === undefined ? things : `${things} of ${text(file)}`));
      const of = sums.map(({ amount, currency }) => money(amount, currency)).join(', ');
      return `${place === 0 ? said : said.charAt(0).toLowerCase() + said.slice(1)}${of === '' ? '' : ` (${of})`}`;
    });
    return parts.length === 0 ? 'Nothing was changed.' : `${parts.join('; ')}.`;
  },
  decide: ({ decision, of = '', findings = 0, lines = 0, sums = [] }, { money }) => {
    const what = [
      ...(findings === 0 ? [] : [counted(findings, 'finding')]),
      ...(lines === 0 ? [] : [counted(lines, 'line')]),
      ...sums.map(({ amount, currency }) => money(amount, currency)),
    ];
    return [WORDS.decide[decision], of, what.join(', ')].filter((part) => part !== '').join(' ');
  },
  'sync-runs': () => 'The sync runs.',
  'sync-cancelled': () => 'The sync was cancelled. What it had brought is kept.',
  synced: ({ status, fetched, failed, changed }) => {
    const brought = [
      `${counted(fetched, 'invoice')} read`,
      `${counted(changed, 'order')} new or changed`,
      ...(failed === 0 ? [] : [`${counted(failed, 'invoice')} could not be read`]),
    ];
    return `${status === 'complete' ? 'Synced' : 'Synced in part'}: ${brought.join(', ')}. The months are checked again.`;
  },
  'import-known': () => 'Already imported, nothing new.',
  'payer-lines': ({ lines }, { count }) =>
    count(lines, { one: 'line matches an invoice', other: 'lines match invoices' }),
  'payer-is': ({ payer, courier }, { text }) =>
    `${text(payer)} pays for ${courier === '' ? 'the courier' : text(courier)}`,
  'payer-saved': ({ payer }, { text }) => `${text(payer)} pays for the courier: that is in the settings from now on.`,
  'about-invoice': ({ invoice, receipts }, { list, text }) =>
    `Invoice ${text(String(invoice))}${receipts.length === 0 ? '' : `, paid by receipt ${list(receipts)}`}`,
  'about-import': ({ file, lines }, { text }) => `${text(file)}: ${counted(lines, 'line')}`,
  'about-file': ({ file, lines, from, to }, { text }) =>
    `${text(file)}: ${counted(lines, 'line')}, ${[...new Set([from, to])].map(EN_DATES.date).join(' to ')}`,
  'decision-waits': ({ decision }) => `Decision ${decision} waits for a second person; nothing is changed until then.`,
  'policy-changed': ({ changes }) => `The books have a new approval policy: ${changes.join(', ')}.`,
  'desk-decision': ({ kind }) => WORDS.decided[kind as keyof typeof WORDS.decided] ?? kind,

  // The documents behind a mismatch.
  'side-row': ({ row, invoice }) => `row ${row} of invoice ${invoice}`,
  'side-record': () => "the order's own record",
  'side-listed': ({ month }) => `its row in the list of ${month}`,
  'side-detail': () => 'its detail',
  'side-invoice': ({ invoice }) => `invoice ${invoice}`,
  'side-own-book': () => 'your own order book',
  'side-rate-card': ({ lines }) => `the rate card: ${lines.join(', ')}`,
  'side-rows': () => 'the sum of its rows',
  'side-cod-less-fees': () => 'its COD less what is kept back',
  'side-receipt': ({ receipt }) => `the bank’s line, receipt ${receipt}`,

  // The causes of findings.
  'cause-of-one': ({ code, invoice, order, subject, count }, speech) => {
    const about =
      invoice === null ? (order === null ? speech.text(subject) : speech.order(order, null)) : `invoice ${invoice}`;
    return `${speech.finds(code)}: ${about}${count > 1 ? ` (${count} times)` : ''}`;
  },

  // Why a check cannot look.
  'sheets-without-order-book': () => 'the courier sends settlement sheets, and shows no order book',
  'order-book-never-synced': () => 'the order book was never synced',
  'no-order-ever-read': () => 'no order of the order book was ever read',
  'order-book-never-whole': () => 'no sync has brought the whole order book yet',
  'only-one-sync': () => 'it compares two syncs and there was one; it looks from the next on',
  'only-one-order-book': () =>
    'it compares two syncs of the order book; it looks from the next `remit sync --orders` on',
  'no-close': () => 'it compares with a close and no month was closed; `remit close` closes one',
  'no-own-order-book': () => 'no order book of your own was imported',
  'no-receipts': () => 'no bank statement and no cash book was imported',
  'no-rate-card': ({ fees }) =>
    `no rate card was imported${fees === 'uncompared' ? ', so that no fee can be compared' : ''}`,
  'rate-card-of-others': ({ fees }) =>
    `no line of the rate card is of this courier${fees === 'uncompared' ? ', so that no fee can be compared' : ''}`,
  'no-exchange-rates': () => 'no table of exchange rates was imported',

  // Why the ledger may not hold all of a month.
  'month-never-synced': () => 'it was never synced',
  'month-without-sheet': () => 'no settlement sheet covers it',
  'list-in-part': ({ why }) => `the last look at its list did not bring all of it${reasonAfterColon(why)}`,
  'detail-missing': ({ invoices }, { list }) => `no detail of invoice ${list(invoices)} was ever read`,
  'detail-superseded': ({ invoices, why }, speech) =>
    `a newer detail of invoice ${speech.list(invoices)} could not be brought or read, so that older figures are shown${reasonAfterColon(why)}`,
  'list-unreadable': ({ places, why }, speech) =>
    `its list cannot be read at ${speech.list(places)}${reasonAfterColon(why)}`,
  'sync-unfinished': ({ on, status }) =>
    `the sync of ${on} ${
      {
        running: 'is still at work, or was killed',
        partial: 'did not bring all of it',
        failed: 'failed before it reached this month',
        interrupted: 'was interrupted before it reached this month',
      }[status]
    }`,
  'order-book-of-day': ({ on, whole }) =>
    `the order book is of ${on} as far as its orders may still change; all of it was last read on ${whole}`,
  'left-undone': ({ on, why }) => `the sync of ${on} did not ask for all that was due of it: ${why}`,
  'order-book-left': ({ on, why }) => `the sync of ${on} did not ask for all of the order book that was due: ${why}`,
  'order-book-in-part': ({ why }) => `the last look at the order book did not bring all of it${reasonAfterColon(why)}`,
  'not-compared': ({ what, count, money, why }, speech) =>
    `${speech.count(count, COMPARED[what])} with ${speech.list(money.map(({ currency, amount }) => speech.money(amount, currency)))} not compared: ${speech.say(why)}`,
  'list-read-early': ({ on }) => `its list was last read on ${on}, before the month’s end`,

  // Why remit moved a mismatch, or a claim on it.
  'no-longer-shown': () => 'the data no longer shows it',
  'import-undone': () => 'its import was undone',
  'shown-again': () => 'the data shows it again',
  'figures-changed': ({ before, after }) =>
    `its figures have changed: ${before ?? 'nothing'} has become ${after ?? 'nothing'}`,
  'words-changed': () => 'what it says has changed',
  'effect-changed': () => 'what it comes to has changed',
  'claim-goes-on': ({ from, to }) => `the debt shows as another finding now: the claim of ${from} goes on with ${to}`,

  // The workbook of a statement.
  'workbook/page-of-pages': ({ page, pages }) => `Page ${page} of ${pages}`,
  'workbook/choose-one': ({ words }) => `Choose one of: ${words.join(', ')}`,
  'workbook/amounts-as-text': ({ count }) =>
    `Amounts on a yellow ground (${count}) have more digits than a spreadsheet’s number can hold. They are text, so that no digit is lost, and no formula adds them up.`,
  'statement/title': ({ month }) => `Statement ${month}`,
  'statement/heading': ({ monthInWords }) => `Statement of cash on delivery, ${monthInWords}`,

  'statement/side': ({ currency, side }) => `${currency}: ${WORDS.side[side]}`,
  'statement/then-unexplained': ({ amount, currency }, { money }) =>
    `; ${money(amount, currency)} between the courier’s figure and ours is unexplained`,
  'statement/then-not-compared': ({ amount, currency }, { money }) => `; ${money(amount, currency)} not compared`,

  'statement/other-steps': ({ count }) => `${count} other steps (see Details)`,
  'statement/other-causes': ({ count }) => `${counted(count, 'more cause')}: see Mismatches.`,
  'statement/chain': ({ chain }) => `Chain ${chain}`,

  'statement/days': ({ from, to }) => `${from} to ${to}, as the delivery company’s own list of invoices has it`,
  'statement/closed': ({ by, time, withOpen }, { text }) =>
    `Closed by ${text(by)} on ${time} UTC${withOpen === null ? '' : ` with what was open (${cleanText(withOpen)})`}`,
  'statement/status-word': ({ status }) => (status === 'draft' ? 'Draft' : 'Closed'),
  'statement/as-of-time': ({ time }) => `${time} UTC, when the last sync of the month ended`,

  'statement/closing-at': ({ day }) => `Closing at ${EN_DATES.day(day)}`,
  'statement/finding': ({ code }, { finds }) => finds(code),
  'statement/as-sentence': ({ says }, { say, capitalised }) => `${capitalised(say(says))}.`,

  'statement/counts': ({ invoices, orders }) =>
    `Invoices: ${countGrouped(invoices)}, orders: ${countGrouped(orders)}. Currencies are never added up.`,

  'statement/found-since': ({ codes }, speech) => `Mismatches found since: ${codeCounts(codes, speech)}.`,
  'statement/resolved-since': ({ codes }, speech) => `Mismatches resolved since: ${codeCounts(codes, speech)}.`,
  'statement/invoices-since': ({ what, numbers }, { list }) =>
    `Invoices ${WORDS.invoicesSince[what]}: ${list(numbers, 10)}.`,
  'statement/orders-since': ({ count }) =>
    `Orders on these invoices whose record was restated, vanished or came back: ${count}.`,
  'statement/compared-with': ({ time, evidence }) =>
    `Compared with the statement written on ${time} UTC (row ${evidence} of the evidence), the last one before anything newer became known.`,

  'statement/effect-in': ({ currency }) => `Effect ${currency}`,
  'statement/severity': ({ severity }) => severity,
  'statement/severity-line': ({ severity }) => WORDS.severityLine[severity],

  'statement/months-of': ({ currency }) => `The last months, ${currency}`,

  'statement/term': ({ term }) => WORDS.term[term],
  'statement/definition': ({ term }) => WORDS.definition[term],
  'statement/evidence-row': ({ row, chain }) => `${chain} (row ${row}; the foot of every page has its first 12 digits)`,

  // Why something could not be compared.
  'not-comparable': ({ by, why }, { say }) =>
    `not comparable: ${by.map(({ code, count }) => `${count} by ${code}`).join(', ')}: ${say(why)}`,
  'order-book-older-than-invoice': () => 'the order book is older than the invoice',
  'order-book-older-and-lacks-order': () => 'the order book is older than the invoice and lacks the order',
  'returns-convention-unknown': () =>
    'the invoices do not show how the delivery company counts RETURN orders: ask, and set `returns` in remit.toml',
  'order-record-unreadable': () => 'the order’s own record could not be read',
  'linked-invoice-unsure': () =>
    'the invoice that the order names is newer than the order book, or in a month that was not synced whole',
  'invoices-left-undone': () => 'the invoices since the delivery were not all asked for',
  'linked-invoice-unread': () =>
    'the order names an invoice that was not read, or of a month that was not synced whole',
  'reference-on-several-orders': () => 'the reference stands on several orders, so that none can be chosen',
  'own-book-lacks-order': () => 'your own book does not hold the order',
  'own-book-lacks-order-or-has-several': () => 'your own book does not hold the order, or several of its reference',
  'older-than-own-book': () => 'the order is older than your own book',
  'ordered-since-order-book': () => 'it was ordered on the day of the last whole order book, or after it',
  'record-without-fee': () => 'the order’s own record says nothing of a fee',
  'no-price-agreed': () => 'the rate card has no price for the order',
  'price-needs-order-book': () => 'the agreed price goes by what only the order book knows of the order',
  'price-needs-more-of-order': () =>
    'the agreed price goes by what neither the settlement sheet nor your own book says of the order, such as its area',
  'payment-window-not-imported': ({ currency }) =>
    `no receipts in ${currency} were imported for the whole payment window of an account into which the courier pays`,
  'payment-window-gap': ({ account, currency, after, before, amount }, { money }) => {
    const whose = account === null ? 'the account' : `account ${account}`;
    return amount === null
      ? `no file shows what moved on ${whose} in ${currency} after ${after} and before ${before}`
      : `after ${after} and before ${before} ${money(amount, currency)} moved on ${whose} that no imported file shows`;
  },
  'no-receipts-in-currency': ({ currency }) =>
    `no receipts in ${currency} were ever imported, so that the courier’s Paid flag settles its invoices`,
  'no-rate-by-day': () => 'the table has no rate for the two currencies on or before the day',
  'sheet-without-list': () => 'a settlement sheet has no list beside it',
  'sheet-without-states': () => 'a settlement sheet does not say in which states its orders are',
  'sheet-without-totals': ({ field }, { field: name }) =>
    `the settlement sheet states no total of the ${name(field)}, which is the sum of its rows`,
  'list-newer-than-invoice': () => 'the list has changed since the invoice itself was read',
  'list-row-unreadable': () => 'the list’s row of the invoice could not be read',

  // Every report of a period: months that were not synced, or not whole.
  'months-never-synced': ({ months, bySheets, command }, { list }) =>
    `${uncovered(list(months), months.length, bySheets)}: ${months.length === 1 ? 'its' : 'their'} invoices are in no figure here; run \`${command}\`.`,
  'journal-months-not-synced': ({ months, bySheets, command }, { list }) =>
    `${uncovered(list(months), months.length, bySheets)}: ${months.length === 1 ? 'its' : 'their'} invoices and deliveries are not booked; run \`${command}\`.`,
  'month-listed-in-part': ({ month }) =>
    `The last sync of ${month} did not bring every invoice that the company lists; run \`remit sync ${month}\`.`,
  'invoices-not-in-report': ({ month, missing, listed }) =>
    `${missing} of the ${listed} invoices that the company lists for ${month} could not be brought or read and ${missing === 1 ? 'is' : 'are'} in no figure here; \`remit sync ${month}\` names them.`,
  'month-without-invoices': ({ month }) => `${month} was synced and holds no invoice.`,

  // Closed months.
  'month-closed': ({ month, by, on, isFrozen }) =>
    `${month} was closed by ${cleanText(by)} on ${on}: ${
      isFrozen
        ? 'its line is as it was then, and what became known since is booked in the month that learned of it.'
        : 'where a figure has moved since, `remit check` says so as closed-period-changed.'
    }`,

  // How the net was settled: totals, invoices, ageing, statement.
  'outstanding-basis': ({ basis }) => {
    const flag = 'what the courier marks paid counts as paid, unseen';
    if (basis === 'courier') {
      return `Outstanding goes by the courier’s Paid flag: no receipts are held for these invoices’ payment window, and ${flag}.`;
    }
    const formula = 'Outstanding = net due − matched receipts − agreed differences';
    if (basis === 'receipts') return `${formula}.`;
    return `${formula}; where no receipts are held for an invoice’s payment window, ${flag} (Marked paid, unseen).`;
  },

  // Ageing, open items.
  'open-at': ({ day, isClosed }) =>
    `Open is the balance at the end of ${day}${isClosed ? ', as it was frozen at the close' : ''}: net due less what was received and agreed by that day. Receipts that no invoice explains by then are unallocated, and negative. Received since is what came in after that day, settled since what was agreed or written off after it, and restated or allocated since what changed otherwise: a restatement, or a receipt that an invoice of later took, that pays nothing any more, or that became known after a close. Open less the first two and with the third is what is open today of the invoices and receipts up to that day, by all that is known; what was settled by then and is open again has 0.00 open.`,
  'age-shares': ({ currency, shares }) =>
    `${currency}: ${shares.map(({ age, percent }) => `${percent} % in ${HEADINGS[age]!.toLowerCase()}`).join(', ')}.`,

  // Custody.
  'custody-at': ({ day, aged, days }, speech) =>
    `Where the COD is of what was delivered by ${day}. It is received where receipts and agreed differences leave nothing open of the order’s invoice; else its payment state says where it is. Days run from the day on which the money came there to ${aged}. ${
      days === null
        ? 'Nothing is said to be overdue, because `custody_days` is not set.'
        : `Overdue is what is there longer than \`custody_days\` says: ${speech.list(
            Object.entries(days).map(([place, most]) => `${WHERE[place]!.toLowerCase()} ${speech.count(most, DAYS)}`),
          )}.`
    }`,
  'custody-ages': ({ currency, ages, oldest }, speech) =>
    `Not yet paid, by age: ${ages.map(({ age, amount }) => `${speech.money(amount, currency)} in ${HEADINGS[age]!.toLowerCase()}`).join(', ')}; the oldest is ${speech.order(oldest.order, null)}, there since ${oldest.since}.`,
  'custody-tie': ({ currency, notInvoiced, receivable, steps, closing }, speech) =>
    `Not yet invoiced, ${speech.money(notInvoiced, currency)}. From what is receivable to the balance: ${[
      speech.money(receivable, currency),
      ...steps.map(
        ({ step, amount }) => `${lowered(speech.say({ id: `custody/${step}` }))} ${speech.money(amount, currency)}`,
      ),
      `closing balance ${speech.money(closing, currency)}`,
    ].join('; ')}.`,
  'custody-unknown': ({ currency, amount, count, orders }, speech) =>
    `The payment state of ${counted(count, 'order')} with ${speech.money(amount, currency)} does not say where the money is: ${speech.list(orders, orders.length)}${count > orders.length ? ', ...' : ''}.`,

  // Cash forecast.
  'forecast-way': ({ steps }, speech) =>
    steps
      .map(({ step, days, seen }) => {
        const took = days === null ? 'too few to say' : speech.count(days, DAYS);
        return `${WORDS.step[step]}: ${took}, of ${counted(seen, STEP_NOUNS[step])}`;
      })
      .join('; '),
  'forecast-from': ({ day, period }) =>
    `From what the ledger knew on ${day}, and from how long each step took in ${period}. Days before it are days on which money should have come.`,
  'forecast-step': ({ step, days, seen, least }, speech) => {
    const [what, of] = [speech.capitalised(WORDS.step[step]), counted(seen, STEP_NOUNS[step])];
    return days === null
      ? `${what}: too few were seen (${of} of at least ${least}) to name a day; what waits for it has none.`
      : `${what}: median ${speech.count(days, DAYS)}, over ${of}.`;
  },
  'forecast-unallocated': () => 'came in already, and no invoice explains it yet',
  'forecast-counts-transit-whole': () => 'What is in transit counts whole: a parcel that comes back brings nothing.',
  'forecast-without-order-book': ({ bySheets }) =>
    bySheets
      ? 'The courier sends settlement sheets and shows no order book: what is in transit or delivered is not here.'
      : 'The order book was never synced whole: what is in transit or delivered is not here, or not all of it. Run `remit sync --orders`.',

  // Fees.
  'charges-of-one-kind': () => 'The courier states one fee: it is all under delivery.',
  'fees-without-places': () => 'No order’s own record names a district or area: `remit sync --orders` brings them.',
  'return-fees-are-none': () =>
    'The company charges no fee of RETURN orders: what their rows state of one is 0.00 here.',
  'fee-an-order-rounded': () => 'The fee an order is rounded to two decimals; all other amounts are exact.',

  // Lag.
  lag: ({ step, median, percentile90, most, of }, speech) =>
    step === 'invoicing'
      ? `From delivery to the invoice: median ${speech.count(median, DAYS)}, 90th percentile ${percentile90}, longest ${most}, over ${counted(of, 'order')}.`
      : `From the invoice to being seen paid: median ${speech.count(median, DAYS)}, 90th percentile ${percentile90}, longest ${most}, over ${counted(of, 'invoice')}.`,
  'lag-outliers': () =>
    'An outlier took longer than the third quartile by more than one and a half times the distance between the quartiles. An invoice that was paid when first seen has no day of payment.',

  // Mismatches, and the states of the claims on them.
  'no-mismatch-stored': ({ period }) => `No mismatch is stored; \`remit check ${period}\` looks for them.`,
  'claim-state': ({ state, answer, on }) =>
    `${state.replaceAll('-', ' ')}${answer === null ? '' : ` (${answer})`} ${on}`,

  // Not invoiced.
  'not-invoiced-unsure': ({ orderBook }) =>
    ({
      none: 'The order book was never synced: what was delivered and not invoiced does not show. Run `remit sync --orders`.',
      partial: 'No sync brought the whole order book: more may have been delivered. Run `remit sync --orders`.',
      sheets:
        'The courier sends settlement sheets and shows no order book: what was delivered and is on no sheet does not show.',
    })[orderBook],

  // Paid orders.
  'paid-orders-since': ({ since }) =>
    `Orders of which receipts and agreed differences pay the whole invoice, in every currency of the order${since === null ? '' : `, since ${since}: by the day of the last receipt, or by that of a later settlement or invoice that completed it`}.`,
  'paid-without-receipt': ({ count }, speech) =>
    `${speech.count(count, { one: 'order is', other: 'orders are' })} settled without a receipt, against fees or by agreement, and not listed.`,

  // Receipts.
  'no-receipts-imported': () =>
    'No bank statement and no cash book was imported: what came in does not show. Run `remit import receipts FILE`.',
  'receipts-shown': () =>
    'Lines that were booked in the period, and those that pay its invoices. Lines that are not from the courier are not matched.',
  'receipts-left-out': ({ count }, speech) =>
    `${speech.count(count, { one: 'line that is not from the courier is', other: 'lines that are not from the courier are' })} left out.`,
  'receipts-waiting': ({ file, lines, decision }, speech) => {
    const count = speech.count(lines, { one: 'new line of it pays', other: 'new lines of it pay' });
    return `${file} waits for a second person (decision ${decision}): ${count} nothing until then.`;
  },

  // Returns.
  'returns-standing': ({ convention, basis, invoices }) => {
    const seen = counted(invoices, 'invoice');
    if (convention === null) return `undecided: the ${seen} with RETURN orders do not show how they count`;
    const why = {
      setting: 'set in remit.toml',
      learnt: `learnt from ${seen} with RETURN orders`,
      provisional: `provisional: ${seen} with RETURN orders, too few to be sure`,
      undecided: '',
    }[basis];
    return `${convention}, ${why}`;
  },
  'returns-by-district-and-reference': () =>
    'A row a district, and below them a row for each reference of which something came back: the same orders once more.',
  'returned-means': () =>
    'Counted over the rows of the months’ invoices: returned is what awaits its return or was cancelled, and every RETURN order. Worth to you is by the courier’s convention for RETURN orders.',

  // Roll-forward.
  'roll-forward-by-receipts': () =>
    'Received is what matched receipts brought, on their own days; the courier’s Paid flag moves nothing of an invoice that receipts settle. Unallocated is what came in that no invoice explains yet, less what invoices got of such receipts.',
  'roll-forward-by-flag': ({ hasReceipts }) =>
    `${hasReceipts ? 'Of invoices that no receipts settle, seen paid' : 'Received'} goes by the courier’s Paid flag, not by receipts: an invoice counts as paid in the month in which it was first seen marked paid, also where it was so when first seen; a settlement sheet’s payout on its own date.`,
  'roll-forward-carried': ({ month, currency, amount }, { money }) =>
    `Restated in ${month} holds ${money(amount, currency)} of changes to closed months or months before them, which stay as they were closed: where receipts take the place of the courier’s Paid flag, Received holds what they brought.`,
  'opening-without-months': ({ month }) =>
    `The ledger holds no month before ${month}: what was owed then is in no opening balance.`,
  'opening-since': ({ month }) => `Opening balances begin with ${month}, the first month that the ledger holds.`,
  'opening-lacks-months': ({ months, bySheets }) =>
    `${bySheets ? 'Covered by no settlement sheet' : 'Never synced'}, its invoices in no opening balance: ${months.join(', ')}.`,

  // Changes.
  'nothing-changed': () => 'The courier changed nothing.',
  'changes-from-first-sight': () =>
    'Counted from the first sight of each document: what changed before that, nobody can show.',
  'changes-since-close': ({ month, on }) => `Since ${month} was closed, on ${on}; of the closed months and this one.`,

  // A claim on the delivery company.
  'name-missing': ({ setting }) => `set ${setting} in remit.toml`,
  'claim-of': ({ by, to, on }) =>
    `Claim of ${cleanText(by ?? 'set merchant_name in remit.toml')} on ${cleanText(to ?? 'set courier_title in remit.toml')}, ${on}.`,
  'claim-to': () => 'To:',
  'claim-total': ({ currency, owed_to_us, owed_by_us, net }, { money }) =>
    `${currency}: owed to us ${money(owed_to_us, currency)}, owed by us ${money(owed_by_us, currency)}, net ${money(net.replace('-', ''), currency)} owed ${net.startsWith('-') ? 'by' : 'to'} us.`,
  'claim-returns': ({ convention, basis }) =>
    `What RETURN orders cost is counted as ${convention}, ${basis === 'setting' ? 'as we agreed' : 'as your invoices show it'}.`,
  'claim-parts': () => 'What is only to be confirmed is in no total. What we owe stands with a minus.',
  'claim-section': ({ section }) =>
    ({ 'owed-to-us': 'Owed to us', 'owed-by-us': 'Owed by us', confirm: 'Please confirm' })[section],
  'claim-what': (what, speech) => claimInEnglish(what, speech),
  'claim-received': ({ date, amount, currency, isShared }, { money }) =>
    `Received on ${date}, not yet allocated: ${money(amount, currency)}. We take it off here; please tell us what it pays${isShared ? ', and confirm that it came from you' : ''}.`,
  'claim-beyond': ({ open, amount, currency }, { money }) =>
    `By our books no more than ${money(open, currency)} is open between us, with what is corrected here. We take ${money(amount, currency)} off.`,
  'claim-left': ({ amount, currency }, { money }) =>
    `More came in than is claimed here: ${money(amount, currency)} of it is left for later, and nothing is claimed in ${currency}.`,
  'claim-part-sum': ({ title }) => `${title} in all`,
  'claim-figures': ({ currency, due, received, difference }, { money }) =>
    `Due ${money(due, currency)}, received ${money(received, currency)}, difference ${money(difference, currency)}.`,
  'claim-fee': ({ currency, charged, agreed, difference, received }, { money }) =>
    `Charged ${money(charged, currency)}, agreed ${money(agreed, currency)}, ${received === null ? '' : `received since ${money(received, currency)}, `}difference ${money(difference, currency)}.`,
  'claim-open': ({ currency, due, received }, { money }) =>
    `Due ${money(due, currency)}, received ${money(received, currency)} for certain.`,
  'claim-part-total': ({ title, currency, amount }, { money }) => `${title} in all: ${money(amount, currency)}.`,
  'claim-place': ({ invoice, order, reference, day }, { capitalised, text }) =>
    capitalised(
      [
        invoice === null ? '' : `invoice ${invoice}`,
        order === null ? '' : `order ${text(order)}`,
        reference === null ? '' : `reference ${text(reference)}`,
        day ?? '',
      ]
        .filter(Boolean)
        .join(', '),
    ),
  'claim-before': ({ on }) => `We asked for this on ${on} already.`,
  'claim-heading': ({ months }, { list }) => (months.length === 0 ? 'Claim' : `Claim for ${list(months, 12)}`),
  'claim-salutation': () => 'Dear Sir or Madam,',
  'claim-opening': () =>
    'We have compared your invoices and your records of our orders with our own books and with what our accounts received. Please pay or correct the points below, or tell us why they are right.',
  'claim-confirm': () => 'These points are in no total. Please tell us what is right, or correct your documents.',
  'claim-closing': () => 'Kind regards,',
  'claim-word': ({ word }) => WORDS.claim[word],

  // Dashboard.
  'dashboard-stores-nothing': () => 'The checks were run for this report, and nothing of what they found was stored.',

  // Journal: accounts, what a transaction books, notes.
  'journal-account-of-kind': ({ isTax, name }, { text }) =>
    `${isTax ? 'Taxes withheld' : 'Delivery fees'}: ${text(name)}`,
  'journal-account': ({ account }) => WORDS.account[account],
  'booked-delivery': ({ order }) => `Delivered: order ${order}`,
  'booked-deliveries': ({ count }) => `Delivered: ${counted(count, 'order')}`,
  'booked-accrual-reversed': ({ number }) => `No longer accrued: invoice ${number}`,
  'booked-invoice': ({ number, isRestated }) => `${isRestated ? 'Restated' : 'Invoiced'}: invoice ${number}`,
  'booked-receipt': ({ invoices, isTakenBack }) =>
    `${isTakenBack ? 'Taken back' : 'Received'}: ${invoices.length === 0 ? 'no invoice' : `invoice ${invoices.join(', ')}`}`,
  'booked-allocation': ({ number, isLater }) => `${isLater ? 'Matched later' : 'Received before'}: invoice ${number}`,
  'booked-paid-flag': ({ number, isPaid }) =>
    `${isPaid ? 'Marked paid by the courier' : 'Marked unpaid again'}: invoice ${number}`,
  'booked-exchange': ({ number }) => `Paid in another currency: invoice ${number}`,
  'booked-dispute': ({ invoice, order, isOver }) =>
    `${isOver ? 'No longer in dispute' : 'In dispute'}: ${[
      ...(invoice === null ? [] : [`invoice ${invoice}`]),
      ...(order === null ? [] : [`order ${order}`]),
    ].join(', ')}`,
  'booked-difference': ({ number, kind }) => `${DIFFERENCES[kind] ?? `Difference (${kind})`}: invoice ${number}`,
  'booked-adjustment': ({ of }, { say }) => `Changed after the close: ${say(of)}`,
  'booked-revaluation': ({ currency, isReversed }) =>
    `${isReversed ? 'Revaluation taken back' : 'Revaluation at the month’s end'}: ${currency}`,
  'booked-opening': () => 'Opening balances',
  'journal-by-flag': () => `Received goes ${BY_FLAG}.`,
  'journal-by-receipts': () =>
    'Received (REC) is what receipts brought, on their own days; what no invoice is known for is unallocated.',
  'journal-rest-by-flag': () => `For invoices that no receipts settle (PAY), received goes ${BY_FLAG}.`,
  'journal-adjustments': () =>
    'Adjustments (ADJ) are changes to a closed month, such as receipts that take the place of the courier’s Paid flag: the closed month stays as it is, and the change is booked on the first day that was open.',

  // Statement: warnings, mismatches, orders; the index of several.
  'moved-since-close': ({ figures, net }, { money }) => {
    const moved = net.map(
      (one) =>
        `net due was ${money(one.before, one.currency)} at the close and is ${money(one.after, one.currency)} now`,
    );
    const what =
      moved.length > 0 ? moved.join(', ') : `${figures} ${figures === 1 ? 'figure' : 'figures'}, see Mismatches`;
    return `The month has moved since it was closed: ${what}. The figures are as they were closed; columns named “moved since” show what moved.`;
  },
  'bridge-since-close': ({ moved }, { money }) => {
    if (moved.length === 0) return 'As it was closed; nothing of it has moved since.';
    const lines = moved.map(({ currency, courier, ours, unexplained, short }) => {
      const of = (amount: string | null) => (amount === null ? 'unknown' : money(amount, currency));
      return `the courier’s figure is ${of(courier)}, ours ${of(ours)}, unexplained ${of(unexplained)}, short or ahead ${of(short)}`;
    });
    return `As it was closed. Today ${lines.join('; ')}.`;
  },
  'mismatches-since-close': () =>
    'Mismatches are as they are today. Two columns of the Mismatches sheet show the status and the effect that each had at the close.',
  'month-incomplete': ({ why }, { say }) => `The month is incomplete: ${say(why)}.`,
  'invoices-no-longer-listed': ({ invoices }, { list }) =>
    `The company no longer lists ${invoices.length === 1 ? 'an invoice' : 'invoices'} that it once listed for the month (${list(invoices, 10)}); not in these figures.`,
  'no-mismatch-found': () => 'The checks that were run found nothing; Summary lists those that were not run.',
  'effects-elsewhere': ({ count }) =>
    `${count === 1 ? 'One of these has its effect' : `${count} of these have their effect`} in another month, on whose statement it counts: here its cell is empty.`,
  'no-records-of-ours': () => 'No order book was synced: nothing of ours stands beside these rows.',
  'rows-without-record': ({ count }) =>
    `${count} ${count === 1 ? 'row has' : 'rows have'} no record of ours: our columns are empty there, and count nothing.`,
  'our-net-by-own-book': () =>
    'No order book was synced: our net is the COD of our own book where an invoice calls the order delivered, less the agreed fee where a price covers it.',
  'our-net-by-both': () =>
    'Our net is the COD of our own book where it holds the delivered order, else of its record, less the agreed fee where a price covers it, else the fee on record.',
  'months-never-added-up': () =>
    'Months are not added up here: each closing balance holds what was open before. `remit report roll-forward` leads from one to the next.',

  // The pages about one invoice, order, receipt, run or close.
  'invoice-issued': () => 'Issued',
  'invoice-read': ({ version }) =>
    version === 1 ? 'Read for the first time' : `Read again, and it was different (version ${version})`,
  'invoice-gone': () => 'No longer listed by the courier',
  replaced: ({ why }, { text }) => `Taken for old: ${text(why)}`,
  matched: ({ match, rule, rate }) => `Match ${match} (${rule})${rate === null ? '' : `, at ${rate}`}`,
  'difference-agreed': ({ match, kind, isSettlement }) =>
    `${isSettlement ? 'Settlement' : 'Match'} ${match}: ${DIFFERENCES[kind] ?? kind}`,
  'match-taken-away': ({ match, why, isSettlement }, { text }) =>
    `${isSettlement ? `Settlement ${match} undone` : `Match ${match} taken away`}: ${text(why)}`,
  'never-read': ({ why }, { text }) => `Its detail was never read${why === '' ? '' : `: ${text(why)}`}.`,
  'never-in-order-book': () => 'The order book never held it.',
  'first-seen-delivered': () => 'When it was first seen delivered:',
  'order-moved': ({ from, to }, { state }) => `${from.map(state).join(', ')} → ${to.map(state).join(', ')}`,
  'order-in-state': ({ states }, { state }) => states.map(state).join(', '),
  state: ({ state: code }, { state }) => state(code),
  'field-in': ({ field: name, currency }, { field }) => `${field(name)} ${currency}`,
  'receipt-whose': ({ whose, byHand }) =>
    `${whose === null ? 'Not from the courier' : `From the courier, by its ${whose}`}${byHand ? '; matched by hand alone, for a match of it was taken away' : ''}.`,
  'tried-matched': ({ rule }) => `${MATCHED_BY[rule] ?? 'Matched'}: matched.`,
  'tried-amount': ({ asked, left, currency }, { money }) =>
    `The amounts differ: ${money(asked, currency)} is asked for, and ${money(left, currency)} is left to match.`,
  'tried-paid': () => 'The text names it, and nothing of it is outstanding.',
  'tried-part-by-hand': () =>
    'A person matched a part of the receipt to it, and left the rest open: a person decides about the rest.',
  'tried-issued-later': ({ days }, { count }) => `The invoice was issued ${count(days, DAYS)} after the receipt.`,
  'tried-issued-long-before': ({ days, most }, { count }) =>
    `The invoice was issued ${count(days, DAYS)} before the receipt; match_days allows ${most}.`,
  'tried-names-none': () => 'The text of the receipt clearly names no invoice.',
  'tried-names-unclear': () =>
    'A bare number in a text may be anything: without a word such as "invoice" before it, it names one only where the amounts tally.',
  'tried-names-others': () => 'The text of the receipt names other invoices: a person decides.',
  'tried-names-by-name': () => 'The text of the receipt names invoices, so its amount alone pays none.',
  'tried-names-other-currency': () => 'The text of the receipt names an invoice that does not ask for its currency.',
  'tried-names-too-many': ({ count, most }) =>
    `The text of the receipt names ${count} invoices, and they do not tally; parts are tried of at most ${most}.`,
  'tried-several': ({ ways }) =>
    `It is one of ${ways} ways that fit, and nothing says which is right: a person decides.`,
  'tried-too-many': () => 'There are more ways than could be tried: a person decides.',
  'tried-contested': () => 'Another receipt may pay some of the same invoices in another way: a person decides.',
  'tried-earlier-receipt': ({ receipt }) => `Receipt ${receipt} has the same way, and comes first.`,
  'tried-no-set': ({ invoices, left, currency }, { money }) =>
    `No set and no run of ${counted(invoices, 'open invoice')} comes to ${money(left, currency)}.`,
  'tried-no-parts': ({ receipts, asked, currency }, { money }) =>
    receipts < 2
      ? 'No other receipt may be part of what it asks for.'
      : `No two or more of ${counted(receipts, 'receipt')} together are ${money(asked, currency)}.`,
  'tried-nothing-to-take-back': ({ days }, { count }) =>
    `No receipt of this amount came in the ${count(days, DAYS)} before.`,
  'tried-received-later': ({ days }, { count }) => `That receipt came ${count(days, DAYS)} later.`,
  'tried-received-long-before': ({ days, most }, { count }) =>
    `That receipt came ${count(days, DAYS)} before; match_days allows ${most}.`,
  'tried-used-in-part': () => 'That receipt or this one is used in part.',
  'tried-taken-back-already': () => 'That receipt was taken back already.',
  'tried-later-receipt': ({ receipt }) => `Receipt ${receipt} paid the same invoices later, and is taken back first.`,
  'explained-not-courier': () => 'It is not from the courier, so that no rule looks at it.',
  'explained-of-other': ({ courier }, { text }) => `It is of ${text(courier)}.`,
  'explained-several-couriers': ({ couriers }, { list }) =>
    `Several couriers can claim it (${list(couriers)}), so that no rule looks at it: a person decides.`,
  'explained-by-hand-only': () => 'A match of it was taken away: only a person matches it.',
  'explained-manual': ({ match, by }, { text }) => `Match ${match} was made by hand, by ${text(by)}: no rule decided.`,
  'explained-settled': ({ match, by }, { text }) => `Settlement ${match} was made by ${text(by)}, without a receipt.`,
  'explained-matched': ({ match }) => `Match ${match} was made by the rules, as they stood before it:`,
  'explained-changed': ({ match }) =>
    `Match ${match} was made by the rules. What they looked at has changed since, so that only the match itself is shown.`,
  'explained-ambiguous': () => 'It can be explained in more ways than one; nothing is booked.',
  'explained-unmatched': () => 'No rule matched what is left of it.',
  'explained-nothing-left': () => 'Nothing of it is left to match.',
  'explained-closed': ({ months }, { list }) =>
    `Invoices of a closed month are among them (${list(months)}): what is matched now leaves its figures as they are.`,
  'explained-no-candidates': () => 'Nothing to compare.',
  'receipt-several-ways': ({ tooMany }) =>
    `It can be explained in more ways than one; nothing is booked.${tooMany ? ' There are more ways than were searched for.' : ''}`,
};

const { where: WHERE = {} } = cellsIn('en');
const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const DAYS = { one: 'day', other: 'days' };
const STEP_NOUNS = { delivery: 'order', invoicing: 'order', payment: 'invoice' };

const BY_FLAG =
  'by the courier’s Paid flag, not by receipts: money counts as received on the day of the sync that first showed an invoice as paid, and of a settlement sheet on the date of its payout';

/** What checks compare with the other side. */
const COMPARED = {
  row: { one: 'row', other: 'rows' },
  invoice: { one: 'invoice', other: 'invoices' },
  order: { one: 'order', other: 'orders' },
  'own-order': { one: 'order of your own book', other: 'orders of your own book' },
} as const;

/** `: the reason`; empty if nobody gave one. */
function reasonAfterColon(why: string | null): string {
  return why === null ? '' : `: ${cleanText(why)}`;
}

/** @param bySheets whether the courier sends sheets, which no sync fetches */
function uncovered(months: string, count: number, bySheets: boolean): string {
  if (bySheets) return `No settlement sheet covers ${months}`;
  return `${months} ${count === 1 ? 'was' : 'were'} never synced`;
}

/** The invoice that an order's record names, and what is wrong with that. */
function linkInEnglish({ link, linked }: ClaimWhat, speech: Speech): string {
  if (link === null) return 'the record names none';
  const why = {
    unknown: ', which is in none of your lists',
    vanished: ', which is gone from your list of invoices',
    listed: ', which does not list it',
  };
  return `the record names invoice ${speech.text(link)}${linked ? why[linked] : ''}`;
}

/** A point of a claim: what is wrong, with the document's figures, and what we ask about money that came in. */
function claimInEnglish(what: ClaimWhat, speech: Speech): string {
  const { figures, invoices, months, states, receipt, possible } = what;
  const say = (figure: string) => {
    if (figures!.unit === 'money') return speech.money(figure, figures!.currency ?? '');
    return figures!.unit === 'days' ? speech.count(Number(figure), DAYS) : figure;
  };
  const parts = [
    figures?.field ? speech.field(figures.field) : '',
    figures === null ? '' : `${say(figures.actual)} instead of ${say(figures.expected)}`,
    what.code !== 'order-invoice-link' ? '' : linkInEnglish(what, speech),
    invoices.length === 0
      ? ''
      : `${what.code === 'order-invoice-link' ? 'listed on ' : ''}${invoices.length === 1 ? 'invoice' : 'invoices'} ${speech.list(invoices, 20)}`,
    months.length === 0 ? '' : speech.list(months, 12),
    states.length === 0 ? '' : states.map(speech.state).join(', and '),
  ].filter(Boolean);
  const ground = speech.claim(what.code).replace(/\.$/, '');
  return [
    `${ground}${parts.length === 0 ? '' : `: ${parts.join('; ')}`}.`,
    receipt === null
      ? ''
      : `On ${receipt.date} ${receipt.cameIn ? 'we received' : 'you took back'} ${speech.money(receipt.amount.replace('-', ''), receipt.currency)}: please tell us what it is for.`,
    ...possible.map(
      ({ date, amount, currency }) =>
        `A payment of ${speech.money(amount, currency)} that came on ${date} may be for it: please tell us what it is for.`,
    ),
  ]
    .filter(Boolean)
    .join(' ');
}

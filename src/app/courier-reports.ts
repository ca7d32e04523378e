import { invoiceColumns, rowInNumberTexts, withTextColumns } from '../../reports/invoice-numbers.ts';
import type { Column, Report, Row } from '../../reports/model.ts';
import type { RemitError } from '../base/errors.ts';
import { inNumberTexts, type NumberTexts } from '../base/number-texts.ts';
import type { Sentence } from '../base/sentence.ts';

/** A report of one courier's books, or of what is of none of them. */
interface CourierNote {
  readonly courier: string | null;
  readonly report: Report;
  /** What its payouts are called. */
  readonly texts: NumberTexts;
}

const COURIER: Column = { name: 'courier', type: 'text', key: true };

/**
 * The reports of each courier as one, courier by courier: each row and total says whose it is.
 *
 * @param lacking the couriers of which there is none, and why
 * @param from the courier whose rows are the first that are wanted
 */
export function joinReports(
  parts: readonly CourierNote[],
  lacking: readonly { readonly courier: string; readonly error: RemitError }[] = [],
  from?: string,
): Report {
  const [first] = parts;
  const isOne = parts.length === 1 && lacking.length === 0;
  const { report } = first!;
  const begins = parts.findIndex(({ courier }) => courier === from);
  const column = isOne ? { ...COURIER, isForSeveral: true } : COURIER;
  const merged = {
    columns: [column, ...withTextColumns(report.columns)],
    rows: rowsOf(parts.slice(Math.max(0, begins))),
    totals: () => parts.flatMap((part) => part.report.totals().map((row) => ({ courier: part.courier, ...row }))),
    notes: () =>
      isOne
        ? inNumberTexts(report.notes(), first!.texts)
        : [
            ...notesOf(parts),
            ...lacking.map(({ courier, error }) => ofCourier(courier, { id: 'error', why: error.explanation })),
          ],
  };
  if (isOne) return { ...report, ...merged };
  const periods = [...new Set(parts.map((part) => part.report.period))];
  const zone = report.timeZone === undefined ? {} : { timeZone: report.timeZone };
  return { report: report.report, title: report.title, period: periods.join(', '), ...zone, ...merged };
}

async function* rowsOf(parts: readonly CourierNote[]): AsyncGenerator<Row> {
  for (const { courier, report, texts } of parts) {
    const columns = invoiceColumns(report.columns);
    for await (const row of report.rows) yield { courier, ...rowInNumberTexts(row, columns, texts) };
  }
}

/** What is to be said of each courier's rows; what is to be said of all of them, once. */
function notesOf(parts: readonly CourierNote[]): Sentence[] {
  const notes = parts.flatMap(({ courier, report, texts }) =>
    courier === null ? [] : [{ courier, own: inNumberTexts(report.notes(), texts) }],
  );
  const keys = notes.map(({ own }) => new Set(own.map((note) => JSON.stringify(note))));
  const isOfAll = (note: Sentence) => keys.length > 1 && keys.every((own) => own.has(JSON.stringify(note)));
  return [
    ...notes[0]!.own.filter(isOfAll),
    ...notes.flatMap(({ courier, own }) =>
      own.filter((note) => !isOfAll(note)).map((note) => ofCourier(courier, note)),
    ),
  ];
}

function ofCourier(courier: string, note: Sentence): Sentence {
  return { id: 'of-courier', courier, note };
}

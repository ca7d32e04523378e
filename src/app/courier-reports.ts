import { invoiceColumns, rowInNumberTexts, withTextColumns } from '../../reports/invoice-numbers.ts';
import type { Column, Report, Row } from '../../reports/model.ts';
import type { RemitError } from '../base/errors.ts';
import { inNumberTexts, type NumberTexts } from '../base/number-texts.ts';
import type { Sentence } from '../base/sentence.ts';

/** The report of one courier, or of what belongs to no courier. */
interface CourierReport {
  readonly courier: string | null;
  readonly report: Report;
  /** The numbers on its papers (`ES-902`), by the ledger's integers. */
  readonly texts: NumberTexts;
}

const COURIER: Column = { name: 'courier', type: 'text', key: true };

/**
 * Joins the couriers' reports into one, courier by courier: each row and total names its courier.
 *
 * @param lacking the couriers without a report, and why
 * @param from the courier with whose rows the report begins
 */
export function joinReports(
  parts: readonly CourierReport[],
  lacking: readonly { readonly courier: string; readonly error: RemitError }[] = [],
  from?: string,
): Report {
  const [first] = parts;
  const isOne = parts.length === 1 && lacking.length === 0;
  const { report } = first!;
  const start = parts.findIndex(({ courier }) => courier === from);
  const column = isOne ? { ...COURIER, isForSeveral: true } : COURIER;
  const merged = {
    columns: [column, ...withTextColumns(report.columns)],
    rows: rowsOf(parts.slice(Math.max(0, start))),
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

async function* rowsOf(parts: readonly CourierReport[]): AsyncGenerator<Row> {
  for (const { courier, report, texts } of parts) {
    const columns = invoiceColumns(report.columns);
    for await (const row of report.rows) yield { courier, ...rowInNumberTexts(row, columns, texts) };
  }
}

/** The notes of each courier's report; a note that all of them have is there once, without a courier. */
function notesOf(parts: readonly CourierReport[]): Sentence[] {
  const notes = parts.flatMap(({ courier, report, texts }) =>
    courier === null ? [] : [{ courier, reportNotes: inNumberTexts(report.notes(), texts) }],
  );
  const keys = notes.map(({ reportNotes }) => new Set(reportNotes.map((note) => JSON.stringify(note))));
  const isOfAll = (note: Sentence) => keys.length > 1 && keys.every((each) => each.has(JSON.stringify(note)));
  return [
    ...notes[0]!.reportNotes.filter(isOfAll),
    ...notes.flatMap(({ courier, reportNotes }) =>
      reportNotes.filter((note) => !isOfAll(note)).map((note) => ofCourier(courier, note)),
    ),
  ];
}

function ofCourier(courier: string, note: Sentence): Sentence {
  return { id: 'of-courier', courier, note };
}

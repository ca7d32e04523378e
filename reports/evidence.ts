import { readInvoiceDocuments, readOrderDocuments } from '../src/ledger/queries/evidence/documents.ts';
import { readMonthDocuments } from '../src/ledger/queries/sync/runs.ts';
import { columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = columnsOf('invoice_number order_id evidence kind received_at run size sha256 fault');

/** The documents that the months' figures were read from; narrowed to an invoice or an order, every document of it. */
export async function evidence({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  return {
    report: 'evidence',
    title: 'Evidence',
    period,
    columns: COLUMNS,
    rows: rows(),
    totals: () => [],
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    const { invoice, order } = filters;
    if (invoice === undefined && order === undefined) {
      for (const month of months) {
        for await (const { invoice_number, received_at: at, ...document } of readMonthDocuments(db, month)) {
          const about = { invoice_number, order_id: null };
          yield rowOf(about, { ...document, at, evidence_id: null, kind: 'invoice', fault: null });
        }
      }
      return;
    }
    if (invoice !== undefined) {
      for (const document of await readInvoiceDocuments(db, Number(invoice))) {
        yield rowOf({ invoice_number: Number(invoice), order_id: null }, document);
      }
    }
    if (order !== undefined) {
      for (const document of await readOrderDocuments(db, order)) {
        yield rowOf({ invoice_number: null, order_id: order }, document);
      }
    }
  }
}

type Document = Omit<Awaited<ReturnType<typeof readInvoiceDocuments>>[number], 'source'>;

function rowOf(about: Row, { evidence_id, at, run_id, kind, size, sha256, fault }: Document): Row {
  return { ...about, evidence: evidence_id, kind, received_at: at, run: run_id, size, sha256, fault };
}

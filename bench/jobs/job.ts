import path from 'node:path';
import type { Results } from '../results.ts';
import type { World } from '../world/courier-server.ts';

/** The options of a run of the bench. */
export interface JobOptions {
  /** How many rows to try it with. */
  readonly sizes: readonly number[];
  readonly rounds: number;
}

/** One entry of the table: measures, and adds its lines. */
export type Job = (results: Results, options: JobOptions) => Promise<void>;

const ROWS_AN_INVOICE = 500;

/** A month with a number of invoice rows. @param orders whether their orders are in the order book */
export function monthOf(rows: number, orders: boolean): World {
  const rowsAnInvoice = Math.min(ROWS_AN_INVOICE, rows);
  return { months: ['2026-10'], invoicesAMonth: Math.ceil(rows / rowsAnInvoice), rowsAnInvoice, orders };
}

/** From a million rows on one run has to do. */
export function roundsFor(rows: number, rounds: number): number {
  return rows >= 1_000_000 ? 1 : rounds;
}

/** The environment in which remit is run. */
export function environment(url: string, ledger: string): Record<string, string> {
  return { REMIT_API_URL: url, REMIT_API_KEY: 'bench', REMIT_LEDGER: ledger };
}

export function ledgerIn(folder: string): string {
  return path.join(folder, 'ledger.db');
}

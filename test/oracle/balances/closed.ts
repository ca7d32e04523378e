import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ReadSheet, readWorkbook } from '../../helpers/workbook.ts';
import { decimal } from '../units.ts';
import { amountOf } from './engines.ts';
import type { Must, Rows } from './surfaces.ts';

/** The figures of a closed month's statement as they were printed on the day of the close, by month. */
export type ClosedStatements = Map<string, unknown>;

/** Keeps what the statement of a month says on the day of its close. */
export async function keepStatement(kept: ClosedStatements, folder: string, month: string, must: Must): Promise<void> {
  kept.set(month, (await printStatement(folder, month, must)).figures);
}

/**
 * The statements of closed months say what they said on the day of the close, and what moved since comes to what is
 * known today.
 */
export async function compareClosedStatements(kept: ClosedStatements, folder: string, must: Must): Promise<string[]> {
  const faults: string[] = [];
  for (const [month, figures] of kept) {
    const now = await printStatement(folder, month, must);
    if (JSON.stringify(moved(now.figures)) !== JSON.stringify(moved(figures))) {
      faults.push(`${month}: its statement was ${JSON.stringify(figures)} and is ${JSON.stringify(now.figures)}`);
    }
    const { rows } = JSON.parse(await must([0], 'report', 'totals', month, '--format', 'json')) as Rows;
    const invoices = totalsOf((await readWorkbook(readFileSync(now.file))).sheets.get('Invoices')!);
    for (const currency of new Set([...invoices.keys(), ...rows.map((row) => String(row.currency))])) {
      const own = invoices.get(currency);
      const shown = amountOf(own?.['Net due']) + amountOf(own?.['Net due, moved since']);
      const today = amountOf(rows.find((row) => row.currency === currency)?.net_due_to_merchant);
      if (shown !== today)
        faults.push(`${month} ${currency}: closed and moved come to ${decimal(shown)}, today is ${decimal(today)}`);
    }
  }
  return faults;
}

async function printStatement(folder: string, month: string, must: Must) {
  const file = path.join(folder, `closed-${month}.xlsx`);
  const { figures } = JSON.parse(await must([0], 'statement', month, '--out', file, '--json')) as { figures: unknown };
  return { file, figures };
}

/** The totals of a sheet by currency: its cells by heading. */
function totalsOf(sheet: ReadSheet): Map<string, Record<string, string>> {
  const rows = new Map<number, Record<string, string>>();
  for (const [address, { value }] of sheet) {
    const [, column, line] = /^([A-Z]+)(\d+)$/.exec(address)!;
    const heading = sheet.get(`${column}1`)?.value;
    if (heading && value !== null) rows.set(Number(line), { ...rows.get(Number(line)), [heading]: value });
  }
  const totals = [...rows.values()].filter((row) => row.Invoice === 'Total');
  return new Map(totals.map((row) => [row.Currency!, row]));
}

/** The lines that hold an amount: a currency that comes later has a line of nothing in each earlier month. */
function moved(figures: unknown): unknown {
  const isAmount = (value: unknown) => typeof value === 'string' && /^-?[\d.]*[1-9][\d.]*$/.test(value);
  return (figures as object[]).filter((line) => Object.values(line).some(isAmount));
}

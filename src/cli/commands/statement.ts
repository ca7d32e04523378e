import path from 'node:path';
import { UsageError } from '../../errors.ts';
import { usingLedger } from '../../ledger/index.ts';
import { formatGrouped, parseAmount } from '../../money/index.ts';
import { lackingLines, openCounts } from '../check-lines.ts';
import { counted } from '../counted.ts';
import { type WrittenStatement, writeMonth } from '../month-statement.ts';
import { typedMonths } from '../months.ts';
import { makeFolder } from '../new-file.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export interface StatementInput extends SettingInput {
  readonly month: string;
  readonly out?: string;
}

/** `remit statement MONTH`: checks the month, writes its workbook, prints where it is and its key figures. */
export async function statement(session: Session, input: StatementInput): Promise<number> {
  const month = singleMonth(session, input.month);
  if (input.out !== undefined && path.extname(input.out).toLowerCase() !== '.xlsx') {
    throw new UsageError(
      `a statement is a workbook, and ${JSON.stringify(input.out)} does not end in .xlsx`,
      'Name a file that does.',
    );
  }
  const config = await session.config(settingFlags(input));
  const file =
    input.out === undefined ? path.join(config.statements, `${month}.xlsx`) : path.resolve(session.io.cwd, input.out);
  const now = session.io.now();
  const written = await usingLedger(config.ledger, {}, async (ledger) => {
    if (input.out === undefined) makeFolder(config.statements);
    return writeMonth(ledger, { month, file, config, now });
  });
  for (const line of lackingLines(written.result)) session.note(line);
  print(session, month, file, written);
  return 0;
}

function singleMonth(session: Session, text: string): string {
  const [month, ...more] = typedMonths(session, text)?.periods ?? [];
  if (month !== undefined && more.length === 0) return month;
  throw new UsageError(
    `a statement is about one month, and ${JSON.stringify(text)} is ${more.length + 1}`,
    'Name a month, such as 2026-10.',
  );
}

function print(session: Session, month: string, file: string, written: WrittenStatement): void {
  const { invoices, orders, figures, result } = written;
  if (session.json) {
    const { open, skipped } = result;
    session.resultJson({ month, file, invoices, orders, figures, open, skipped });
    return;
  }
  session.result(file);
  if (session.quiet) return;
  session.result(`${month}: ${counted(invoices, 'invoice')}, ${counted(orders, 'order')}`);
  for (const { currency, ...figure } of figures) {
    const [cod, fee, net, outstanding, unexplained] = [
      figure.cod,
      figure.delivery_fee,
      figure.net_due_to_merchant,
      figure.outstanding,
      figure.unexplained,
    ].map((amount) => formatGrouped(parseAmount(amount)));
    session.result(
      `  ${currency}  COD ${cod}  fees ${fee}  net due ${net}  outstanding ${outstanding}  unexplained ${unexplained}`,
    );
  }
  session.result(`  ${openCounts(result.open)} open`);
}

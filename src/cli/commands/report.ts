import path from 'node:path';
import { REPORTS, type ReportEntry } from '../../../reports/index.ts';
import { UsageError } from '../../errors.ts';
import { usingLedger } from '../../ledger/index.ts';
import { lastRun } from '../../ledger/last-run.ts';
import { usingSnapshot } from '../../ledger/reader/index.ts';
import { FORMATS, type Format, type RenderOptions, renderReport, renderReportToFile } from '../../render/index.ts';
import { allMonths, typedMonths } from '../months.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export interface ReportInput extends SettingInput {
  readonly name: string | undefined;
  readonly period: string | undefined;
  readonly format?: Format;
  readonly out?: string;
  readonly bom?: boolean;
}

/** `remit report [NAME] [PERIOD]`: prints or writes a report; without a name, lists them. */
export async function report(session: Session, input: ReportInput): Promise<number> {
  if (input.name === undefined) return listReports(session);
  const entry = findReport(input.name);
  const format = chooseFormat(session, input);
  const typed = typedMonths(session, input.period);
  if (typed && !entry.needsPeriod) {
    throw new UsageError(
      `the report ${entry.name} is about the whole ledger and has no period`,
      'Leave the period out.',
    );
  }
  const config = await session.config(settingFlags(input));
  const looks = {
    color: session.color && input.out === undefined,
    width: session.io.isTTY.stdout && input.out === undefined ? (session.io.columns ?? null) : null,
    bom: input.bom === true,
  };
  await usingLedger(config.ledger, {}, async (ledger) => {
    const months = typed ?? (entry.needsPeriod ? await allMonths(ledger) : { periods: [], period: '' });
    // A workbook bears the time of the last sync, not of the clock: the same ledger gives the same bytes.
    const run = format === 'xlsx' ? await lastRun(ledger) : null;
    const options: RenderOptions = { ...looks, generatedAt: run ? new Date(run.started_at) : session.io.now() };
    await usingSnapshot(ledger, async (db) => {
      const model = await entry.build({ db, ...months });
      if (input.out === undefined) return renderReport(model, format, session.io.stdout, options);
      const file = path.resolve(session.io.cwd, input.out);
      await renderReportToFile(model, format, file, options);
      session.note(`wrote ${file}`);
    });
  });
  return 0;
}

function listReports(session: Session): number {
  const reports = REPORTS.map(({ name, title }) => ({ name, title }));
  if (session.json) session.resultJson({ reports });
  else {
    const width = Math.max(...reports.map(({ name }) => name.length)) + 2;
    session.result(reports.map(({ name, title }) => `${name.padEnd(width)}${title}`).join('\n'));
  }
  return 0;
}

function findReport(name: string): ReportEntry {
  const entry = REPORTS.find((candidate) => candidate.name === name);
  if (entry) return entry;
  const names = REPORTS.map((candidate) => candidate.name).join(', ');
  throw new UsageError(`there is no report ${JSON.stringify(name)}`, `The reports are: ${names}.`);
}

/** `--format`, or the ending of `--out`, or `--json`, or a table. @throws UsageError where they contradict each other */
function chooseFormat(session: Session, { format, out, bom }: ReportInput): Format {
  const byEnding = out === undefined ? undefined : formatOfEnding(out);
  if (format && byEnding && format !== byEnding) {
    throw new UsageError(
      `--format ${format} and the ending of ${out} contradict each other`,
      `Leave --format out, or let the file end in .${format === 'table' ? 'txt' : format}.`,
    );
  }
  if (format && format !== 'json' && session.json) {
    throw new UsageError(`--format ${format} and --json contradict each other`, 'Leave one of them out.');
  }
  if (out !== undefined && path.extname(out) !== '' && !format && !byEnding && !session.json) {
    throw new UsageError(
      `the ending of ${JSON.stringify(out)} says no format`,
      'End it in .csv, .json, .xlsx, .html or .txt, or say the format with --format.',
    );
  }
  const chosen = format ?? byEnding ?? (session.json ? 'json' : 'table');
  if (chosen === 'xlsx' && out === undefined && session.io.isTTY.stdout) {
    throw new UsageError('a workbook cannot be shown on a terminal', 'Name a file: --out FILE.xlsx');
  }
  if (bom && chosen !== 'csv') {
    throw new UsageError(`--bom is for CSV, and this is ${chosen}`, 'Leave it out, or add --format csv.');
  }
  return chosen;
}

function formatOfEnding(file: string): Format | undefined {
  const ending = path.extname(file).slice(1).toLowerCase();
  return ending === 'txt' ? 'table' : FORMATS.find((format) => format === ending);
}

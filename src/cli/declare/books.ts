import { type Command, Option } from 'commander';
import type { BackupInput } from '../commands/backup.ts';
import type { CheckInput } from '../commands/check.ts';
import type { DemoInput } from '../commands/demo.ts';
import type { DoctorInput } from '../commands/doctor.ts';
import type { InitInput } from '../commands/init.ts';
import type { ReportInput } from '../commands/report.ts';
import type { StatementInput } from '../commands/statement.ts';
import type { SyncInput } from '../commands/sync.ts';
import { apiUrlOption, example, ledgerOption, type Start, wholeNumber } from './start.ts';

const PERIOD = '2026-10, 2026-Q4, 2026, 2026-08..2026-10, this-month or last-month';

const failOnOption = () =>
  new Option('--fail-on <severity>', 'exit with 3 when an open mismatch is at least this severe').choices([
    'error',
    'warning',
    'never',
  ]);

/** Commands that make and tend a books folder. */
export function declareSetup(program: Command, start: Start): void {
  program
    .command('demo')
    .summary('see it work, without an account')
    .description(
      "Starts the delivery company's service on this machine with a made-up world, syncs it, checks it, writes last month's statement, and says what to try next.",
    )
    .argument('[dir]', 'a folder for the demo', './remit-demo')
    .addOption(failOnOption().default('never'))
    .addHelpText('after', example('remit demo'))
    .action((dir: string, options: Omit<DemoInput, 'dir'>) =>
      start('demo', { dir, ...options }, async (session, input: DemoInput) =>
        (await import('../commands/demo.ts')).demo(session, input),
      ),
    );

  program
    .command('init')
    .summary('make a books folder')
    .description(
      'Makes a books folder: settings, a place for statements. Asks for what it needs on a terminal. Never overwrites.',
    )
    .argument('[dir]', 'the folder to make (default: the current folder)')
    .addOption(apiUrlOption())
    .option('--api-key-file <file>', 'the file that holds the API key, readable by you only')
    .option('--api-key-command <command>', 'a command that prints the API key, such as that of a password manager')
    .addHelpText('after', example('remit init books --api-url https://api.example.com/v1/external/'))
    .action((dir: string | undefined, options: Omit<InitInput, 'dir'>) =>
      start('init', { dir, ...options }, async (session, input: InitInput) =>
        (await import('../commands/init.ts')).init(session, input),
      ),
    );

  program
    .command('doctor')
    .summary('find out what is wrong')
    .description('Looks at settings, key, connection, clock, disk and ledger; one line each, with the remedy.')
    .addOption(apiUrlOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit doctor'))
    .action((options: DoctorInput) =>
      start('doctor', options, async (session, input) =>
        (await import('../commands/doctor.ts')).doctor(session, input),
      ),
    );

  program
    .command('backup')
    .summary('copy the ledger, also while a sync is at work')
    .description(
      'Writes a complete copy of the ledger, checked before it gets its name. Works while a sync is running.',
    )
    .argument('<file>', 'the copy to write')
    .option('--force', 'replace the file if it exists')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit backup ledger-2026-11-20.db'))
    .action((file: string, options: Omit<BackupInput, 'file'>) =>
      start('backup', { file, ...options }, async (session, input: BackupInput) =>
        (await import('../commands/backup.ts')).backup(session, input),
      ),
    );
}

/** The month's work: sync, check, report, statement. */
export function declareMonth(program: Command, start: Start): void {
  program
    .command('sync')
    .summary('fetch invoices and their orders into the ledger')
    .description(
      'Fetches the invoices of a period and their orders. Without a period: last month, this month, and every month that still has an unpaid invoice.',
    )
    .argument('[period]', PERIOD)
    .option('--orders', 'fetch the whole order book too')
    .option('--full', 'fetch every invoice again, also where nothing seems to have changed')
    .option('--accept-account', 'go on though the key belongs to another organisation than the ledger')
    .option('--dry-run', 'say what would be fetched, and fetch nothing but the lists')
    .option('--concurrency <n>', 'requests at a time', wholeNumber(1))
    .addOption(apiUrlOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit sync', 'remit sync 2026-10 --orders'))
    .action((period: string | undefined, options: Omit<SyncInput, 'period'>) =>
      start('sync', { period, ...options }, async (session, input: SyncInput) =>
        (await import('../commands/sync.ts')).sync(session, input),
      ),
    );

  program
    .command('check')
    .summary('find what does not agree')
    .description(
      'Runs the checks over a period (every month in the ledger, if none is given), keeps and prints the mismatches.',
    )
    .argument('[period]', PERIOD)
    .option('--only <code...>', 'run only these checks')
    .addOption(failOnOption().default('error'))
    .addOption(ledgerOption())
    .addHelpText('after', example('remit check 2026-10', 'remit check --only invoice-net --fail-on warning'))
    .action((period: string | undefined, options: Omit<CheckInput, 'period'>) =>
      start('check', { period, ...options }, async (session, input: CheckInput) =>
        (await import('../commands/check.ts')).check(session, input),
      ),
    );

  program
    .command('report')
    .summary('print or write a report; without a name, list them')
    .description('Prints a report, or writes it to a file. Without a name: lists the reports.')
    .argument('[name]', 'the report')
    .argument('[period]', `${PERIOD} (default: every month in the ledger)`)
    .addOption(new Option('--format <format>', 'how to print it').choices(['table', 'csv', 'json', 'xlsx', 'html']))
    .option('--out <file>', 'write it to a file; the ending says the format')
    .option('--bom', 'start CSV with a byte order mark, for Excel')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit report totals 2026-Q4', 'remit report orders 2026-10 --out orders.xlsx'))
    .action((name: string | undefined, period: string | undefined, options: Omit<ReportInput, 'name' | 'period'>) =>
      start('report', { name, period, ...options }, async (session, input: ReportInput) =>
        (await import('../commands/report.ts')).report(session, input),
      ),
    );

  program
    .command('statement')
    .summary("write a month's workbook")
    .description('Checks a month, then writes its workbook (default: statements/MONTH.xlsx in the books folder).')
    .argument('<month>', 'such as 2026-10, this-month or last-month')
    .option('--out <file>', 'the workbook to write')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit statement 2026-10'))
    .action((month: string, options: Omit<StatementInput, 'month'>) =>
      start('statement', { month, ...options }, async (session, input: StatementInput) =>
        (await import('../commands/statement.ts')).statement(session, input),
      ),
    );
}

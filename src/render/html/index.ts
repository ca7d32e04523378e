import type { Report } from '../../../reports/model.ts';
import { dashboardPage } from './dashboard/index.ts';
import type { PageOptions } from './page.ts';
import { tablePage } from './table.ts';

/** A report as one HTML page that needs nothing else. Text from outside is always text: never a tag, never a script. */
export async function* htmlText(report: Report, options: PageOptions): AsyncGenerator<string> {
  if (report.dashboard) yield* dashboardPage(report, report.dashboard, options);
  else yield* tablePage(report, options);
}

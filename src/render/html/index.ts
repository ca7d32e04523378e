import type { Dashboard } from '../../../reports/dashboard/model.ts';
import type { SaidReport } from '../in-words.ts';
import { dashboardPage } from './dashboard/index.tsx';
import type { PageOptions } from './page.tsx';
import { reportPage } from './report-page.tsx';

/** A report as one HTML page that needs nothing else. Text from outside is always text: never a tag, never a script. */
export async function* htmlText(
  report: SaidReport & { readonly dashboard?: Dashboard },
  options: PageOptions,
): AsyncGenerator<string> {
  if (report.dashboard) yield* dashboardPage(report, report.dashboard, options);
  else yield* reportPage(report, options);
}

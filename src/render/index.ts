export { type Format, type RenderOptions, renderReport, renderReportToFile } from './report.ts';

export { linesSum } from './balance.ts';
export { FORMATS, type Format } from './format.ts';
export type { OrdersFile, OwnOrder, OwnOrderAmount, OwnOrderStatus } from './orders.ts';
export type { RateRow, RatesFile } from './rates.ts';
export { type FileOf, type ReadOptions, readBytes } from './read-bytes.ts';
export {
  type FileSource,
  readAtMost,
  readSafely,
  type SafetyOptions,
  sampleSafely,
} from './read-safely.ts';
export type { TableSample } from './read-table.ts';
export type { ReceiptLine, ReceiptsFile, Skipped, Statement } from './receipts-file.ts';
export type { ResolutionRow, ResolutionsFile } from './resolutions.ts';
export type { SettledAmount, SettledRow, Settlement, SettlementFile, StatedTotal } from './settlement-file.ts';
export type { TariffFile, TariffRow } from './tariff.ts';

export { linesSum } from './balance.ts';
export type { OrdersFile, OwnOrder, OwnOrderAmount, OwnOrderStatus } from './orders-file.ts';
export type { RateRow, RatesFile } from './rates.ts';
export { type FileOf, type ReadOptions, readBytes } from './read-bytes.ts';
export {
  type FileSource,
  readAtMost,
  readSafely,
  type SafetyOptions,
  sampleSafely,
} from './read-safely.ts';
export type { TableSample } from './read-sample.ts';
export type { ReceiptLine, ReceiptsFile, Skipped, Statement } from './receipts-file.ts';
export { FORMATS, type Format } from './recognise.ts';
export type { ResolutionRow, ResolutionsFile } from './resolutions.ts';
export type { TariffFile, TariffRow } from './tariff.ts';

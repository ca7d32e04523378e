/**
 * The HTTP client of a delivery company's API, not the couriers of the books; other programs import it as
 * `remit-books/client`.
 */

export type { CutItem } from '../api/cut-list.ts';
export { decode } from '../api/decode.ts';
export { decodeList, type Item } from '../api/list.ts';
export { type Operation, type OperationName, operations } from '../api/operations.ts';
export type * from '../api/wire.ts';
export {
  ApiError,
  AuthError,
  BudgetError,
  ConfigError,
  ContractError,
  InterruptedError,
  NotJsonError,
  RemitError,
  UsageError,
} from '../base/errors.ts';
export type { Answer, CutPage, Page } from './answer.ts';
export {
  type CallInput,
  Client,
  type CustomersQuery,
  createClient,
  type MonthQuery,
  type PageQuery,
  previewRequest,
} from './client.ts';
export type { ClientOptions } from './options.ts';
export { fetchLogo } from './transport.ts';
export type { OnAnyPage, OnPage, Walk } from './walk.ts';

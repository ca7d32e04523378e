/** The client of the delivery company's API; other programs import it as `remit/client`. */
export {
  ApiError,
  AuthError,
  ConfigError,
  ContractError,
  InterruptedError,
  RemitError,
  UsageError,
} from '../errors.ts';
export { type Answer, decodeList, type Item, type Page } from './answer.ts';
export {
  Client,
  type CustomersQuery,
  createClient,
  type MonthQuery,
  type PageQuery,
} from './client.ts';
export { decode } from './decode.ts';
export { fetchLogo } from './logo.ts';
export { type Operation, type OperationName, operations } from './operations.ts';
export type { ClientOptions } from './options.ts';
export { type CallInput, previewRequest } from './request.ts';
export type { OnPage, Walk } from './walk.ts';
export type * from './wire.ts';

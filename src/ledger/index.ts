export { unitsText } from './dialect.ts';
export { type Ledger, type OpenOptions, usingLedger } from './open.ts';
export type * from './schema.ts';

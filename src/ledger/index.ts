export { chunks } from './chunks.ts';
export { unitsText } from './dialect.ts';
export { keepEvidence, type SealedBody, sealBody, sha256, unsealBody } from './evidence.ts';
export { type Ledger, usingLedger } from './open.ts';
export type * from './schema.ts';
export { type CourierOrderRows, type InvoiceRows, writeCourierOrders, writeInvoice } from './writer.ts';

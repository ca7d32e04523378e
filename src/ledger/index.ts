/**
 * What opens, locks, reads and proves a ledger, and the names that go with it. Its queries, its writers and `schema.ts`
 * are imported from their files.
 */
export type { Place } from '../base/place.ts';
export type { Work } from '../words/errors/ledger.ts';
export { courierOf, ofAllCouriers, ofCourier, SOLE_COURIER, wholeLedger } from './courier.ts';
export type { Examined } from './dialect/dialect.ts';
export { filesOf } from './dialect/index.ts';
export { appendEach, appendEvidence, type NewEvidence, readHead } from './evidence/append.ts';
export { readBody, type SealedBody, sealBody, unsealBody } from './evidence/bodies.ts';
export { chainOf, type EvidenceRow, GENESIS, sha256, sha256Bytes } from './evidence/chain.ts';
export { keepParts, PartReader, unpack } from './evidence/packs.ts';
export {
  describeNew,
  describeSchema,
  examinePlace,
  findDamage,
  grantsOf,
  type Ledger,
  type LedgerTransaction,
  ledgerExists,
  tryOut,
  usingLedger,
  usingTransaction,
  usingWholeTransaction,
} from './open.ts';
export type * from './schema.ts';
export type { Upgrading } from './upgrade.ts';

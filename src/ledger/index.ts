/** What the rest of the house needs of the ledger; reading stands under `read/`, writing under `write/`. */
export { chunks } from './chunks.ts';
export { appendEvidence, type NewEvidence, readHead } from './evidence/append.ts';
export { keepBody, readBody, type SealedBody, sealBody, unsealBody } from './evidence/bodies.ts';
export { chainOf, type EvidenceRow, GENESIS } from './evidence/chain.ts';
export { findParts, keepPack, PartReader, sealPack, unpack } from './evidence/packs.ts';
export { sha256, sha256Bytes } from './evidence/sha256.ts';
export {
  describeNew,
  describeSchema,
  findDamage,
  type Ledger,
  type LedgerTransaction,
  type OpenOptions,
  usingLedger,
} from './open.ts';
export { describePlace, type Place, placeOf } from './place.ts';
export type * from './schema.ts';
export { isOneOf, MAX_VARIABLES, unitsText } from './sql.ts';

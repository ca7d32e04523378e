import { camt } from './camt.ts';
import { mt940 } from './mt940.ts';
import { ofx } from './ofx.ts';
import { qif } from './qif.ts';
import type { StatementFormat } from './receipts-file.ts';

/**
 * The formats of bank statements, in the order in which a file is tried. A new one is its own file, a line here, and its name in
 * `format.ts`.
 */
export const STATEMENT_FORMATS: readonly StatementFormat[] = [ofx, camt, mt940, qif];

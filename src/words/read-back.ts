import type { ReadBackWords } from '../base/workbook-words.ts';
import { AR_READ_BACK } from './ar-tables.ts';
import { EN_READ_BACK } from './en.ts';

/** The words that are read back from a workbook, of every language. */
export const READ_BACK: readonly ReadBackWords[] = [EN_READ_BACK, AR_READ_BACK];

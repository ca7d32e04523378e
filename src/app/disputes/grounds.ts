import { CHECKS } from '../../checks/catalogue/index.ts';

/** The checks whose findings are a matter for the courier, in the order of the catalogue. Nothing is asked about those of others. */
export const GROUNDS: ReadonlySet<string> = new Set(
  CHECKS.flatMap(({ code, claim }) => (claim === undefined ? [] : [code])),
);

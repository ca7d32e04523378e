import { authenticationRows } from './authentication.ts';
import { conventionRows } from './conventions.ts';
import { customerRuleRows } from './customer-rules.ts';
import { endpointsRows } from './endpoints.ts';
import { errorRows } from './errors.ts';
import { limitRows } from './limits.ts';
import { orderFieldRows } from './order-fields.ts';
import { orderRuleRows } from './order-rules.ts';
import { otherFieldRows } from './other-fields.ts';
import { overviewRows } from './overview.ts';
import { paginationRows } from './pagination.ts';
import type { Row } from './row.ts';
import { stateRows } from './states.ts';

/** Every row, in the order of the specification. */
export const rows: readonly Row[] = [
  ...overviewRows,
  ...conventionRows,
  ...paginationRows,
  ...orderFieldRows,
  ...orderRuleRows,
  ...otherFieldRows,
  ...customerRuleRows,
  ...stateRows,
  ...endpointsRows,
  ...authenticationRows,
  ...errorRows,
  ...limitRows,
];

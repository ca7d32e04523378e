import { areaRows } from './areas.ts';
import { authenticationRows } from './authentication.ts';
import { conventionRows } from './conventions.ts';
import { customerRuleRows } from './customer-rules.ts';
import { customerRows } from './customers.ts';
import { endpointRows } from './endpoints.ts';
import { errorRows } from './errors.ts';
import { invoiceRows } from './invoices.ts';
import { limitRows } from './limits.ts';
import { moneyRows } from './money.ts';
import { orderCreateRows } from './order-create.ts';
import { orderFieldRows } from './order-fields.ts';
import { orderPeopleRows } from './order-people.ts';
import { otherFieldRows } from './other-fields.ts';
import { overviewRows } from './overview.ts';
import { paginationRows } from './pagination.ts';
import type { Row } from './row.ts';
import { stateRows } from './states.ts';

/** Every row, in the order of the specification. */
export const rows: readonly Row[] = [
  ...overviewRows,
  ...conventionRows,
  ...moneyRows,
  ...paginationRows,
  ...orderFieldRows,
  ...orderCreateRows,
  ...otherFieldRows,
  ...customerRuleRows,
  ...stateRows,
  ...endpointRows,
  ...orderPeopleRows,
  ...customerRows,
  ...areaRows,
  ...invoiceRows,
  ...authenticationRows,
  ...errorRows,
  ...limitRows,
];

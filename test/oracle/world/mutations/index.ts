import { faultMutations } from './faults.ts';
import { invoiceMutations } from './invoices.ts';
import type { Mutation } from './mutation.ts';
import { orderMutations } from './orders.ts';
import { rowMutations } from './rows.ts';

/** Everything that can happen to the server between two syncs, by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  ...invoiceMutations,
  ...rowMutations,
  ...orderMutations,
  ...faultMutations,
};

import { INVOICE_PLANTS } from './invoices.ts';
import { ORDER_PLANTS } from './orders.ts';
import { OWN_PLANTS } from './own.ts';
import type { Plant } from './plant.ts';
import { TIME_PLANTS } from './time.ts';

/** One plant for each check. Adding a check is adding a plant here. */
export const PLANTS: readonly Plant[] = [...INVOICE_PLANTS, ...ORDER_PLANTS, ...TIME_PLANTS, ...OWN_PLANTS];

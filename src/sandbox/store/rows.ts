/**
 * Rows of the tables that are read whole, without money. schema.ts says what times are, and what the columns of planted
 * mismatches (`list_...`, `malformed`, `also_listed_in`, `hidden`) mean.
 */
import type { PickupLocation } from '../../api/wire.ts';

type Flag = 0 | 1;

export interface MerchantRow {
  id: number;
  name: string;
  brand: string;
  primary_color: string;
  created_at: string;
}

export interface ApiKeyRow {
  id: number;
  merchant_id: number;
  hash: string;
  prefix: string;
  created_at: string;
  revoked_at: string | null;
}

export interface AreaRow {
  id: number;
  merchant_id: number | null;
  name_ar: string;
  name_en: string;
  district: string;
  lat: string;
  long: string;
  maps_link: string;
  code: string;
  is_external: Flag;
  area_group_id: number | null;
  tags: string;
}

export interface PickupLocationRow
  extends Omit<PickupLocation, 'merchant' | 'area' | 'opening_hours' | 'is_default' | 'is_open' | 'is_active'> {
  merchant_id: number;
  area_id: number;
  /** JSON. */
  opening_hours: string | null;
  is_default: Flag;
  is_open: Flag;
  is_active: Flag;
}

export interface CustomerRow {
  id: number;
  merchant_id: number;
  name: string;
  phone_number: string;
  secondary_phone_number: string | null;
  email: string;
}

export interface CustomerLocationRow {
  id: number;
  customer_id: number;
  area_id: number;
  directions: string;
}

export interface OrderRow {
  /** Counts the orders in the order in which they were written. */
  seq: number;
  /** The id that the API shows. */
  order_id: string;
  merchant_id: number;
  created_at: string;
  reference_id: string;
  is_exchange: Flag;
  workflow: 'STANDARD' | 'RETURN';
  is_critical: Flag;
  merchant_location: number;
  customer_id: number;
  customer_location_id: number;
  number_of_packages: number;
  description: string;
  notes: string;
  return_reason: string;
  source_url: string;
  delivery_state: string;
  payment_state: string;
  merchant_invoice: number | null;
  hidden: Flag;
}

export interface InvoiceRow {
  number: number;
  merchant_id: number;
  status: string;
  issued_at: string;
  paid_at: string | null;
  list_status: string | null;
  list_status_display: string | null;
  list_issued_at: string | null;
  list_order_count: number | null;
  malformed: Flag;
  also_listed_in: string | null;
  hidden: Flag;
}

/**
 * Rows of the tables that are read whole. schema.ts says what `list_...`, `malformed`, `also_listed_in` and `hidden`
 * are. Money is read as text: `cast(cod as text)`.
 */
import type { MoneyField, OrderMoneyField } from '../../money/fields.ts';

type Flag = 0 | 1;
/** Units (1/10,000) as decimal text: not every one fits a JavaScript number. */
type UnitsText = string;

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

export interface PickupLocationRow {
  id: number;
  merchant_id: number;
  name: string;
  address: string;
  contact_person: string;
  contact_phone: string;
  district: string;
  governorate: string;
  city: string;
  directions: string;
  is_default: Flag;
  area_id: number;
  mode: 'OPEN' | 'CLOSED' | 'SCHEDULE';
  /** JSON. */
  opening_hours: string | null;
  /** Minutes. */
  utc_offset: number;
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
  seq: number;
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

export interface OrderMoneyRow extends Record<OrderMoneyField, UnitsText | null> {
  order_id: string;
  position: number;
  currency: string;
}

export interface StatestampRow {
  order_id: string;
  position: number;
  delivery_state: string;
  payment_state: string;
  stamped_at: string;
}

export interface IntegrationItemRow {
  order_id: string;
  position: number;
  name: string;
  quantity: number;
  price: UnitsText;
  currency: string;
  image_url: string;
  source_url: string;
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

export interface InvoiceMoneyRow extends Record<MoneyField, UnitsText | null> {
  invoice_number: number;
  view: 'detail' | 'list';
  position: number;
  currency: string;
}

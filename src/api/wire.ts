/**
 * The delivery company's resources as they travel (spec, 'Resources and their fields'): one schema each, which decodes
 * responses, validates requests in the sandbox, types the code and makes the OpenAPI document.
 *
 * Reading is lenient where the spec is silent: unknown fields, states and statuses pass through, and what only
 * describes may be missing or null. What money depends on may not, but for an order's `delivery_fee` and
 * `merchant_invoice`.
 */
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { eachField, MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../money/fields.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** A field that describes and decides nothing: it may be missing or null. */
const descriptive = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
// The usual descriptive fields.
const text = descriptive(Type.String());
const textUpTo = (maxLength: number) => descriptive(Type.String({ maxLength }));
const flag = descriptive(Type.Boolean());
const integer = descriptive(Type.Integer());
const resource = <Fields extends TProperties>($id: string, fields: Fields) => Type.Object(fields, { $id });

export { DELIVERY_STATES, PAYMENT_STATES } from '../base/states.ts';

export const WORKFLOWS = ['STANDARD', 'RETURN'] as const;

/** A money field: pairs of currency code and decimal amount text (spec, 'Common conventions'). */
export const MoneyPairs = Type.Array(
  // A pair only to TypeScript: as a tuple of JSON Schema it would make another OpenAPI document.
  Type.Unsafe<[currency: string, amount: string]>(
    Type.Array(Type.String(), {
      minItems: 2,
      maxItems: 2,
      description: 'A currency code, then a decimal amount with two decimals.',
      examples: [['USD', '25.00']],
    }),
  ),
  { description: 'One pair per currency.', examples: [[['USD', '25.00']]] },
);
export type MoneyPairs = Static<typeof MoneyPairs>;

export const IntegrationItem = resource('IntegrationItem', {
  name: Type.String(),
  quantity: Type.Integer(),
  price: Type.String({ description: 'A decimal.' }),
  currency: Type.String(),
  image_url: text,
  source_url: text,
});
export type IntegrationItem = Static<typeof IntegrationItem>;

export const Statestamp = resource('Statestamp', {
  delivery_state: Type.String(),
  payment_state: Type.String(),
  timestamp: Type.String({ description: 'ISO 8601 with UTC offset and microseconds.' }),
});
export type Statestamp = Static<typeof Statestamp>;

/** The form of an area in the available-areas list. */
export const ReducedArea = resource('ReducedArea', {
  id: Type.Integer(),
  name_ar: textUpTo(200),
  name_en: textUpTo(200),
  district: textUpTo(50),
  code: text,
  lat: descriptive(Type.String({ description: 'Up to 3 integer and 15 fractional digits.' })),
  long: descriptive(Type.String({ description: 'Up to 3 integer and 15 fractional digits.' })),
});
export type ReducedArea = Static<typeof ReducedArea>;

export const Area = resource('Area', {
  ...ReducedArea.properties,
  maps_link: textUpTo(200),
  is_external: flag,
  area_group: descriptive(Type.Object({ id: Type.Integer(), name: Type.String() })),
  tags: text,
});
export type Area = Static<typeof Area>;

export const CustomerLocation = resource('CustomerLocation', {
  id: Type.Integer(),
  area: nullable(Area),
  directions: text,
});
export type CustomerLocation = Static<typeof CustomerLocation>;

export const Customer = resource('Customer', {
  id: Type.Integer(),
  name: text,
  phone_number: text,
  secondary_phone_number: text,
  email: text,
  locations: Type.Optional(Type.Array(CustomerLocation)),
});
export type Customer = Static<typeof Customer>;

export const PickupLocation = resource('PickupLocation', {
  id: Type.Integer(),
  name: textUpTo(200),
  address: textUpTo(400),
  contact_person: textUpTo(200),
  contact_phone: textUpTo(200),
  merchant: integer,
  district: textUpTo(50),
  governorate: textUpTo(50),
  city: textUpTo(200),
  directions: textUpTo(400),
  is_default: flag,
  area: descriptive(Area),
  mode: descriptive(Type.String({ description: 'OPEN, CLOSED or SCHEDULE.' })),
  opening_hours: descriptive(Type.Unknown()),
  utc_offset: integer,
  is_open: flag,
  is_active: flag,
});
export type PickupLocation = Static<typeof PickupLocation>;

export const Order = resource('Order', {
  order_id: Type.String({ minLength: 1 }),
  reference_id: text,
  is_exchange: flag,
  workflow: Type.String({ description: 'STANDARD or RETURN.' }),
  tracking_link: text,
  order_url: text,
  is_critical: flag,
  merchant_location: integer,
  cod: MoneyPairs,
  delivery_fee: Type.Optional(nullable(MoneyPairs)),
  number_of_packages: integer,
  description: text,
  notes: text,
  return_reason: text,
  delivery_state: Type.String(),
  payment_state: Type.String(),
  merchant_invoice: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
  integration_items: descriptive(Type.Array(IntegrationItem)),
  source_url: text,
  statestamps: descriptive(Type.Array(Statestamp)),
  customer: descriptive(Customer),
  customer_location: descriptive(CustomerLocation),
});
export type Order = Static<typeof Order>;

const invoiceMoney = eachField(MONEY_FIELDS, () => MoneyPairs);

export const InvoiceListItem = resource('InvoiceListItem', {
  number: Type.Integer(),
  status: Type.String({ description: 'PAID and PENDING_PAYMENT have been seen; others may come.' }),
  status_display: text,
  issued_at: Type.String(),
  order_count: Type.Integer(),
  ...invoiceMoney,
});
export type InvoiceListItem = Static<typeof InvoiceListItem>;

export const InvoiceOrder = resource('InvoiceOrder', {
  order_id: Type.String({ minLength: 1 }),
  reference_id: text,
  workflow: Type.String(),
  delivery_state: Type.String(),
  payment_state: Type.String(),
  ...eachField(ORDER_MONEY_FIELDS, () => MoneyPairs),
});
export type InvoiceOrder = Static<typeof InvoiceOrder>;

export const InvoiceDetail = resource('InvoiceDetail', {
  number: Type.Integer(),
  status: Type.String(),
  issued_at: Type.String(),
  ...invoiceMoney,
  orders: Type.Array(InvoiceOrder),
});
export type InvoiceDetail = Static<typeof InvoiceDetail>;

export const Profile = resource('Profile', {
  organisation_name: Type.String(),
  brand: text,
  logo_url: text,
  primary_color: text,
});
export type Profile = Static<typeof Profile>;

/** The error body (spec, 'Errors'). */
export const ErrorBody = resource('ErrorBody', {
  error: Type.Union([Type.String(), Type.Boolean()]),
  message: Type.String(),
  details: Type.Optional(Type.Unknown()),
});
export type ErrorBody = Static<typeof ErrorBody>;

// ---- requests ----

const workflow = Type.Union([Type.Literal('STANDARD'), Type.Literal('RETURN')]);
const coordinate = Type.String({ pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,15})?$' });

/** The area details of a location that is made whole. */
export const AreaDetails = Type.Object({
  id: Type.Optional(Type.Integer()),
  name_ar: Type.Optional(Type.String({ maxLength: 200 })),
  name_en: Type.Optional(Type.String({ maxLength: 200 })),
  district: Type.Optional(Type.String({ maxLength: 50 })),
  lat: Type.Optional(coordinate),
  long: Type.Optional(coordinate),
  maps_link: Type.Optional(Type.String({ maxLength: 200 })),
  is_external: Type.Optional(Type.Boolean()),
});
export type AreaDetails = Static<typeof AreaDetails>;

const customerFields = {
  name: Type.Optional(Type.String()),
  phone_number: Type.Optional(Type.String()),
  secondary_phone_number: Type.Optional(nullable(Type.String())),
  email: Type.Optional(Type.String()),
};

export const CustomerCreate = Type.Object({ ...customerFields, phone_number: Type.String({ minLength: 1 }) });
export type CustomerCreate = Static<typeof CustomerCreate>;

export const CustomerPatch = Type.Object(customerFields);
export type CustomerPatch = Static<typeof CustomerPatch>;

export const LocationCreate = Type.Object({ area: AreaDetails, directions: Type.Optional(Type.String()) });
export type LocationCreate = Static<typeof LocationCreate>;

export const LocationPatch = Type.Object({ directions: Type.Optional(Type.String()) });
export type LocationPatch = Static<typeof LocationPatch>;

export const AreaCreate = Type.Object({
  lat: Type.Number(),
  lng: Type.Number(),
  name: Type.String({ maxLength: 200 }),
});
export type AreaCreate = Static<typeof AreaCreate>;

/** The create-order body (spec, 'Orders'); which fields beyond the customer's phone are mandatory is not shown. */
export const OrderCreate = Type.Object({
  merchant_location: Type.Integer(),
  customer: Type.Object({ id: Type.Optional(Type.Integer()), ...customerFields }),
  customer_location: Type.Object({
    id: Type.Optional(Type.Integer()),
    directions: Type.Optional(Type.String()),
    area: Type.Optional(AreaDetails),
  }),
  reference_id: Type.Optional(Type.String()),
  is_critical: Type.Optional(Type.Boolean()),
  is_exchange: Type.Optional(Type.Boolean()),
  workflow: Type.Optional(workflow),
  cod: Type.Optional(MoneyPairs),
  number_of_packages: Type.Optional(Type.Integer({ minimum: 1 })),
  description: Type.Optional(Type.String()),
  notes: Type.Optional(Type.String()),
  return_reason: Type.Optional(Type.String()),
});
export type OrderCreate = Static<typeof OrderCreate>;

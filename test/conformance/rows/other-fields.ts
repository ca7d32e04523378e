import * as is from '../checks.ts';
import { fieldRows } from './fields.ts';

const area = { id: is.integer, name_en: is.text, district: is.text };

const reducedArea = [
  ['id', 'an integer', is.integer],
  ['name_ar', 'a text of at most 200 characters', is.textUpTo(200)],
  ['name_en', 'a text of at most 200 characters', is.textUpTo(200)],
  ['district', 'a text of at most 50 characters', is.textUpTo(50)],
  ['lat', 'a decimal with at most 3 integer and 15 fractional digits', is.coordinate],
  ['long', 'a decimal with at most 3 integer and 15 fractional digits', is.coordinate],
  ['code', 'a text, the code of the area', is.text],
] as const;

const invoiceMoney = [
  ['cod', 'a money field', is.money],
  ['delivery_fee', 'a money field', is.money],
  ['net_due_to_merchant', 'a money field', is.money],
] as const;

export const otherFieldRows = [
  ...fieldRows(
    'Customer',
    'Customer',
    'customers',
    [
      ['id', 'an integer', is.integer],
      ['name', 'a text', is.text],
      ['phone_number', 'a text', is.matching(/\S/)],
      ['secondary_phone_number', 'a text, empty or null when absent', is.orNull(is.text)],
      ['email', 'an email address, or an empty text when absent', is.orEmpty(is.email)],
    ],
    [],
  ),
  ...fieldRows('Customer location', 'Customer location', 'locations', [
    ['id', 'an integer', is.integer],
    ['area', 'an area', is.objectOf(area)],
    ['directions', 'free text, empty when absent', is.text],
  ]),
  ...fieldRows('Area', 'Area', 'areas', [
    ...reducedArea,
    ['maps_link', 'a text of at most 200 characters', is.textUpTo(200)],
    ['is_external', 'a boolean', is.boolean],
    [
      'area_group',
      'null, or an object with an integer id and a name',
      is.orNull(is.objectOf({ id: is.integer, name: is.text })),
    ],
    ['tags', 'a text', is.text],
  ]),
  ...fieldRows('Reduced area', 'Area', 'reducedAreas', reducedArea),
  ...fieldRows('Pickup location', 'Pickup location', 'pickups', [
    ['id', 'an integer', is.integer],
    ['name', 'a text of at most 200 characters', is.textUpTo(200)],
    ['address', 'a text of at most 400 characters', is.textUpTo(400)],
    ['contact_person', 'a text of at most 200 characters', is.textUpTo(200)],
    ['contact_phone', 'a text of at most 200 characters', is.textUpTo(200)],
    ['merchant', 'the number of the merchant that owns it', is.integer],
    ['district', 'a text of at most 50 characters', is.textUpTo(50)],
    ['governorate', 'a text of at most 50 characters', is.textUpTo(50)],
    ['city', 'a text of at most 200 characters', is.textUpTo(200)],
    ['directions', 'a text of at most 400 characters', is.textUpTo(400)],
    ['is_default', 'a boolean', is.boolean],
    ['area', 'an area', is.objectOf(area)],
    ['mode', 'OPEN, CLOSED or SCHEDULE', is.oneOf('OPEN', 'CLOSED', 'SCHEDULE')],
    ['opening_hours', 'an object or null', is.orNull(is.objectOf({}))],
    ['utc_offset', 'an integer from -720 to 840', is.integerWithin(-720, 840)],
    ['is_open', 'a boolean', is.boolean],
    ['is_active', 'a boolean', is.boolean],
  ]),
  ...fieldRows('Invoice list item', 'Invoice', 'invoices', [
    ['number', 'an integer', is.integer],
    ['status', 'a text', is.matching(/^[A-Z_]+$/)],
    ['status_display', 'the status for people', is.matching(/./)],
    ['issued_at', 'a moment', is.dateTime],
    ['order_count', 'an integer', is.integerWithin(0, Number.MAX_SAFE_INTEGER)],
    ...invoiceMoney,
  ]),
  ...fieldRows('Invoice detail', 'Invoice', 'invoiceDetails', [
    ['number', 'an integer', is.integer],
    ['status', 'a text', is.matching(/^[A-Z_]+$/)],
    ['issued_at', 'a moment', is.dateTime],
    ...invoiceMoney,
    ['orders', 'a list of entries', is.listOf(is.objectOf({ order_id: is.text }))],
  ]),
  ...fieldRows('Invoice entry', 'Invoice', 'invoiceOrders', [
    ['order_id', 'a text', is.matching(/./)],
    ['reference_id', 'a text', is.text],
    ['workflow', 'a text', is.oneOf('STANDARD', 'RETURN')],
    ['delivery_state', 'a text', is.text],
    ['payment_state', 'a text', is.text],
    ['cod', 'a money field', is.money],
    ['delivery_fee', 'a money field', is.money],
  ]),
  ...fieldRows('Organisation profile', 'Organisation profile', 'profiles', [
    ['organisation_name', 'a text', is.matching(/./)],
    ['brand', 'a text', is.text],
    ['logo_url', 'an address', is.url],
    ['primary_color', 'a hex colour', is.hexColour],
  ]),
];
